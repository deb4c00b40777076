import Engine
import Graphs
import OSC
import Synchronization

/// Sends packets by any transport: to a network target, to all nodes that put out a universe, or to a device. It never
/// blocks. One thread sends at a time
protocol PacketSink: AnyObject, Sendable {
  /// Sends one packet.
  func send(_ packet: UnsafeRawBufferPointer)
  /// Waits until the packets have been handed over, for at most `seconds`, at the end of the show.
  func flush(within seconds: Double)
  /// How often a receiver was found; each time all current values should be sent.
  var timesReady: Int { get }
  /// Whether packets arrive, as far as is known. [any]
  var isWell: Bool { get }
  /// Packets that could not be sent. [any]
  var failed: UInt64 { get }
  /// The state as a sentence. [any]
  var state: String { get }
}

extension PacketSink {
  /// Does nothing: nothing waits.
  func flush(within seconds: Double) {}
}

extension Target: PacketSink {
  var isWell: Bool { status.state.isWell }
  var failed: UInt64 { status.failed + status.refusals }
  var state: String { status.description }
}

extension PacketBatch: WaitingPackets {}

/// Sends the packets of one destination: to the network, to a device, into a score, or nowhere. One thread sends at a
/// time
final class PacketOutlet: Sendable {
  private let target: (any PacketSink)?
  /// The queue of packets to the target; nil: each is sent at once.
  let batch: PacketBatch?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?
  /// Lets packets to the target out, or holds them.
  private let gate: OutputGate
  /// Whether packets have a priority by which receivers choose a sender.
  private let hasPriority: Bool
  /// How often the target had become ready and the gate had been opened, at the last call of `becameReady`.
  private let seen: Atomic<Int>

  fileprivate init(
    _ target: (any PacketSink)?, _ score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?,
    batch: PacketBatch? = nil, gate: OutputGate = OutputGate(), hasPriority: Bool = false
  ) {
    (self.target, self.score, self.batch) = (target, score, batch)
    (self.gate, self.hasPriority) = (gate, hasPriority)
    seen = Atomic((target?.timesReady ?? 0) + gate.timesOpened)
  }

  /// Whether packets are sent at all.
  var isLive: Bool { target != nil || score != nil }

  /// True once after the receiver was found or the gate was opened: then all current values should be sent.
  func becameReady() -> Bool {
    guard let target else { return false }
    let times = target.timesReady + gate.timesOpened
    guard seen.load(ordering: .relaxed) != times else { return false }
    seen.store(times, ordering: .relaxed)
    return true
  }

  /// Waits until the packets have been handed over, for at most `seconds`, at the end of the show.
  func flush(within seconds: Double) { target?.flush(within: seconds) }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    if gate.passes(hasPriority: hasPriority) { target?.send(packet) }
    score?(seconds, packet)
  }

  /// Sends a packet, or queues it in the batch of the target, if there is one: its bytes must not change until then.
  func leave(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    guard let batch else { return deliver(packet, at: seconds) }
    if gate.passes(hasPriority: hasPriority) { batch.add(packet) }
    score?(seconds, packet)
  }

  /// Whether packets arrive, as far as is known. [any]
  var isWell: Bool { target?.isWell ?? true }

  /// Packets that could not be sent. [any]
  var failed: UInt64 { target?.failed ?? 0 }

  /// The state of the destination as a sentence. [any]
  var state: String {
    guard let target else { return "not sending" }
    return gate.passes(hasPriority: hasPriority) ? target.state : "held: another machine sends"
  }

  /// A line for the screen and the log; `name` is the name of the destination. [any]
  func report(id: String, name: String, sent: UInt64, held: UInt64, sample: String) -> NodeReport {
    NodeReport(
      id: id, target: name, state: state, isWell: isWell, sent: sent, held: held, failed: failed,
      sample: sample)
  }
}

/// The packets of one universe in any protocol. [one]
protocol UniverseStream: AnyObject {
  /// The slots of the next packet.
  var slots: UnsafeMutableBufferPointer<UInt8> { get }
  /// The next packet, valid until the following call.
  func next() -> UnsafeRawBufferPointer
  /// The next packet that ends the universe; nil where the protocol has none.
  func nextTermination() -> UnsafeRawBufferPointer?
  /// The priorities of the slots in the next packet of priorities; nil where none are sent.
  var priorities: UnsafeMutableBufferPointer<UInt8>? { get }
  /// The next packet of priorities.
  func nextPriorities() -> UnsafeRawBufferPointer?
}

extension UniverseStream {
  func nextTermination() -> UnsafeRawBufferPointer? { nil }
  var priorities: UnsafeMutableBufferPointer<UInt8>? { nil }
  func nextPriorities() -> UnsafeRawBufferPointer? { nil }
}

/// One destination of an output.
struct PacketDestination {
  /// Its name for users.
  let name: String
  /// Its outlets: one for each universe, or for each part of the LEDs.
  let outlets: [PacketOutlet]
  /// Makes its lines for reports from the line of its outlets; nil: that line is the report. [any]
  var lines: (@Sendable (_ line: NodeReport) -> [NodeReport])?

  /// True once after a receiver was found. Every outlet is asked, because each reports it only once.
  func becameReady() -> Bool { outlets.reduce(false) { $1.becameReady() || $0 } }

  /// Lines for the screen and the log. [any]
  func report(id: String, sent: UInt64, held: UInt64, sample: String) -> [NodeReport] {
    let worst = outlets.first { !$0.isWell } ?? outlets.first
    let line = NodeReport(
      id: id, target: name, state: worst?.state ?? "not sending", isWell: worst?.isWell ?? true, sent: sent,
      held: held,
      // Universes of one host share a target, whose failures count once.
      failed: Dictionary(outlets.map { ($0.state, $0.failed) }, uniquingKeysWith: max).values.reduce(0, +),
      sample: sample)
    return lines?(line) ?? [line]
  }
}

extension NodeContext {
  /// The outlet for an endpoint. On the network all outlets to an endpoint share one target, which is kept from plan
  /// to plan. So no change of a setting opens a socket, resolves a host again, or loses packets meanwhile. [control]
  func outlet(to endpoint: Endpoint, interface: String? = nil, hops: Int? = nil) -> PacketOutlet {
    if case .score(let write) = configuration.packets { return PacketOutlet(nil, write) }
    return datagrams(to: endpoint, interface: interface, hops: hops)
  }

  /// The outlet for packets other than OSC, which cannot be written to a score. `interface` is the one by which
  /// multicasts leave, `hops` their maximum number of hops. With `isBatched`, packets are sent together with those of
  /// other outputs to the same target. With `hasPriority`, a spare sends them all the time. [control]
  func datagrams(
    to endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, isBatched: Bool = false,
    hasPriority: Bool = false
  ) -> PacketOutlet {
    guard case .network = configuration.packets else { return nowhere }
    let routeKey = (interface.map { " by \($0)" } ?? "") + (hops.map { " for \($0)" } ?? "")
    let target = share("target \(endpoint)\(routeKey)") { Target(endpoint, interface: interface, hops: hops) }
    return PacketOutlet(
      target, nil, batch: isBatched ? share("batch \(endpoint)\(routeKey)") { PacketBatch(target) } : nil,
      gate: configuration.gate, hasPriority: hasPriority)
  }

  /// The outlet for a sink that is opened only if packets are sent live. [control]
  func outlet(_ open: () -> any PacketSink) -> PacketOutlet {
    guard case .network = configuration.packets else { return nowhere }
    return PacketOutlet(open(), nil, gate: configuration.gate)
  }

  /// An outlet that drops packets. [control]
  var nowhere: PacketOutlet { PacketOutlet(nil, nil) }
}
