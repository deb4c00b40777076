import Graphs
import OSC

/// Where packets of one destination leave: to the network, into a score, or nowhere. One thread sends at a time
final class PacketOutlet: Sendable {
  private let target: Target?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?

  /// Begins at once to find the host where packets go to the network. [control]
  init(_ endpoint: Endpoint, _ packets: Surroundings.Packets) {
    switch packets {
    case .network: (target, score) = (Target(endpoint), nil)
    case .nowhere: (target, score) = (nil, nil)
    case .score(let write): (target, score) = (nil, write)
    }
  }

  deinit { target?.close() }

  /// Whether packets lead anywhere.
  var isLive: Bool { target != nil || score != nil }

  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool { target?.becameReady() ?? false }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    target?.send(packet)
    score?(seconds, packet)
  }

  /// A line for the screen and the log, where `name` is what it calls the destination. Any thread.
  func report(id: String, name: String, sent: UInt64, held: UInt64, sample: String) -> NodeReport {
    let status = target?.status
    let isWell: Bool
    switch status?.state {
    case .ready, .resolving, nil: isWell = true
    case .refused, .networkDown, .hostDown, .failing, .unresolvable, .closed: isWell = false
    }
    return NodeReport(
      id: id, target: name, state: status?.description ?? "not sending", isWell: isWell, sent: sent,
      held: held, failed: (status?.failed ?? 0) + (status?.refusals ?? 0), sample: sample)
  }
}
