import Engine
import Graphs
import OSC
import Synchronization

/// What takes packets away, whatever the way: a target of the network, all nodes that want a universe, a device. Never has
/// who sends wait. One thread sends at a time
protocol PacketSink: AnyObject, Sendable {
  /// Sends one packet.
  func send(_ packet: UnsafeRawBufferPointer)
  /// Waits until what was handed over has gone, for so many seconds at most: the show ends.
  func flush(within seconds: Double)
  /// How often a receiver was found: each time all that is current should be sent.
  var timesReady: Int { get }
  /// Whether packets get through as far as can be known. [any]
  var isWell: Bool { get }
  /// Packets that did not get through. [any]
  var failed: UInt64 { get }
  /// How it stands, as a sentence. [any]
  var state: String { get }
}

extension PacketSink {
  /// It has gone.
  func flush(within seconds: Double) {}
}

extension Target: PacketSink {
  var isWell: Bool { status.state.isWell }
  var failed: UInt64 { status.failed + status.refusals }
  var state: String { status.description }
}

extension PacketBatch: WaitingPackets {}

/// Where packets of one destination leave: to the network, to a device, into a score, or nowhere. One thread sends at a time
final class PacketOutlet: Sendable {
  private let target: (any PacketSink)?
  /// Where packets to the target wait for each other; nil: each goes by itself.
  let batch: PacketBatch?
  private let score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?
  /// Lets packets to the target out, or holds them.
  private let gate: OutputGate
  /// Whether receivers choose by a priority that the packets have.
  private let hasPriority: Bool
  /// How often the target had become ready, and the gate was opened, when it was last asked for.
  private let seen: Atomic<Int>

  fileprivate init(
    _ target: (any PacketSink)?, _ score: (@Sendable (Double, UnsafeRawBufferPointer) -> Void)?,
    batch: PacketBatch? = nil, gate: OutputGate = OutputGate(), hasPriority: Bool = false
  ) {
    (self.target, self.score, self.batch) = (target, score, batch)
    (self.gate, self.hasPriority) = (gate, hasPriority)
    seen = Atomic((target?.timesReady ?? 0) + gate.timesOpened)
  }

  /// Whether packets lead anywhere.
  var isLive: Bool { target != nil || score != nil }

  /// True once, when the receiver was found or the gate was opened: all that is current should be sent.
  func becameReady() -> Bool {
    guard let target else { return false }
    let times = target.timesReady + gate.timesOpened
    guard seen.load(ordering: .relaxed) != times else { return false }
    seen.store(times, ordering: .relaxed)
    return true
  }

  /// Waits until what was handed over has gone, for so many seconds at most: the show ends.
  func flush(within seconds: Double) { target?.flush(within: seconds) }

  /// Sends a packet that is due at `seconds` of the timeline.
  func deliver(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    if gate.passes(hasPriority: hasPriority) { target?.send(packet) }
    score?(seconds, packet)
  }

  /// The same, but where packets to the target wait for each other: there its bytes stay as they are until the batch is sent.
  func leave(_ packet: UnsafeRawBufferPointer, at seconds: Double) {
    guard let batch else { return deliver(packet, at: seconds) }
    if gate.passes(hasPriority: hasPriority) { batch.add(packet) }
    score?(seconds, packet)
  }

  /// Whether packets get through as far as can be known. [any]
  var isWell: Bool { target?.isWell ?? true }

  /// Packets that did not get through. [any]
  var failed: UInt64 { target?.failed ?? 0 }

  /// How the destination stands, as a sentence. [any]
  var state: String {
    guard let target else { return "not sending" }
    return gate.passes(hasPriority: hasPriority) ? target.state : "held: another machine sends"
  }

  /// A line for the screen and the log, where `name` is what it calls the destination. [any]
  func report(id: String, name: String, sent: UInt64, held: UInt64, sample: String) -> NodeReport {
    NodeReport(
      id: id, target: name, state: state, isWell: isWell, sent: sent, held: held, failed: failed,
      sample: sample)
  }
}

/// The packets of one universe, whatever the protocol. [one]
protocol UniverseStream: AnyObject {
  /// The slots, as they go out next.
  var slots: UnsafeMutableBufferPointer<UInt8> { get }
  /// The next packet, valid until the one after it.
  func next() -> UnsafeRawBufferPointer
  /// The next of the packets that end the universe; nil where the protocol has none.
  func nextTermination() -> UnsafeRawBufferPointer?
  /// For each slot the priority of its level, as it goes out next; nil where none is sent.
  var priorities: UnsafeMutableBufferPointer<UInt8>? { get }
  /// The next packet of these.
  func nextPriorities() -> UnsafeRawBufferPointer?
}

extension UniverseStream {
  func nextTermination() -> UnsafeRawBufferPointer? { nil }
  var priorities: UnsafeMutableBufferPointer<UInt8>? { nil }
  func nextPriorities() -> UnsafeRawBufferPointer? { nil }
}

/// One of the places that an output sends to.
struct PacketDestination {
  /// What people call it.
  let name: String
  /// Where packets leave: one for each universe, or for each part of the LEDs.
  let outlets: [PacketOutlet]
  /// What there is to say of it, where that is more than what its outlets say: lines whose counts and names are filled in
  /// as far as they are its own. [any]
  var lines: (@Sendable (_ line: NodeReport) -> [NodeReport])?

  /// True once, when a receiver was found. Each outlet is asked, as each says so once.
  func becameReady() -> Bool { outlets.reduce(false) { $1.becameReady() || $0 } }

  /// Lines for the screen and the log. [any]
  func report(id: String, sent: UInt64, held: UInt64, sample: String) -> [NodeReport] {
    let worst = outlets.first { !$0.isWell } ?? outlets.first
    let line = NodeReport(
      id: id, target: name, state: worst?.state ?? "not sending", isWell: worst?.isWell ?? true, sent: sent,
      held: held,
      // Universes share a target where it is one host.
      failed: Dictionary(outlets.map { ($0.state, $0.failed) }, uniquingKeysWith: max).values.reduce(0, +),
      sample: sample)
    return lines?(line) ?? [line]
  }
}

extension NodeContext {
  /// Where packets to an endpoint leave. On the network all that send there share one target, and it stays from plan to
  /// plan: no change of a setting makes a socket, asks for an address again or loses packets meanwhile. [control]
  func outlet(to endpoint: Endpoint, interface: String? = nil, hops: Int? = nil) -> PacketOutlet {
    if case .score(let write) = configuration.packets { return PacketOutlet(nil, write) }
    return datagrams(to: endpoint, interface: interface, hops: hops)
  }

  /// The same for packets that are no OSC and have no place in a score; `interface` is where multicasts leave, `hops` how far
  /// they go. Where it `isBatched` packets may leave together with those of other outputs that the frame thread sends there;
  /// where it `hasPriority` a spare sends them all the time. [control]
  func datagrams(
    to endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, isBatched: Bool = false,
    hasPriority: Bool = false
  ) -> PacketOutlet {
    guard case .network = configuration.packets else { return nowhere }
    let way = (interface.map { " by \($0)" } ?? "") + (hops.map { " for \($0)" } ?? "")
    let target = share("target \(endpoint)\(way)") { Target(endpoint, interface: interface, hops: hops) }
    return PacketOutlet(
      target, nil, batch: isBatched ? share("batch \(endpoint)\(way)") { PacketBatch(target) } : nil,
      gate: configuration.gate, hasPriority: hasPriority)
  }

  /// Where packets leave by a way that is opened only where they do leave: live. [control]
  func outlet(_ open: () -> any PacketSink) -> PacketOutlet {
    guard case .network = configuration.packets else { return nowhere }
    return PacketOutlet(open(), nil, gate: configuration.gate)
  }

  /// Where nothing leaves. [control]
  var nowhere: PacketOutlet { PacketOutlet(nil, nil) }
}
