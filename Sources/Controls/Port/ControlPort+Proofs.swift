import Graphs
import OSC

/// Whether a peer is heard where its datagrams seem to come from. [port]
extension ControlPort {
  func takeProof(_ token: String, of peer: PacketPeer) {
    // A wrong one is not answered: it may have been sent to make us answer.
    for waiting in proofs.take(token, of: peer, at: now()) ?? [] {
      do throws(ControlError) { try take(waiting.request, waiting.address, peer) } catch {
        refuse(peer, waiting.address, error)
      }
    }
  }

  /// Challenges subscribers anew, and ends the subscriptions of those that do not answer.
  func renewProofs(at time: Double) {
    for peer in feedback.countedPeers {
      if let token = proofs.renewal(of: peer, at: time) {
        send(Message("/visgraph/challenge", .string(token)), to: peer)
      }
      guard !proofs.holds(for: peer, at: time) else { continue }
      feedback.unsubscribe(peer, nil)
      notify(.refused(address: "/visgraph/subscribe", .unproven, from: peer))
    }
    for (peer, waiting) in proofs.forget(at: time) {
      notify(.refused(address: waiting.address, .unproven, from: peer))
    }
  }
}
