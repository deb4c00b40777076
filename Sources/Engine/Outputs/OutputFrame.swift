import Graphs
import Realtime
import Synchronization
import System

/// The moment at which an output sends. [frame]
public struct OutputMoment: Sendable {
  /// The time of schedules, in seconds; it goes on while the timeline stands still.
  public let schedule: Double
  /// Where the frame ends, in seconds of the timeline.
  public let end: Double
  /// How long frames are, in seconds; 0 where that is not known.
  public let frame: Double

  /// Makes a moment.
  public init(schedule: Double, end: Double, frame: Double) {
    (self.schedule, self.end, self.frame) = (schedule, end, frame)
  }
}

/// One destination of an output: its packets and its schedule. Used by one thread at a time. [frame]
public protocol OutputRoute: AnyObject {
  /// Whether packets lead anywhere; offline they may not.
  var isLive: Bool { get }
  /// What shines at the destination, whatever the schedule: as long as a later plan has the same, lights stay lit.
  var lights: AnyObject { get }
  /// True once, when the receiver was found: all that is current should be sent.
  func becameReady() -> Bool
  /// The values of a frame; the schedule decides what is due.
  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// Late frames: the largest values between, past the rate, then the newest.
  func offer(
    peaks: UnsafeBufferPointer<Float>, then values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// The newest values once more.
  func sendAgain(at moment: OutputMoment)
  /// These values past every limit: a blackout.
  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// The end, where `dark` is what goes out last; a second call does nothing.
  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// Waits until what was handed over has gone, for so many seconds at most.
  func flush(within seconds: Double)
  /// What it sends; always the same. [control]
  var sends: SentKind { get }
  /// Where packets of `offer` wait, with those of the outputs beside it; always the same. [control]
  var queues: [any WaitingPackets] { get }
  /// Lines for the screen and the log; `value` is the first of the values. [any]
  func report(id: String, value: Float) -> [NodeReport]
  /// The universes that it sends. [any]
  var universes: [UniverseGlance] { get }
}

extension OutputRoute {
  /// It has gone.
  public func flush(within seconds: Double) {}
  /// None: each packet goes at once.
  public var queues: [any WaitingPackets] { [] }
  /// None.
  public var universes: [UniverseGlance] { [] }
}

/// The events of an output. [frame]
public protocol OutputEvents {
  /// Whether a frame has any that would be sent.
  func isAny(in frame: Frame) -> Bool
  /// Sends those of a frame.
  func send(_ frame: Frame)
}

/// What every output does with its levels, whatever the protocol of its packets: the master, the blackout and the limit of
/// flashes, late frames, freewheel, the time before the first frame, and lights that pass from plan to plan. [frame]
public final class OutputFrame: FrameNode, @unchecked Sendable {
  private let id: String
  private let routes: [any OutputRoute]
  /// The numbers of its levels, in runs, and how many they are.
  private let inputs: [Range<Int>]
  private let count: Int
  private let type: PortType
  /// For each channel whether master and blackout bring it down: not where a lamp points.
  private let isDimmed: [Bool]
  /// Those that they do not.
  private let undimmed: [Int]
  /// What the others are before the first frame.
  private let homes: [Float]
  private let sendsInFreewheel: Bool
  /// Brings what goes out down, or holds it in the dark.
  private let dimmer: Dimmer
  /// Stands under that.
  private let master: Float
  /// The most flashes a second; nil: as many as come.
  private let flashes: Int?
  /// The levels of the end, and what of them goes out; empty: the dark.
  private let look: [Float]
  private let lastValues: UnsafeMutableBufferPointer<Float>
  private let state: OutputLevels
  /// Called before the first frame of a plan: routes that are kept from the plan before get their new settings.
  private let begin: () -> Void
  private var hasBegun = false
  /// Sends the events of a frame.
  private let events: (any OutputEvents)?

  /// Makes the frame part of an output whose levels arrive at its first input port. [control]
  /// - Parameters:
  ///   - master: a master of this output alone, 0…1.
  ///   - endScene: the scene whose look, where nothing plays, it ends with; nil: with the dark.
  ///   - sendsInFreewheel: whether it sends while the host runs faster than time.
  ///   - begin: gives the routes their settings, before the first frame of the plan. [frame]
  ///   - events: sends the events of a frame; not asked to in the dark. [frame]
  public init<Settings>(
    _ context: NodeContext<Settings>, routes: [any OutputRoute], master: Float, endScene: String? = nil,
    sendsInFreewheel: Bool, begin: @escaping () -> Void, events: (any OutputEvents)? = nil
  ) {
    id = context.id
    self.routes = routes
    let inputs = context.levelInputs[0]
    let type = context.inputs[0].type ?? .level
    (self.inputs, count, self.type) = (Self.runs(inputs), inputs.count, type)
    let lights = context.inputs[0].channels.map(\.light)
    let isDimmed = lights.map { $0?.isDimmed ?? true }
    self.isDimmed = isDimmed
    undimmed = isDimmed.indices.filter { !isDimmed[$0] }
    self.sendsInFreewheel = sendsInFreewheel
    dimmer = context.configuration.dimmer
    self.master = master
    self.begin = begin
    self.events = events
    flashes = context.flashes
    let look = endScene.map(context.look) ?? []
    self.look = look.count == inputs.count ? look : []
    lastValues = .allocate(capacity: self.look.count)
    lastValues.initialize(repeating: 0)
    state = context.keep(if: { $0.channels == inputs.count && $0.type == type }) {
      OutputLevels(channels: inputs.count, type: type)
    }
    homes = lights.map { $0?.home ?? 0 }
  }

  deinit { lastValues.deallocate() }

  private static func runs(_ numbers: [Int]) -> [Range<Int>] {
    numbers.reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<number + 1
      } else {
        runs.append(number..<number + 1)
      }
    }
  }

  /// Takes the levels of the frame and offers them to the routes; late frames keep their peaks for the next.
  public func run(_ frame: Frame) {
    state.take(frame, inputs)
    let dimming = takeValues(at: frame.end)
    if frame.isFreewheeling && !sendsInFreewheel { return }
    // Events are happenings, not levels: late ones are sent all the same. In the dark a rig would flash on them.
    if !dimming.isDark { sendEvents(of: frame) }
    if frame.waiting > 0 { return state.remember() }
    let moment = moment(end: frame.end)
    for route in routes where route.isLive {
      if route.becameReady() { route.sendAgain(at: moment) }
      if let peaks = state.standingOut(isDimmed) {
        route.offer(peaks: peaks, then: values, at: moment)
      } else {
        route.offer(values, at: moment)
      }
    }
    state.forget()
  }

  private func sendEvents(of frame: Frame) {
    // Most frames have none, and what sends them would be copied to be asked.
    guard !frame.events.all.isEmpty, let events, events.isAny(in: frame) else { return }
    if let flashes, !state.eventFlashes.mayPass(at: state.time, flashes: flashes) { return }
    events.send(frame)
  }

  /// Takes the newest levels as the dimmer stands now, which it gives; a blackout that begins is sent.
  @discardableResult
  private func takeValues(at end: Double) -> Dimming {
    beginOnce()
    // Asked once, so that the channels of a frame agree.
    let dimming = dimmer.now.under(master)
    if type == .level || type == .light {
      state.dim(dimming, but: undimmed)
      if let flashes { limit(to: flashes) }
    } else {
      for channel in 0..<count {
        let rest = state.rest[channel]
        state.values[channel] = dimming.value(of: state.levels[channel], type, rest: rest)
        state.dark[channel] = Dimming.dark(type, rest: rest)
      }
    }
    if dimming.isBlackout != state.isDark { setLights(dark: dimming.isBlackout, at: end) }
    if let value = values.first { state.first.store(value.bitPattern, ordering: .relaxed) }
    return dimming
  }

  private func beginOnce() {
    guard !hasBegun else { return }
    hasBegun = true
    // Of what the plan before has not dimmed its levels have stayed.
    for channel in 0..<count where isDimmed[channel] { state.dark[channel] = Dimming.dark(type, rest: 0) }
    if state.newest == nil {
      for channel in undimmed { state.dark[channel] = homes[channel] }
    }
    begin()
  }

  private func limit(to flashes: Int) {
    if state.flashes.isEmpty { state.flashes = Array(repeating: FlashLimit(), count: count) }
    for channel in 0..<count where isDimmed[channel] {
      state.values[channel] = state.flashes[channel].limited(
        state.values[channel], at: state.time, flashes: flashes)
    }
  }

  /// Where packets wait for those of the outputs beside it.
  public var queues: [any WaitingPackets] { routes.flatMap(\.queues) }

  /// The master or the blackout was moved: what goes out follows within the frame.
  public func dim(at now: UInt64) {
    guard let newest = state.newest else { return }
    // The schedule goes on within the frame, and never past its end.
    let passed = now > newest.time ? Double(now - newest.time) * 1e-9 : 0
    state.time = max(state.time, newest.end + min(passed, 0.99 * newest.seconds))
    takeValues(at: newest.end)
    if newest.isFreewheeling && !sendsInFreewheel { return }
    let moment = moment(end: newest.end)
    for route in routes where route.isLive { route.offer(values, at: moment) }
  }

  /// Keeps levels 0…1 dark before the first frame.
  public func rest(for seconds: Double) {
    guard type == .level || type == .light else { return }
    beginOnce()
    state.time = max(0, state.time) + seconds
    let moment = OutputMoment(schedule: state.time, end: 0, frame: seconds)
    // All are 0 before the first frame, whatever the graph before this one has left.
    for route in routes where route.isLive {
      if route.becameReady() { route.sendAgain(at: moment) }
      route.offer(darkValues, at: moment)
    }
  }

  /// A blackout is sent past every limit, also in late frames and while the host runs faster than time.
  private func setLights(dark: Bool, at end: Double) {
    state.isDark = dark
    guard dark else { return }
    state.forget()
    for route in routes where route.isLive {
      _ = route.becameReady()
      route.sendAll(darkValues, at: moment(end: end))
    }
  }

  private func moment(end: Double) -> OutputMoment {
    OutputMoment(schedule: state.time, end: end, frame: state.newest?.seconds ?? 0)
  }

  private var values: UnsafeBufferPointer<Float> { UnsafeBufferPointer(state.values) }
  private var darkValues: UnsafeBufferPointer<Float> { UnsafeBufferPointer(state.dark) }

  /// What goes out last: the dark, or the look of the scene of the end as far as master and blackout let it.
  private func endValues() -> UnsafeBufferPointer<Float> {
    let dimming = dimmer.now.under(master)
    guard !look.isEmpty, !dimming.isBlackout else { return darkValues }
    for (channel, level) in look.enumerated() {
      lastValues[channel] =
        isDimmed[channel] ? dimming.value(of: level, type, rest: state.rest[channel]) : level
    }
    return UnsafeBufferPointer(lastValues)
  }

  /// Puts out the lights that no route of the next plan goes on with, or leaves them in the look of the end.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    let last = endValues()
    // Another schedule for the same lights takes them over as they are.
    for route in routes where route.isLive && !kept.contains(ObjectIdentifier(route.lights)) {
      route.finish(dark: last, at: OutputMoment(schedule: seconds, end: seconds, frame: 0))
    }
  }

  /// Waits until what each route has handed over has gone, for so many seconds at most.
  public func flush(within seconds: Double) {
    let deadline = Deadline.after(seconds: seconds)
    for route in routes where route.isLive { route.flush(within: deadline.seconds) }
  }

  /// What its routes send.
  public var sends: SentKind? { routes.first?.sends }

  /// The universes of all routes. [any]
  public var universes: [UniverseGlance] { routes.flatMap(\.universes) }

  /// What each route reports of itself. [any]
  public var report: [NodeReport] {
    let value = Float(bitPattern: state.first.load(ordering: .relaxed))
    return routes.flatMap { $0.report(id: id, value: value) }
  }
}
