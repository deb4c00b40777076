import DMX
import Engine
import Glibc
import Graphs
import Synchronization
import System

/// Sends pixels to the destinations of an output. The scene thread sends them. The frame thread sends a blackout and
/// the end of the show, so that these wait for no picture.
final class PixelRoute: @unchecked Sendable {
  /// How long a blackout and the end wait for a frame that is being sent, in seconds.
  static let timeout = 0.05

  /// Identifies the route: a plan that requests the same key keeps it.
  let key: String
  /// Identifies the lights of each universe, or of the device: they stay on while plans request them.
  private let lights: [UniverseRoute.KeptLights]
  /// The bytes of all routes of the device, this one included; nil: LEDs are sent as universes.
  private let counts: PixelCounts?
  private let dimmer: Dimmer
  private let delivery: PixelDelivery
  private let packets: any PixelPackets
  /// Packets of dark LEDs, for the case that the scene thread does not release the lock.
  private let lastPackets: any PixelPackets
  private let dark: UnsafeRawBufferPointer
  private let order = Locked<PixelOrder?>(nil)
  private let state: Locked<State>
  /// Whether a blackout has been sent, and nothing since.
  private let isDark = Atomic<Bool>(false)
  private let isFinished = Atomic<Bool>(false)
  /// Whether the frame that is being sent stops after its present packet. The next frame clears it.
  private let isCut = Atomic<Bool>(false)
  /// Since when the scene thread has kept the lock from a blackout, in seconds of the monotonic clock. [frame]
  private var refusedSince: Double?
  /// Whether dark LEDs were sent without the lock. [frame]
  private var isForced = false
  private let sent = Atomic<UInt64>(0)
  private let held = Atomic<UInt64>(0)

  /// The state of the sending thread.
  private struct State {
    /// The bytes sent last.
    let sentBytes: UnsafeMutableRawBufferPointer
    /// The bytes of the next frame.
    let bytes: UnsafeMutableRawBufferPointer
    /// The schedule of each part.
    var schedules: [UniverseSchedule]
    /// When packets were sent last; all packets of a frame have one time.
    var last = -Double.infinity
    /// The number of the last frame.
    var number = Int64.min
    /// Seconds before the first frame.
    var rested = 0.0
  }

  /// Makes a route; `lights` has one object for each outlet of a destination.
  init(
    _ key: String, count: Int, dimmer: Dimmer, lights: [UniverseRoute.KeptLights],
    counts: PixelCounts? = nil, by delivery: PixelDelivery
  ) {
    (self.key, self.dimmer, self.lights, self.counts, self.delivery) = (key, dimmer, lights, counts, delivery)
    (packets, lastPackets) = (delivery.packets(), delivery.packets())
    func memory() -> UnsafeMutableRawBufferPointer {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      return memory
    }
    dark = UnsafeRawBufferPointer(memory())
    state = Locked(
      State(
        sentBytes: memory(), bytes: memory(), schedules: packets.parts.indices.map(UniverseSchedule.init)))
    counts?.note(count, of: ObjectIdentifier(self))
  }

  deinit {
    counts?.forget(ObjectIdentifier(self))
    state.withLock { state in
      state.sentBytes.deallocate()
      state.bytes.deallocate()
    }
    dark.deallocate()
  }

  /// Sets the sources of the pixels of the frame. [frame]
  func leave(_ order: PixelOrder) {
    self.order.withLock { $0 = order }
    // A blackout that was released is over, also if it never got the lock.
    if !dimmer.isBlackout { (refusedSince, isForced) = (nil, false) }
  }

  /// Sends the newest pixels if they are due. [scene]
  func show() {
    guard let order = order.withLock({ $0 }), let step = order.sources.step else { return }
    state.withLock { state in
      // Before the end and the blackout are read.
      clearCut(&state)
      guard !isOver, step.number != state.number else { return }
      state.number = step.number
      // Read under the lock, so that a blackout by the frame thread is not undone.
      if dimmer.isBlackout {
        // The rate does not limit a blackout.
        if !isDark.load(ordering: .relaxed) { return darken(&state, at: step.end) }
      } else {
        if step.isFreewheeling && !order.settings.sendsInFreewheel { return }
        order.sources.copy(to: state.bytes, master: order.settings.master)
        isDark.store(false, ordering: .relaxed)
      }
      let fps = 1 / step.seconds
      let interval = UniverseSchedule.interval(rate: order.settings.rate ?? fps, fps: fps)
      sendDue(&state, at: step.schedule, interval: interval, end: step.end)
    }
  }

  /// Makes all LEDs dark at once. If a frame is being sent, it does not wait for it: the dark follows with a later
  /// call, or with the scene thread's next frame. [frame]
  func goDark(at seconds: Double) {
    guard !isDark.load(ordering: .relaxed) else { return (refusedSince, isForced) = (nil, false) }
    let isDone: Void? = state.withLockIfAvailable { state in
      clearCut(&state)
      if !isOver { darken(&state, at: seconds) }
    }
    if isDone == nil { forceDark(at: seconds) } else { (refusedSince, isForced) = (nil, false) }
  }

  /// Sends the dark without the lock, once, if the scene thread has held it for `timeout`. The frame being sent then
  /// stops after its present packet. [frame]
  private func forceDark(at seconds: Double) {
    let now = MonotonicClock.seconds
    let since = refusedSince ?? now
    refusedSince = since
    guard !isForced, !isOver, now - since >= Self.timeout else { return }
    isForced = true
    isCut.store(true, ordering: .releasing)
    sendAll(packets.parts.indices, of: dark, by: lastPackets, at: seconds)
  }

  /// Keeps LEDs dark before the first frame, so that devices do not start effects of their own; `seconds` more have
  /// passed. [frame]
  func rest(for seconds: Double) {
    state.withLockIfAvailable { state in
      clearCut(&state)
      guard !isOver else { return }
      state.rested += seconds
      state.bytes.copyMemory(from: dark)
      sendDue(&state, at: state.rested, interval: seconds, end: 0)
    }
  }

  /// Ends the route with its plan; a second call does nothing. `kept` identifies the objects of the next plan: lights
  /// that it keeps stay as they are, except LEDs of a device that its route does not send. The call waits for the
  /// packet that is being sent, or for the whole frame where LEDs stay as they are. It waits at most `timeout`, because
  /// the scene thread may hang or have crashed. [frame]
  func finish(at seconds: Double, kept: Set<ObjectIdentifier> = []) {
    // A kept route goes on.
    guard !kept.contains(ObjectIdentifier(self)),
      !isFinished.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    let ended = packets.parts.indices.filter {
      !kept.contains(ObjectIdentifier(lights[packets.outlet(of: $0)]))
    }
    if ended.isEmpty { return darkenRest(at: seconds, kept: kept) }
    let isDarkAtEnd = order.withLockSoon { $0?.settings.isDarkAtEnd ?? true } ?? true
    isCut.store(isDarkAtEnd, ordering: .releasing)
    let isDone: Void? = state.withLock(within: Self.timeout) { _ in
      end(ended, by: packets, isDark: isDarkAtEnd, at: seconds)
    }
    // Without the lock only the dark can be sent.
    if isDone == nil, isDarkAtEnd { end(ended, by: lastPackets, isDark: true, at: seconds) }
  }

  /// Sends dark for the LEDs of a device that the route of the next plan does not send: a device keeps what no packet
  /// changes.
  private func darkenRest(at seconds: Double, kept: Set<ObjectIdentifier>) {
    guard let next = counts?.count(ofRouteIn: kept), next < dark.count else { return }
    isCut.store(true, ordering: .releasing)
    let isDone: Void? = state.withLock(within: Self.timeout) { state in
      // A blackout that came during a frame may not have had the lock.
      if dimmer.isBlackout { state.bytes.copyMemory(from: dark) }
      UnsafeMutableRawBufferPointer(rebasing: state.bytes[next...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: dark[next...]))
      // Repeated, because no later packet of these LEDs replaces one that was lost.
      for _ in 1...UniverseSchedule.repeats {
        sendAll(packets.parts.indices, of: UnsafeRawBufferPointer(state.bytes), by: packets, at: seconds)
      }
    }
    // Without the lock only dark LEDs can be sent; the next route lights its own again.
    if isDone == nil { end(packets.parts.indices, by: lastPackets, isDark: true, at: seconds) }
  }

  /// Lines for the screen and the log. [any]
  func report(id: String, sample: String) -> [NodeReport] {
    delivery.destinations.flatMap {
      $0.report(
        id: id, sent: sent.load(ordering: .relaxed), held: held.load(ordering: .relaxed), sample: sample)
    }
  }

  private var isOver: Bool { isFinished.load(ordering: .acquiring) }

  /// Ends a cut, which stops only the frame that was being sent when it was made. The cut of `finish` may be cleared,
  /// too: the exchange acquires it, so `isOver` is true afterwards.
  private func clearCut(_ state: inout State) {
    guard isCut.exchange(false, ordering: .acquiringAndReleasing) else { return }
    // The cut frame was noted as sent, and dark LEDs may have followed it.
    for part in state.schedules.indices { state.schedules[part].change() }
  }

  /// Sends the parts that are due, unless the rate forbids it.
  private func sendDue(_ state: inout State, at time: Double, interval: Double, end: Double) {
    let parts = packets.parts
    // Every destination is asked, because each reports it only once.
    let isNew = delivery.destinations.reduce(false) { $1.becameReady() || $0 }
    for (part, bytes) in parts.enumerated() where isNew || Self.differs(state, bytes) {
      state.schedules[part].change()
    }
    // All parts have one rate: parts that changed at different times would tear the picture.
    if time >= state.last, UniverseSchedule.isEarly(time - state.last, interval: interval) {
      for schedule in state.schedules where schedule.isHeld { held.add(1, ordering: .relaxed) }
      return
    }
    var hasSent = false
    for part in parts.indices
    where state.schedules[part].isDue(at: time, interval: 0, frame: interval)
      && !isCut.load(ordering: .acquiring)
    {
      send(part, of: UnsafeRawBufferPointer(state.bytes), by: packets, at: end)
      Self.note(state, parts[part])
      state.schedules[part].note(sentAt: time)
      hasSent = true
    }
    guard hasSent else { return }
    state.last = time
    delivery.synchronize?(end)
  }

  /// Whether the bytes of a part differ from those sent last.
  private static func differs(_ state: State, _ part: Range<Int>) -> Bool {
    guard !part.isEmpty, let new = state.bytes.baseAddress, let old = state.sentBytes.baseAddress else {
      return false
    }
    return memcmp(new + part.lowerBound, old + part.lowerBound, part.count) != 0
  }

  /// Notes the bytes of a part as those sent last.
  private static func note(_ state: State, _ part: Range<Int>) {
    UnsafeMutableRawBufferPointer(rebasing: state.sentBytes[part])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: state.bytes[part]))
  }

  private func send(
    _ part: Int, of bytes: UnsafeRawBufferPointer, by packets: any PixelPackets, at seconds: Double,
    isCutShort: Bool = true
  ) {
    packets.make(part, of: bytes, at: seconds) { packet in
      deliver(packet, of: part, at: seconds)
      return !isCutShort || !isCut.load(ordering: .acquiring)
    }
  }

  private func deliver(_ packet: UnsafeRawBufferPointer, of part: Int, at seconds: Double) {
    let outlet = packets.outlet(of: part)
    for destination in delivery.destinations { destination.outlets[outlet].deliver(packet, at: seconds) }
    sent.add(1, ordering: .relaxed)
  }

  /// Sends dark LEDs, and notes them as the bytes sent last.
  private func darken(_ state: inout State, at seconds: Double) {
    state.bytes.copyMemory(from: dark)
    state.sentBytes.copyMemory(from: dark)
    sendAll(packets.parts.indices, of: dark, by: packets, at: seconds)
    for part in state.schedules.indices { state.schedules[part].change() }
    isDark.store(true, ordering: .relaxed)
  }

  /// Sends parts whole, past every cut.
  private func sendAll(
    _ parts: some Collection<Int>, of bytes: UnsafeRawBufferPointer, by packets: any PixelPackets,
    at seconds: Double
  ) {
    for part in parts { send(part, of: bytes, by: packets, at: seconds, isCutShort: false) }
    delivery.synchronize?(seconds)
  }

  private func end(
    _ parts: some Collection<Int>, by packets: any PixelPackets, isDark: Bool, at seconds: Double
  ) {
    if isDark { sendAll(parts, of: dark, by: packets, at: seconds) }
    // Repeated, because no later packet replaces one that was lost.
    for number in 1...UniverseSchedule.repeats {
      var hasEnds = false
      for part in parts {
        guard let packet = packets.makeEnd(part) else { continue }
        deliver(packet, of: part, at: seconds)
        hasEnds = true
      }
      if isDark, !hasEnds, number > 1 { sendAll(parts, of: dark, by: packets, at: seconds) }
    }
  }
}
