import Graphs
import Realtime
import Synchronization
import System

/// The time at which an output sends. [frame]
public struct OutputMoment: Sendable {
  /// The clock of send schedules, in seconds; it goes on while the timeline stands still.
  public let schedule: Double
  /// The end of the frame, in seconds of the timeline.
  public let end: Double
  /// The length of a frame, in seconds; 0 where it is not known.
  public let frame: Double

  /// Makes a moment.
  public init(schedule: Double, end: Double, frame: Double) {
    (self.schedule, self.end, self.frame) = (schedule, end, frame)
  }
}

/// One destination of an output, with its packets and its schedule. Used by one thread at a time. [frame]
public protocol OutputRoute: AnyObject {
  /// Whether packets are sent at all; offline they may not be.
  var isLive: Bool { get }
  /// True once after the receiver was found: then all current values should be sent.
  func becameReady() -> Bool
  /// Offers the values of a frame; the schedule decides which are due.
  func offer(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// After late frames: offers their largest values, past the rate, then the newest ones.
  func offer(
    peaks: UnsafeBufferPointer<Float>, then values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// Offers the newest values again.
  func sendAgain(at moment: OutputMoment)
  /// Sends these values past every limit: a blackout.
  func sendAll(_ values: UnsafeBufferPointer<Float>, at moment: OutputMoment)
  /// Puts out the lights that the next plan does not keep, with the values `dark`. `kept` identifies the objects of the
  /// next plan; a kept light stays as it is, even with another schedule. A second call does nothing.
  func finish(dark: UnsafeBufferPointer<Float>, at moment: OutputMoment, kept: Set<ObjectIdentifier>)
  /// Waits until the packets have been handed over, for at most `seconds`.
  func flush(within seconds: Double)
  /// The kind of its packets; it never changes. [control]
  var sends: SentKind { get }
  /// The queues of its packets, which adjacent outputs share; they never change. [control]
  var queues: [any WaitingPackets] { get }
  /// Lines for the screen and the log; `value` is the first of the values. [any]
  func report(id: String, value: Float) -> [NodeReport]
  /// The universes that it sends. [any]
  var universes: [UniverseGlance] { get }
}

extension OutputRoute {
  /// Does nothing: nothing waits.
  public func flush(within seconds: Double) {}
  /// None: packets are sent at once.
  public var queues: [any WaitingPackets] { [] }
  /// None.
  public var universes: [UniverseGlance] { [] }
}

/// The events of an output. [frame]
public protocol OutputEvents {
  /// Whether a frame has events that would be sent.
  func hasEvents(in frame: Frame) -> Bool
  /// Sends the events of a frame.
  func send(_ frame: Frame)
}

/// The part that outputs of all protocols share: master, blackout, limit of flashes, late frames, freewheel, the time
/// before the first frame, and lights that stay on from plan to plan. [frame]
public final class OutputFrame: FrameNode, @unchecked Sendable {
  private let id: String
  private let routes: [any OutputRoute]
  /// The numbers of its levels, as ranges.
  private let inputs: [Range<Int>]
  private let count: Int
  private let type: PortType
  /// By channel: whether master and blackout dim it. Some light attributes, such as pan, are not dimmed.
  private let isDimmed: [Bool]
  /// The channels that master and blackout do not dim.
  private let undimmed: [Int]
  /// By channel: the value of a channel that is not dimmed, before the first frame.
  private let homes: [Float]
  private let sendsInFreewheel: Bool
  /// The master and the blackout of the show.
  private let dimmer: Dimmer
  /// The master of this output, 0…1; the show's master multiplies it.
  private let master: Float
  /// The maximum number of flashes per second; nil: no limit.
  private let flashes: Int?
  /// The levels in which the lights are left at the end of the show; empty: dark.
  private let look: [Float]
  private let lastValues: UnsafeMutableBufferPointer<Float>
  private let state: OutputLevels
  /// Called before the first frame of a plan; routes kept from the plan before get their new settings here.
  private let begin: () -> Void
  private var hasBegun = false
  /// Sends the events of a frame.
  private let events: (any OutputEvents)?

  /// Makes the frame part of an output whose levels arrive at its first input port. [control]
  /// - Parameters:
  ///   - master: the master of this output, 0…1.
  ///   - endScene: the scene whose levels in silence are left at the end; nil: dark.
  ///   - sendsInFreewheel: whether it sends while the host runs faster than real time.
  ///   - begin: gives the routes their settings, before the first frame of the plan. [frame]
  ///   - events: sends the events of a frame; not called in the dark. [frame]
  public init<Settings>(
    _ context: NodeContext<Settings>, routes: [any OutputRoute], master: Float, endScene: String? = nil,
    sendsInFreewheel: Bool, begin: @escaping () -> Void, events: (any OutputEvents)? = nil
  ) {
    id = context.id
    self.routes = routes
    let inputs = context.levelInputs[0]
    let type = context.inputs[0].type ?? .level
    (self.inputs, count, self.type) = (Self.ranges(of: inputs), inputs.count, type)
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

  private static func ranges(of numbers: [Int]) -> [Range<Int>] {
    numbers.reduce(into: []) { ranges, number in
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
  }

  /// Takes the levels of the frame and offers them to the routes. Late frames only keep their peaks for the next
  /// frame.
  public func run(_ frame: Frame) {
    state.take(frame, inputs)
    let dimming = takeValues(at: frame.end)
    if frame.isFreewheeling && !sendsInFreewheel { return }
    // Events of late frames are sent, too. In a blackout they are not, because a receiver may flash on them.
    if !dimming.isDark { sendEvents(of: frame) }
    if frame.waiting > 0 { return state.remember() }
    let moment = moment(end: frame.end)
    for route in routes where route.isLive {
      if route.becameReady() { route.sendAgain(at: moment) }
      if let peaks = state.peaksAboveValues(isDimmed) {
        route.offer(peaks: peaks, then: values, at: moment)
      } else {
        route.offer(values, at: moment)
      }
    }
    state.forget()
  }

  private func sendEvents(of frame: Frame) {
    // Most frames have no events; the check avoids copying the existential.
    guard !frame.events.all.isEmpty, let events, events.hasEvents(in: frame) else { return }
    if let flashes, !state.eventFlashes.mayPass(at: state.time, flashes: flashes) { return }
    events.send(frame)
  }

  /// Computes the values from the newest levels and the dimmer. Sends a blackout that begins. Returns the dimming.
  @discardableResult
  private func takeValues(at end: Double) -> Dimming {
    beginOnce()
    // Read once, so that all channels of a frame agree.
    let dimming = dimmer.now.under(master)
    if type == .level || type == .light {
      state.dim(dimming, except: undimmed)
      if let flashes { limit(to: flashes) }
    } else {
      for channel in 0..<count {
        let rest = state.rest[channel]
        state.values[channel] = dimming.value(of: state.levels[channel], type, rest: rest)
        state.dark[channel] = Dimming.dark(type, rest: rest)
      }
    }
    if dimming.isBlackout != state.isDark { setLights(dark: dimming.isBlackout, at: end) }
    if let value = values.first { state.exampleBits.store(value.bitPattern, ordering: .relaxed) }
    return dimming
  }

  private func beginOnce() {
    guard !hasBegun else { return }
    hasBegun = true
    // The plan before may have left levels here where its channels were not dimmed.
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

  /// The queues of its packets, which adjacent outputs share.
  public var queues: [any WaitingPackets] { routes.flatMap(\.queues) }

  /// Sends the values of the newest frame again, because the master or the blackout has moved within the frame.
  public func dim(at now: UInt64) {
    guard let newest = state.newest else { return }
    // The schedule goes on within the frame, but not past its end.
    let passed = now > newest.endedAt ? Double(now - newest.endedAt) * 1e-9 : 0
    state.time = max(state.time, newest.timelineEnd + min(passed, 0.99 * newest.seconds))
    takeValues(at: newest.timelineEnd)
    if newest.isFreewheeling && !sendsInFreewheel { return }
    let moment = moment(end: newest.timelineEnd)
    for route in routes where route.isLive { route.offer(values, at: moment) }
  }

  /// Sends dark values before the first frame; for levels 0…1 alone.
  public func rest(for seconds: Double) {
    guard type == .level || type == .light else { return }
    beginOnce()
    state.time = max(0, state.time) + seconds
    let moment = OutputMoment(schedule: state.time, end: 0, frame: seconds)
    // All values are 0 before the first frame, even if the graph before has left others.
    for route in routes where route.isLive {
      if route.becameReady() { route.sendAgain(at: moment) }
      route.offer(darkValues, at: moment)
    }
  }

  /// Sends a blackout past every limit, also in late frames and in freewheel.
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

  /// The last values of a show: dark, or the look of the end scene under master and blackout.
  private func endValues() -> UnsafeBufferPointer<Float> {
    let dimming = dimmer.now.under(master)
    guard !look.isEmpty, !dimming.isBlackout else { return darkValues }
    for (channel, level) in look.enumerated() {
      lastValues[channel] =
        isDimmed[channel] ? dimming.value(of: level, type, rest: state.rest[channel]) : level
    }
    return UnsafeBufferPointer(lastValues)
  }

  /// Puts out the lights that the next plan does not keep, or leaves them in the look of the end scene.
  public func end(at seconds: Double, kept: Set<ObjectIdentifier>) {
    let last = endValues()
    let moment = OutputMoment(schedule: seconds, end: seconds, frame: 0)
    for route in routes where route.isLive { route.finish(dark: last, at: moment, kept: kept) }
  }

  /// Waits until the packets of each route have been handed over, for at most `seconds` in all.
  public func flush(within seconds: Double) {
    let deadline = Deadline.after(seconds: seconds)
    for route in routes where route.isLive { route.flush(within: deadline.seconds) }
  }

  /// The kind of packets of its routes.
  public var sends: SentKind? { routes.first?.sends }

  /// The universes of all routes. [any]
  public var universes: [UniverseGlance] { routes.flatMap(\.universes) }

  /// The reports of all routes. [any]
  public var report: [NodeReport] {
    let value = Float(bitPattern: state.exampleBits.load(ordering: .relaxed))
    return routes.flatMap { $0.report(id: id, value: value) }
  }
}
