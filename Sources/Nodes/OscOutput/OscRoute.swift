import Graphs
import OSC

/// One target with its schedule; kept from plan to plan as long as the addresses are the same. [frame]
final class OscRoute: @unchecked Sendable {
  let endpoint: Endpoint
  let sender: Sender
  let firstAddress: String
  private let target: Target?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?

  init(endpoint: Endpoint, sender: Sender, firstAddress: String, packets: Surroundings.Packets) {
    self.endpoint = endpoint
    self.sender = sender
    self.firstAddress = firstAddress
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

  func report(id: String, value: Float) -> NodeReport {
    let status = target?.status
    let counts = sender.counters.counts
    let isWell: Bool
    switch status?.state {
    case .ready, .resolving, nil: isWell = true
    case .refused, .failing, .unresolvable, .closed: isWell = false
    }
    return NodeReport(
      id: id, target: endpoint.description, state: status?.description ?? "not sending", isWell: isWell,
      sent: counts.messages, held: counts.held, failed: (status?.failed ?? 0) + (status?.refusals ?? 0),
      sample: "\(firstAddress) \(twoDecimals(value))")
  }

  private func twoDecimals(_ value: Float) -> String {
    let hundredths = Int((Double(value.isFinite ? value : 0) * 100).rounded())
    let digits = String(abs(hundredths) % 100)
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count < 2 ? "0" + digits : digits)"
  }
}
