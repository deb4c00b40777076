import DMX
import Engine
import Glibc
import Graphs
import Synchronization
import System

/// The packets of pixels by one protocol. One thread uses them at a time.
protocol PixelPackets: AnyObject {
  /// Makes the packets of a frame, each valid until the next.
  func make(of bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void)
}

/// Pixels on their way to the destinations of an output. The scene thread sends them; a blackout and the end of the show are
/// sent by the frame thread, which waits for no picture.
final class PixelRoute: @unchecked Sendable {
  /// One destination.
  struct Destination {
    /// What people call it.
    let name: String
    let outlet: PacketOutlet
  }

  /// What may change while it runs.
  struct Settings: Sendable {
    /// Frames a second, at most; nil: every one.
    var rate: Double?
    var isDarkAtEnd = true
    var sendsInFreewheel = false
    /// Scales what goes out, 0…1.
    var master: Float = 1
  }

  /// What the frame thread has left for the scene thread: where pixels come from, and how they are sent.
  struct Order {
    let settings: Settings
    let sources: PixelSources
  }

  /// What it was made for: a plan that asks for the same keeps it.
  fileprivate let key: String
  /// As long as a plan asks for them, its output goes on lighting them.
  let lights: AnyObject
  private let dimmer: Dimmer
  private let destinations: [Destination]
  private let packets: any PixelPackets
  private let order = Locked<Order?>(nil)
  private let state: Locked<State>
  /// Whether a blackout has gone out, and nothing since: the bytes of the next frame are then 0.
  private let isDark = Atomic<Bool>(false)
  private let sent = Atomic<UInt64>(0)
  private let held = Atomic<UInt64>(0)

  /// What the thread that sends holds for itself.
  private struct State {
    /// The bytes that went out last, and those of the next frame.
    let sentBytes: UnsafeMutableRawBufferPointer
    let bytes: UnsafeMutableRawBufferPointer
    var schedule = UniverseSchedule(index: 0)
    var number = Int64.min
    /// Seconds before the first frame.
    var rested = 0.0
    var isFinished = false
  }

  fileprivate init(
    _ key: String, count: Int, dimmer: Dimmer, to destinations: [Destination], lights: AnyObject,
    packets: any PixelPackets
  ) {
    (self.key, self.dimmer, self.destinations) = (key, dimmer, destinations)
    (self.lights, self.packets) = (lights, packets)
    func memory() -> UnsafeMutableRawBufferPointer {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      return memory
    }
    state = Locked(State(sentBytes: memory(), bytes: memory()))
  }

  deinit {
    state.withLock { state in
      state.sentBytes.deallocate()
      state.bytes.deallocate()
    }
  }

  /// Says where the pixels of the frame come from. [frame]
  func leave(_ order: Order) { self.order.withLock { $0 = order } }

  /// Sends the newest pixels where it is time for them. [scene]
  func show() {
    guard let order = order.withLock({ $0 }), let step = order.sources.step else { return }
    state.withLock { state in
      guard !state.isFinished, step.number != state.number else { return }
      state.number = step.number
      // Asked under the lock: what the frame thread has made dark stays so.
      if dimmer.isBlackout {
        // Past the rate.
        if !isDark.load(ordering: .relaxed) { return darken(&state, at: step.end) }
      } else {
        if step.isFreewheeling && !order.settings.sendsInFreewheel { return }
        order.sources.copy(to: state.bytes, master: order.settings.master)
        isDark.store(false, ordering: .relaxed)
      }
      sendIfDue(&state, at: step, rate: order.settings.rate)
    }
  }

  private func sendIfDue(_ state: inout State, at step: PixelsStep, rate: Double?) {
    let hasChanged = memcmp(state.bytes.baseAddress!, state.sentBytes.baseAddress!, state.bytes.count) != 0
    if becameReady() || hasChanged { state.schedule.change() }
    let fps = 1 / step.seconds
    let interval = UniverseSchedule.interval(rate: rate ?? fps, fps: fps)
    guard state.schedule.isDue(at: step.schedule, interval: interval, frame: step.seconds) else {
      if state.schedule.isHeld { held.add(1, ordering: .relaxed) }
      return
    }
    send(state, at: step.end)
    state.schedule.note(sentAt: step.schedule)
  }

  /// Each is asked, as each says so once.
  private func becameReady() -> Bool {
    destinations.reduce(false) { $1.outlet.becameReady() || $0 }
  }

  private func send(_ state: State, at seconds: Double) {
    state.sentBytes.copyMemory(from: UnsafeRawBufferPointer(state.bytes))
    packets.make(of: UnsafeRawBufferPointer(state.bytes)) { packet in
      for destination in destinations { destination.outlet.deliver(packet, at: seconds) }
      sent.add(1, ordering: .relaxed)
    }
  }

  private func darken(_ state: inout State, at seconds: Double) {
    state.bytes.initializeMemory(as: UInt8.self, repeating: 0)
    send(state, at: seconds)
    state.schedule.change()
    isDark.store(true, ordering: .relaxed)
  }

  /// All LEDs go dark at once, where they are not; pixels that are on their way just now are not waited for, and dark
  /// themselves. [frame]
  func goDark(at seconds: Double) {
    guard !isDark.load(ordering: .relaxed) else { return }
    state.withLockIfAvailable { if !$0.isFinished { darken(&$0, at: seconds) } }
  }

  /// No frame has come yet, and so many seconds have passed: LEDs are kept dark, so that devices do not go on by
  /// themselves. [frame]
  func rest(for seconds: Double) {
    state.withLockIfAvailable { state in
      guard !state.isFinished else { return }
      state.rested += seconds
      if becameReady() { state.schedule.change() }
      guard state.schedule.isDue(at: state.rested, interval: seconds, frame: seconds) else { return }
      state.bytes.initializeMemory(as: UInt8.self, repeating: 0)
      send(state, at: 0)
      state.schedule.note(sentAt: state.rested)
    }
  }

  /// The end; a second call does nothing. [frame]
  func finish(at seconds: Double) {
    let isDarkAtEnd = order.withLock { $0?.settings.isDarkAtEnd ?? true }
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      // More than once: nothing follows that would mend a packet that was lost.
      if isDarkAtEnd { for _ in 0..<UniverseSchedule.repeats { darken(&state, at: seconds) } }
    }
  }

  /// Lines for the screen and the log. [any]
  func report(id: String, sample: String) -> [NodeReport] {
    destinations.map {
      $0.outlet.report(
        id: id, name: $0.name, sent: sent.load(ordering: .relaxed), held: held.load(ordering: .relaxed),
        sample: sample)
    }
  }
}

/// Where the pixels of an output come from. Known once the plan is made. [scene]
final class PixelSources: @unchecked Sendable {
  /// Kept by its plan: what is kept from plan to plan must not keep that.
  private weak let pictures: PlanPictures?
  private let input: CheckedInput

  init(_ pictures: PlanPictures, _ input: CheckedInput) { (self.pictures, self.input) = (pictures, input) }

  private var scenes: [PixelsScene] {
    (pictures?.nodes(atEachOf: input) ?? []).compactMap { $0 as? PixelsScene }
  }

  /// The newest frame that they show; nil before the first.
  var step: PixelsStep? { scenes.compactMap(\.shown).max { $0.number < $1.number } }

  /// Lays the pixels of all one after another, their light multiplied by a master.
  func copy(to bytes: UnsafeMutableRawBufferPointer, master: Float) {
    var place = 0
    for scene in scenes {
      let count = min(scene.bytes.count, bytes.count - place)
      guard count > 0 else { break }
      UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: scene.bytes[..<count]))
      place += count
    }
    guard master < 1 else { return }
    let values = (0..<256).map { UInt8((Float($0) * max(0, master)).rounded()) }
    for index in 0..<place { bytes[index] = values[Int(bytes[index])] }
  }
}

extension NodeContext {
  /// The route of pixels of a node, kept from plan to plan as long as it is asked for by the same `key`. [control]
  func pixelRoute(
    _ key: String, to destinations: [PixelRoute.Destination], _ packets: () -> any PixelPackets
  ) -> PixelRoute {
    let count = inputs[0].channels.compactMap(\.pixels).reduce(0) { $0 + $1.count * $1.bytes }
    let key = "\(key) \(count)"
    let lights = share("lights of \(id) \(key)") { UniverseRoute.Lights() }
    return keep(if: { (route: PixelRoute) in route.key == key }) {
      PixelRoute(
        key, count: count, dimmer: configuration.dimmer, to: destinations, lights: lights,
        packets: packets())
    }
  }
}
