import Engine
import Graphs
import OSC
import Synchronization

/// Where packets of one destination leave: to the network, into a score, or nowhere. One thread sends at a time
final class PacketOutlet: Sendable {
  private let target: Target?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?
  /// How often the target had become ready when it was last asked for.
  private let seen: Atomic<Int>

  fileprivate init(_ target: Target?, _ score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?) {
    (self.target, self.score) = (target, score)
    seen = Atomic(target?.timesReady ?? 0)
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { target != nil || score != nil }

  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool {
    guard let target else { return false }
    let times = target.timesReady
    return seen.exchange(times, ordering: .relaxed) != times
  }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    target?.send(packet)
    score?(seconds, packet)
  }

  /// A line for the screen and the log, where `name` is what it calls the destination. [any]
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

extension NodeContext {
  /// Where packets to an endpoint leave. On the network all that send there share one target, and it stays from plan to
  /// plan: no change of a setting makes a socket, asks for an address again or loses packets meanwhile. [control]
  func outlet(to endpoint: Endpoint) -> PacketOutlet {
    switch configuration.packets {
    case .network: PacketOutlet(share("target \(endpoint)") { Target(endpoint) }, nil)
    case .nowhere: PacketOutlet(nil, nil)
    case .score(let write): PacketOutlet(nil, write)
    }
  }
}

/// One target with its schedule; kept from plan to plan as long as the addresses are the same. [frame]
final class OscRoute: @unchecked Sendable {
  let endpoint: Endpoint
  let sender: Sender
  /// One for each channel, or one for all.
  let addresses: [String]
  /// What shines at these addresses, whatever the schedule.
  let lights: Lights
  private let outlet: PacketOutlet

  /// The lights at the addresses of one target of a node: as long as a plan asks for them, somebody goes on lighting them.
  final class Lights: Sendable {}

  init(endpoint: Endpoint, sender: Sender, addresses: [String], lights: Lights, outlet: PacketOutlet) {
    self.endpoint = endpoint
    self.lights = lights
    self.sender = sender
    self.addresses = addresses
    self.outlet = outlet
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { outlet.isLive }

  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool { outlet.becameReady() }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) { outlet.deliver(packet, at: seconds) }

  func report(id: String, value: Float) -> NodeReport {
    let counts = sender.counts
    return outlet.report(
      id: id, name: endpoint.description, sent: counts.messages, held: counts.held,
      sample: "\(addresses.first ?? "") \(twoDecimals(value))")
  }

  private func twoDecimals(_ value: Float) -> String {
    let hundredths = Int((Double(value.isFinite ? value : 0) * 100).rounded())
    let digits = String(abs(hundredths) % 100)
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count < 2 ? "0" + digits : digits)"
  }
}
