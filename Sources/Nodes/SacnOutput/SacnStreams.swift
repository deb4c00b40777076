import DMX
import Engine
import Graphs
import OSC
import Synchronization
import System

/// The universes of an sacn-output, with their source, announcements and sockets. [control]
struct SacnStreams {
  /// The priority and options of packets, which change live. [any]
  final class Mark: Sendable {
    /// The priority in the low 8 bits, the options in the high 8 bits.
    private let bits = Atomic<UInt16>(100)

    /// The priority, 0…200.
    var priority: UInt8 { UInt8(truncatingIfNeeded: bits.load(ordering: .relaxed)) }
    var options: SacnPacket.Options {
      SacnPacket.Options(rawValue: UInt8(truncatingIfNeeded: bits.load(ordering: .relaxed) >> 8))
    }

    func take(_ settings: SacnOutput.Settings) {
      let options: SacnPacket.Options = settings.preview ? .preview : []
      bits.store(UInt16(settings.priority) | UInt16(options.rawValue) << 8, ordering: .relaxed)
    }
  }

  /// The packets of one universe. [one]
  final class Stream: UniverseStream {
    private let packet: SacnPacket
    private let mark: Mark
    private let priorityPacket: SacnPacket?

    /// `priorityPacket` has the priorities of slots; nil where they are not sent.
    init(_ packet: SacnPacket, _ mark: Mark, priorities priorityPacket: SacnPacket?) {
      (self.packet, self.mark, self.priorityPacket) = (packet, mark, priorityPacket)
    }

    var slots: UnsafeMutableBufferPointer<UInt8> { packet.slots }

    func next() -> UnsafeRawBufferPointer { packet.next(priority: mark.priority, options: mark.options) }

    func nextTermination() -> UnsafeRawBufferPointer? {
      packet.next(priority: mark.priority, options: mark.options.union(.terminated))
    }

    var priorities: UnsafeMutableBufferPointer<UInt8>? { priorityPacket?.slots }

    func nextPriorities() -> UnsafeRawBufferPointer? {
      priorityPacket?.next(priority: mark.priority, options: mark.options)
    }
  }

  /// Identifies the route, together with its universes.
  let key: String
  let mark: Mark
  let destinations: [PacketDestination]
  /// Makes the universes.
  let make: () -> [any UniverseStream]
  /// Makes receivers show the universes of a frame at one time; nil: they show each as it arrives. [one]
  let synchronize: ((_ seconds: Double) -> Void)?
  /// Announces the universes when that is due. [frame]
  let announce: (OutputMoment) -> Void

  /// Opens the destinations. Throws the fault of a host.
  init(_ context: NodeContext<SacnOutput.Settings>, _ universes: [Int]) throws {
    let settings = context.settings.all
    let numbers = universes.map { UInt16($0) }
    // The spare has another identity. The machine's own identity is not enough: a cloned system has the same.
    let role = context.configuration.gate.isSpare ? " spare" : ""
    let identity = "\(MachineIdentity.text) \(context.identity)\(role)"
    let source = context.share("sacn source \(settings.source)") {
      SacnSource(identity: identity, name: settings.source)
    }
    let targets = SacnDestinations(settings, numbers, source)
    destinations = try settings.to.map { try targets.makeDestination($0, context) }
    let mark = context.keep { Mark() }
    self.mark = mark
    let sync = settings.sync ?? 0
    let sendsSlotPriorities = settings.slotPriorities
    key = "sacn \(settings.to) \(settings.interface ?? "") \(sync) \(settings.source) \(sendsSlotPriorities)"
    make = {
      numbers.map { universe in
        let packet = SacnPacket(universe: universe, source: source, sync: UInt16(sync))
        // Packets of priorities are not synchronized, because they change no light.
        let priorityPacket =
          sendsSlotPriorities
          ? SacnPacket(universe: universe, source: source, startCode: SacnPacket.priorities) : nil
        return Stream(packet, mark, priorities: priorityPacket)
      }
    }
    synchronize = try targets.makeSynchronization(context)
    announce = try targets.makeAnnouncement(context)
  }
}

/// The destinations of the universes of an output.
private struct SacnDestinations {
  let settings: SacnOutput.Settings
  let universes: [UInt16]
  let source: SacnSource

  init(_ settings: SacnOutput.Settings, _ universes: [UInt16], _ source: SacnSource) {
    (self.settings, self.universes, self.source) = (settings, universes, source)
  }

  /// The endpoint of a universe for an entry of `to`.
  private func endpoint(_ text: String, _ universe: UInt16) throws -> Endpoint {
    switch text {
    case SacnOutput.multicast: try Endpoint(host: SacnSource.group(of: universe), port: SacnSource.port)
    case SacnOutput.multicastIPv6:
      try Endpoint(host: SacnSource.groupIPv6(of: universe), port: SacnSource.port)
    default: try UniverseFields.endpoint(text, port: SacnSource.port)
    }
  }

  /// Whether an entry of `to` stands for multicast groups.
  private func isGroup(_ text: String) -> Bool {
    [SacnOutput.multicast, SacnOutput.multicastIPv6].contains(text)
  }

  private func outlet(
    _ text: String, _ universe: UInt16, _ context: NodeContext<SacnOutput.Settings>
  ) throws -> PacketOutlet {
    context.datagrams(
      to: try endpoint(text, universe), interface: settings.interface, isBatched: true,
      hasPriority: true)
  }

  func makeDestination(
    _ text: String, _ context: NodeContext<SacnOutput.Settings>
  ) throws -> PacketDestination {
    let suffix = isGroup(text) ? settings.interface.map { " by \($0)" } ?? "" : ""
    return PacketDestination(
      name: text + suffix, outlets: try universes.map { try outlet(text, $0, context) })
  }

  /// Sends synchronization packets; nil where the settings ask for none.
  func makeSynchronization(
    _ context: NodeContext<SacnOutput.Settings>
  ) throws -> ((_ seconds: Double) -> Void)? {
    guard let sync = settings.sync.map({ UInt16($0) }) else { return nil }
    let outlets = try settings.to.map { try outlet($0, sync, context) }
    let packet = SacnSynchronization(of: sync, source: source)
    return { seconds in
      let bytes = packet.next()
      for outlet in outlets { outlet.deliver(bytes, at: seconds) }
    }
  }

  /// Announces the universes that are sent by multicast.
  func makeAnnouncement(_ context: NodeContext<SacnOutput.Settings>) throws -> (OutputMoment) -> Void {
    let announcements = try settings.to.filter(isGroup).map { group in
      let outlet = try outlet(group, SacnSource.discoveryUniverse, context)
      return context.share("sacn announcement \(group) \(settings.interface ?? "")") {
        SacnAnnouncement(source, outlet)
      }
    }
    return { [universes] moment in
      for announcement in announcements { announcement.announce(universes, at: moment) }
    }
  }
}

/// Announces the universes of a source every 10 s, for all outputs together (E1.31-2018, 4.3). [frame]
private final class SacnAnnouncement {
  /// Seconds between two announcements.
  private static let interval = 10.0
  private let source: SacnSource
  private let outlet: PacketOutlet
  /// When each universe was announced by its output last, on the clock of send schedules, in seconds.
  private var lastAnnounced: [UInt16: Double] = [:]
  /// When the next announcement is due, on the clock of send schedules.
  private var next = -Double.infinity

  init(_ source: SacnSource, _ outlet: PacketOutlet) { (self.source, self.outlet) = (source, outlet) }

  /// Notes that these universes are sent.
  func announce(_ universes: [UInt16], at moment: OutputMoment) {
    for universe in universes { lastAnnounced[universe] = moment.schedule }
    // The first announcement waits one frame, until all outputs have noted their universes.
    if next == -.infinity { next = moment.schedule + moment.frame }
    guard moment.schedule >= next else { return }
    next = max(next + Self.interval, moment.schedule)
    // Universes that are no longer sent are left out.
    lastAnnounced = lastAnnounced.filter { moment.schedule - $0.value < Self.interval / 2 }
    for packet in SacnExtended.discovery(lastAnnounced.keys.sorted(), source: source) {
      packet.withUnsafeBytes { outlet.deliver($0, at: moment.end) }
    }
  }
}
