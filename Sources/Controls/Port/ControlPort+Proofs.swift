import Graphs
import OSC

/// Checks that a peer receives at the source address of its datagrams. [port]
extension ControlPort {
  func takeProof(_ token: String, of peer: PacketPeer) {
    // A wrong token is not answered: an answer may be what its sender is after.
    for waiting in proofs.take(token, of: peer, at: now()) ?? [] {
      do throws(ControlError) { try take(waiting.request, waiting.address, peer) } catch {
        refuse(peer, waiting.address, error)
      }
    }
  }

  /// Challenges subscribers again, and ends the subscriptions of those whose proof has run out.
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
