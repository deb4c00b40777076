import CRealtime
import DMX
import Engine
import Graphs
import OSC
import Synchronization
import System

/// Writes levels to the slots of universes, and sends them to every destination of an output. [frame]
final class UniverseRoute: OutputRoute, @unchecked Sendable {
  /// Identifies the route: a plan that requests the same key keeps it.
  let key: String
  /// Settings that may change while it runs.
  struct Settings: Sendable {
    /// Maximum packets per second of a universe.
    var rate = 44.0
    /// Whether the lights go out at the end, rather than staying as they are.
    var isDarkAtEnd = true
  }

  /// Identifies the lights of each universe at its destinations, for any schedule.
  private let lights: [KeptLights]
  /// Set before the first frame of a plan.
  var settings = Settings()
  /// Makes receivers show the universes of a frame at one time. It is called after packets of the frame; nil: they
  /// show each as it arrives.
  var synchronize: ((_ seconds: Double) -> Void)?
  /// Sends packets that belong to no universe, after every frame.
  var announce: ((OutputMoment) -> Void)?
  private var places: UniversePlaces
  private var parts: (runs: [UniversePlaces.Run], rest: [UniversePlaces.Target])
  /// The name of the first universe in the protocol, where it differs from its number.
  private let firstName: String?
  private let fps: Double
  private let streams: [any UniverseStream]
  private let slots: [UnsafeMutableBufferPointer<UInt8>]
  private let destinations: [PacketDestination]
  /// The outlets of each universe, universe by universe.
  private let outlets: [PacketOutlet]
  /// The queues of its packets.
  private let batches: [PacketBatch]
  private var schedules: [UniverseSchedule]
  /// The schedules of priority packets; empty where none are sent.
  private var prioritySchedules: [UniverseSchedule]
  /// The priority that was written to the slots; nil: none, or for other slots.
  private var priority: UInt8?
  /// Called with changed universes, which go to the destinations as well.
  private let observer: UniverseObserver?
  let isLive: Bool
  private var isFinished = false
  /// A copy of the slots for viewers.
  private let glance: UniverseGlance
  private let sent = Atomic<UInt64>(0)
  private let held = Atomic<UInt64>(0)

  /// Identifies lights of a node at one destination: they stay on while plans request it.
  final class KeptLights: Sendable {}

  /// Makes a route; `streams` and `lights` have the universes of `places`.
  init(
    _ key: String, _ places: UniversePlaces, firstName: String?, fps: Double, streams: [any UniverseStream],
    to destinations: [PacketDestination],
    lights: [KeptLights], observer: UniverseObserver?, id: String
  ) {
    glance = UniverseGlance(
      id: id, zip(places.universes, streams).map { (number: $0, slots: $1.slots.count) })
    (self.observer, self.firstName) = (observer, firstName)
    (self.key, self.places, self.fps) = (key, places, fps)
    parts = places.parts
    self.streams = streams
    self.destinations = destinations
    outlets = streams.indices.flatMap { universe in destinations.map { $0.outlets[universe] } }
    isLive = observer != nil || destinations.contains { $0.outlets.contains(where: \.isLive) }
    var known: Set<ObjectIdentifier> = []
    batches = destinations.flatMap(\.outlets).compactMap(\.batch).filter {
      known.insert(ObjectIdentifier($0)).inserted
    }
    self.lights = lights
    slots = streams.map(\.slots)
    schedules = streams.indices.map(UniverseSchedule.init)
    let hasPriorities = streams.contains { $0.priorities != nil }
    prioritySchedules =
      hasPriorities ? streams.indices.map { UniverseSchedule(index: $0 + streams.count) } : []
  }

  /// Changes the slots of channels within the same universes; slots without a channel go to 0. Call it before the
  /// first frame of a plan.
  func take(_ new: UniversePlaces) {
    // Most plans change no slots, and during a fade there is a plan in every frame.
    guard new != places else { return }
    places = new
    parts = new.parts
    priority = nil
    var isDark = slots.map { [Bool](repeating: true, count: $0.count) }
    for target in new.targets {
      for index in 0..<target.width { isDark[target.universe][Int(target.slots[index])] = false }
    }
    for (universe, slots) in slots.enumerated() {
      for slot in slots.indices where isDark[universe][slot] && slots[slot] != 0 {
        slots[slot] = 0
        schedules[universe].change()
      }
    }
  }

  /// Sets the priority of each slot with a channel to `new`, and of the others to 0, where streams send priorities.
  /// Call it before the first frame of a plan, after `take`.
  func prioritize(_ new: UInt8) {
    guard new != priority else { return }
    priority = new
    for (universe, stream) in streams.enumerated() {
      guard let slots = stream.priorities else { continue }
      var newPriorities = [UInt8](repeating: 0, count: slots.count)
      for target in places.targets where target.universe == universe {
        for index in 0..<target.width { newPriorities[Int(target.slots[index])] = new }
      }
      guard !slots.elementsEqual(newPriorities) else { continue }
      _ = slots.update(fromContentsOf: newPriorities)
      prioritySchedules[universe].change()
    }
  }

  var universes: [UniverseGlance] { [glance] }

  func becameReady() -> Bool {
    // Every outlet is asked, because each reports it only once.
    outlets.reduce(false) { $1.becameReady() || $0 }
  }

  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    write(values)
    sendDue(at: moment)
  }

  func offer(
    peaks: UnsafeBufferPointer<Float>, then values: UnsafeBufferPointer<Float>, at moment: OutputMoment
  ) {
    sendAll(peaks, at: moment)
    // The newest values wait for the schedule: lamps would not show values that last less than one packet.
    write(values)
  }

  func sendAgain(at moment: OutputMoment) {
    for index in schedules.indices { schedules[index].change() }
    for index in prioritySchedules.indices { prioritySchedules[index].change() }
  }

  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment) {
    sendAll(values, of: streams.indices, at: moment)
  }

  private func sendAll(
    _ values: UnsafeBufferPointer<Float>, of indices: some Sequence<Int>, at moment: OutputMoment
  ) {
    write(values)
    for index in indices { send(index, at: moment) }
    afterFrame(hasSent: true, moment)
    sendQueued()
  }

  var queues: [any WaitingPackets] { batches }

  private func sendQueued() { for batch in batches { batch.send() } }

  private func afterFrame(hasSent: Bool, _ moment: OutputMoment) {
    if hasSent, let synchronize {
      // The packets have to arrive before the synchronization.
      sendQueued()
      synchronize(moment.end)
    }
    announce?(moment)
  }

  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment, kept: Set<ObjectIdentifier>) {
    // The route of the next plan goes on with the others.
    let ended = lights.indices.filter { !kept.contains(ObjectIdentifier(lights[$0])) }
    guard !isFinished, !ended.isEmpty else { return }
    isFinished = true
    if settings.isDarkAtEnd { sendAll(dark, of: ended, at: moment) }
    for _ in 0..<UniverseSchedule.repeats {
      for index in ended {
        if let packet = streams[index].nextTermination() {
          deliver(packet, of: index, at: moment)
        } else if settings.isDarkAtEnd {
          send(index, at: moment)
        }
      }
      sendQueued()  // The next packet of a universe overwrites this one.
    }
  }

  func flush(within seconds: Double) {
    let deadline = Deadline.after(seconds: seconds)
    for outlet in outlets { outlet.flush(within: deadline.seconds) }
  }
  var sends: SentKind { .light }

  func report(id: String, value: Float) -> [NodeReport] {
    let sample = "\(places.first)\(firstName.map { " (\($0))" } ?? "") \(SlotAddress.byte(of: value))"
    return destinations.flatMap {
      $0.report(
        id: id, sent: sent.load(ordering: .relaxed), held: held.load(ordering: .relaxed), sample: sample)
    }
  }

  /// Writes levels to their slots; slots of NaN stay as they are.
  private func write(_ values: UnsafeBufferPointer<Float>) {
    // A late frame of the plan before may have another number of channels.
    guard values.count == places.width else { return }
    if let levels = values.baseAddress {
      for run in parts.runs {
        guard let slots = slots[run.universe].baseAddress else { continue }
        let hasChanged = vg_fill_slots(slots + run.slot, levels + run.channel, run.count)
        if hasChanged != 0 { schedules[run.universe].change() }
      }
    }
    for target in parts.rest {
      guard let level = level(of: target, values) else { continue }
      let number = target.number(of: level)
      let slots = slots[target.universe]
      var hasChanged = false
      for index in 0..<target.width {
        let byte = UInt8(truncatingIfNeeded: number >> UInt32(8 * (target.width - 1 - index)))
        let slot = Int(target.slots[index])
        if slots[slot] != byte {
          slots[slot] = byte
          hasChanged = true
        }
      }
      if hasChanged { schedules[target.universe].change() }
    }
  }

  /// The level of a target from its channels; nil where all are NaN.
  private func level(of target: UniversePlaces.Target, _ values: UnsafeBufferPointer<Float>) -> Float? {
    var level: Float?
    for index in target.first..<(target.first + target.count) {
      let value = values[places.channels[index]]
      if value.isNaN { continue }
      if target.isHighest {
        level = max(level ?? value, value)
      } else if level == nil || value != target.home {
        level = value
      }
    }
    return level
  }

  private func sendDue(at moment: OutputMoment) {
    let interval = UniverseSchedule.interval(rate: settings.rate, fps: fps)
    var hasSent = false
    for index in schedules.indices {
      if schedules[index].isDue(at: moment.schedule, interval: interval, frame: moment.frame) {
        send(index, at: moment)
        hasSent = true
      } else if schedules[index].isHeld {
        held.add(1, ordering: .relaxed)
      }
    }
    // Levels are sent before priorities: receivers that know priorities wait for them once they have levels.
    if !prioritySchedules.isEmpty { sendDuePriorities(interval: interval, at: moment) }
    afterFrame(hasSent: hasSent, moment)
  }

  private func sendDuePriorities(interval: Double, at moment: OutputMoment) {
    for (index, stream) in streams.enumerated() where stream.priorities != nil {
      let isDue = prioritySchedules[index].isDue(
        at: moment.schedule, interval: interval, frame: moment.frame)
      guard isDue, let packet = stream.nextPriorities() else { continue }
      deliver(packet, of: index, at: moment)
      prioritySchedules[index].note(sentAt: moment.schedule)
    }
  }

  private func send(_ index: Int, at moment: OutputMoment) {
    if let observer, schedules[index].isHeld {
      observer(places.universes[index], UnsafeBufferPointer(slots[index]), moment.end)
    }
    glance.note(index, UnsafeBufferPointer(slots[index]))
    deliver(streams[index].next(), of: index, at: moment)
    schedules[index].note(sentAt: moment.schedule)
  }

  private func deliver(_ packet: UnsafeRawBufferPointer, of index: Int, at moment: OutputMoment) {
    let count = destinations.count
    for outlet in (index * count)..<((index + 1) * count) { outlets[outlet].leave(packet, at: moment.end) }
    sent.add(1, ordering: .relaxed)
  }
}
