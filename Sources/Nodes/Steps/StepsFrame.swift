import Engine
import Graphs
import System

#if canImport(Glibc)
  import Glibc
#endif

/// The state of a chase or a wave; kept from plan to plan. [frame]
final class StepsState {
  var clock = StepClock()
  var lamps: [StepLamp]
  var stalls = StallClock()
  /// The sample at which its time starts; nil before the first frame.
  var origin: Int64?
  /// The end of the last frame, in seconds.
  var end = 0.0
  /// The step whose channels were lit last.
  var litStep: Int?

  init(channels: Int) { lamps = Array(repeating: StepLamp(), count: channels) }
}

/// Runs a chase or a wave. [frame]
final class StepsFrame: FrameNode {
  /// A sample of the timeline at which events begin a step.
  private struct Moment {
    let sample: Int64
    var resets: Bool
    /// Whether it also advances a step.
    var steps: Bool
  }

  private let state: StepsState
  private let settings: Steps.Settings
  /// The seed of random orders, mixed with a number for each use.
  private let random: UInt64
  /// Whether events begin the steps; otherwise `rate` does.
  private let isLedByEvents: Bool
  private let next: EventPlaces
  private let reset: EventPlaces
  private let outputs: [Int]
  private let events: Int
  /// By channel: its offset in rounds.
  private let offsets: [Double]
  /// By channel: the step that lights it.
  private let stepOfChannel: [Int]
  /// By channel: its level in a fan, 0…1.
  private let fan: [Double]
  /// The steps of a round in one direction.
  private let steps: Int
  /// The number of steps until everything repeats.
  private let roundLength: Int

  init(_ context: NodeContext<Steps.Settings>, _ state: StepsState) {
    let settings = context.settings.all
    self.settings = settings
    self.state = state
    let random = UInt64(settings.seed) << 32
    self.random = random
    isLedByEvents = context.inputs[0].type != nil
    (next, reset) = (context.eventPlaces[0], context.eventPlaces[1])
    let outputs = context.levelOutputs[0]
    self.outputs = outputs
    events = context.eventOutputs[1]
    let mirrored = outputs.indices.map { settings.mirror ? min($0, outputs.count - 1 - $0) : $0 }
    steps = settings.stepCount(over: outputs.count)
    roundLength = settings.roundLength(over: outputs.count)
    let ownCount = settings.ownChannels(of: outputs.count)
    let steps = Double(steps)
    stepOfChannel = mirrored.map { channel in
      // The tolerance keeps a product that should be a whole number from being rounded down.
      let position = settings.spread * Double(channel) / Double(ownCount) * steps + 1e-9
      return Int(position.truncatingRemainder(dividingBy: steps))
    }
    let isRandom = settings.order == .random
    offsets = mirrored.map { channel in
      settings.spread
        * (isRandom ? Self.chance(random, channel) : Double(channel) / Double(ownCount))
    }
    fan = mirrored.map { channel in
      let position =
        isRandom ? Self.chance(random, channel) : ownCount > 1 ? Double(channel) / Double(ownCount - 1) : 0.5
      return max(
        0, min(1, 0.5 + (settings.order == .backward ? 0.5 - position : position - 0.5) * settings.spread))
    }
  }

  func run(_ frame: Frame) {
    let stalls = state.stalls.advance(frame)
    let origin = state.origin ?? frame.header.endSample - Int64(frame.header.samples)
    state.origin = origin
    func time(_ sample: Int64) -> Double { Double(sample - origin) / Double(frame.rate) + stalls }
    func sample(_ time: Double) -> Int64 { origin + Int64(((time - stalls) * Double(frame.rate)).rounded()) }

    if !isLedByEvents { state.clock.go(on: length, from: state.end) }
    for moment in moments(frame) {
      let time = max(time(moment.sample), state.clock.began)
      run(until: time - 2 * Frame.tolerance) { reportRound(at: sample($0), frame) }
      begin(at: time, resets: moment.resets, steps: moment.steps)
      reportRound(at: moment.sample, frame)
    }
    let end = time(frame.header.endSample)
    run(until: end) { reportRound(at: sample($0), frame) }
    settle(until: end)
    state.end = end
    for (channel, output) in outputs.enumerated() {
      frame.levels[output] = Float(settings.level * level(channel, at: end))
    }
  }

  /// The samples at which events begin a step, in order; events at one sample are merged.
  private func moments(_ frame: Frame) -> [Moment] {
    var moments: [Moment] = []
    for event in frame.events.all {
      let steps = !next.channels(of: event).isEmpty
      let resets = !reset.channels(of: event).isEmpty || steps && event.name == settings.resetBy
      guard steps || resets else { continue }
      if let match = moments.firstIndex(where: { $0.sample == event.sample }) {
        moments[match].resets = moments[match].resets || resets
        moments[match].steps = moments[match].steps || steps
      } else {
        moments.append(Moment(sample: event.sample, resets: resets, steps: steps))
      }
    }
    return moments.sorted { $0.sample < $1.sample }
  }

  /// The length of a step where no events are wired, in seconds; nil: endless.
  private var length: Double? { settings.rate > 0 ? 1 / settings.rate : nil }

  /// Begins the steps that are due until a time, and calls `body` for each.
  private func run(until time: Double, body: (Double) -> Void) {
    guard !isLedByEvents else { return }
    if state.clock.count == 0 {
      begin(at: 0, resets: false, steps: true)
      body(0)
    }
    while let next = state.clock.end, next <= time + Frame.tolerance {
      begin(at: next, resets: false, steps: true)
      body(next)
    }
  }

  /// Begins a step, and lights its channels.
  private func begin(at time: Double, resets: Bool, steps: Bool) {
    settle(until: time)
    let clock = state.clock
    var length = isLedByEvents ? clock.length : length
    // The length is measured between two steps by events; a reset or a pause says nothing about their rate.
    let gap = time - clock.began
    if isLedByEvents, steps, clock.count > 0, gap > 0, gap <= settings.hold ?? .infinity { length = gap }
    state.clock.begin(at: time, of: roundLength, resets: resets, length: length)
    endStep(at: time)
    guard settings.shape == .step else { return }
    let step = litStep(at: state.clock.index)
    state.litStep = step
    for channel in stepOfChannel.indices where stepOfChannel[channel] == step {
      state.lamps[channel].light(by: state.clock.count, at: time, in: fadeLength(settings.rise))
    }
  }

  /// Reports the beginning of a round, if the step is the first.
  private func reportRound(at sample: Int64, _ frame: Frame) {
    guard state.clock.index == 0 else { return }
    frame.events.report(Event(output: events, name: "round", channel: 0, sample: sample))
  }

  /// Fades out the channels whose time within the present step is over.
  private func settle(until time: Double) {
    let clock = state.clock
    for channel in state.lamps.indices where state.lamps[channel].isLit {
      let steps = settings.width - Double(clock.count - state.lamps[channel].step)
      // A channel that lasts whole steps ends with the step, in `endStep`, for steps of any length.
      var end = Double.infinity
      if steps < 1, let length = clock.length { end = clock.began + max(0, steps) * length }
      if steps <= 0 { end = clock.began }
      if let darkAfter, clock.began + darkAfter < end { end = clock.began + darkAfter }
      if end <= time + Frame.tolerance {
        state.lamps[channel].darken(at: min(end, time), in: fadeLength(settings.fall))
      }
    }
  }

  /// Fades out the channels that lasted until the end of the step before.
  private func endStep(at time: Double) {
    for channel in state.lamps.indices
    where settings.width <= Double(state.clock.count - state.lamps[channel].step) {
      state.lamps[channel].darken(at: time, in: fadeLength(settings.fall))
    }
  }

  /// Seconds after the last event at which all is dark; nil: never.
  private var darkAfter: Double? { isLedByEvents ? settings.hold : nil }

  /// The length of a fade, in seconds.
  private func fadeLength(_ seconds: Double) -> Double {
    max(seconds, settings.fade * (state.clock.length ?? 0))
  }

  /// The step to be lit at an index of the round.
  private func litStep(at index: Int) -> Int {
    switch settings.order {
    case .forward: return index
    case .backward: return steps - 1 - index
    case .bounce: return index < steps ? index : 2 * (steps - 1) - index
    case .random:
      let number = RandomStream.mixed(random ^ UInt64(state.clock.count))
      guard let last = state.litStep, last < steps, steps > 1 else { return Int(number % UInt64(steps)) }
      let step = Int(number % UInt64(steps - 1))
      return step < last ? step : step + 1
    }
  }

  /// The level of a channel at a time.
  private func level(_ channel: Int, at time: Double) -> Double {
    if settings.shape == .fan { return fan[channel] }
    guard settings.shape != .step else { return state.lamps[channel].level(at: time) }
    let clock = state.clock
    guard clock.count > 0, darkAfter.map({ time - clock.began < $0 - Frame.tolerance }) ?? true else {
      return 0
    }
    var rounds = (Double(clock.index) + clock.part(at: time)) / Double(steps)
    // At the turning point the phase must not wrap to the start of the next round.
    if settings.order == .bounce { rounds = min(1 - 1e-9, rounds > 1 ? 2 - rounds : rounds) }
    let phase = settings.order == .backward ? rounds + offsets[channel] : rounds - offsets[channel]
    return settings.shape.level(at: phase - phase.rounded(.down))
  }

  /// A pseudorandom number, 0 ≤ x < 1.
  private static func chance(_ seed: UInt64, _ number: Int) -> Double {
    Double(RandomStream.mixed(seed ^ UInt64(number + 1)) >> 11) * 0x1p-53
  }
}

extension Steps.Shape {
  /// The level at a phase of a wave, 0 ≤ phase < 1. Steps and fans do not use it.
  func level(at phase: Double) -> Double {
    switch self {
    case .step, .fan: 0
    case .ramp: phase
    case .sine: 0.5 - 0.5 * cos(2 * .pi * phase)
    case .triangle: 1 - abs(2 * phase - 1)
    case .square: phase < 0.5 ? 1 : 0
    }
  }
}
