public import Engine
public import Graphs
import Metering
import Realtime
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The tracker, and how its beats are counted; kept from plan to plan. [frame]
final class BeatState {
  var tracker: BeatTracker
  /// Beats counted at the end of the last frame, and that end, as a sample; nil where there was no grid.
  var last: (count: Double, sample: Int64)?
  /// Beats counted when the tracker had counted `from`; each of its beats is `factor` beats.
  var base = 0.0
  var from = 0.0
  var factor = 1.0
  /// What `factor` becomes with the next beat.
  var wanted = 1.0
  /// The beat that is the first of a bar, how many beats a bar has, and how sure that is.
  var downbeat = 0.0
  var bar = 4.0
  var barConfidence = 0.0
  /// Whether it was said by hand which beat is the first.
  var isByHand = false
  var taps = TapTempo()
  /// Seconds between the tracker's beats, as they were tapped last; nil where the music alone decides.
  var tapped: Double?
  /// Taps from outside.
  let control = BeatControl()

  init(hop: Double) { tracker = BeatTracker(hop: hop) }
}

/// Counts beats. [frame]
final class BeatFrame: FrameNode {
  private let reader: FluxReader
  private let state: BeatState
  private let settings: Beat.Settings
  private let gate: Float
  private let double: EventPlaces
  private let halve: EventPlaces
  private let downbeat: EventPlaces
  private let tap: EventPlaces
  private let outputs: [Int]
  private let events: Int
  private let barConfidence: Int

  init(_ context: NodeContext<Beat.Settings>, _ reader: FluxReader, _ state: BeatState) {
    self.reader = reader
    self.state = state
    settings = context.settings.all
    gate = Float(pow(10, settings.gate / 10))
    (double, halve, downbeat) = (context.eventPlaces[1], context.eventPlaces[2], context.eventPlaces[3])
    tap = context.eventPlaces[4]
    outputs = (0..<5).map { context.levelOutputs[$0][0] }
    events = context.eventOutputs[5]
    barConfidence = context.levelOutputs[6][0]
  }

  func run(_ frame: Frame) {
    let tracking = tracking
    reader.read(frame) { _ in
      var parts = SIMD3<Float>()
      var hasSound = false
      for flux in reader.fluxes {
        parts += flux.attacks
        hasSound = hasSound || flux.power > gate
      }
      state.tracker.take(parts, hasSound: hasSound, tracking)
    }
    takeEvents(frame)
    let count = count(at: frame)
    hearBar(count)
    tell(count, frame)
    let phase = count.map { $0 - $0.rounded(.down) } ?? 0
    let tempo = count == nil ? 0 : state.tracker.tempo * state.factor
    frame.levels[barConfidence] = count == nil ? 0 : Float(state.barConfidence)
    let levels: [Double] = [
      phase, count.map(barPhase) ?? 0, tempo, state.tracker.confidence, count == nil ? 0 : 1,
    ]
    for (output, level) in zip(outputs, levels) { frame.levels[output] = Float(level) }
  }

  /// What the tracker looks for: what was tapped, and what is near it, before what is set.
  private var tracking: BeatTracker.Settings {
    var tracking = settings.tracker()
    if !state.tracker.isLocked { state.tapped = nil }
    if let period = state.tapped {
      let tempo = 60 / period
      (tracking.slowest, tracking.fastest, tracking.hint) = (0.93 * tempo, 1.07 * tempo, tempo)
    }
    return tracking
  }

  /// From what confidence on a bar begins where it is heard to.
  private static let sureOfBar = 0.4

  /// Lets bars begin where the music has them, unless that was said by hand.
  private func hearBar(_ count: Double?) {
    let length: Int? = if case .beats(let beats) = settings.bar { beats } else { nil }
    if let length { state.bar = Double(length) }
    guard count != nil else { return }
    if state.isByHand {
      state.barConfidence = 1
      return
    }
    // After an odd number of beats twice as fast those that are counted lie between those that are heard.
    let isCounted = state.factor == 1 && state.from == state.from.rounded()
    guard isCounted, let heard = state.tracker.bar(of: length.map { [$0] } ?? [3, 4]) else {
      state.barConfidence = 0
      return
    }
    state.barConfidence = heard.confidence
    guard heard.confidence >= Self.sureOfBar else { return }
    if length == nil { state.bar = Double(heard.beats) }
    state.downbeat = state.base + heard.first - state.from
  }

  private func barPhase(_ count: Double) -> Double {
    let bars = (count - state.downbeat) / state.bar
    return bars - bars.rounded(.down)
  }

  private func takeEvents(_ frame: Frame) {
    // When in the frame a message came is not known live, and is the same when it is replayed: at its end.
    if state.control.take() { take(tap: frame.header.endSample, frame) }
    for event in frame.events.all {
      if !double.channels(of: event).isEmpty { state.wanted = min(4, state.factor * 2) }
      if !halve.channels(of: event).isEmpty { state.wanted = max(0.25, state.factor / 2) }
      if !downbeat.channels(of: event).isEmpty, let last = state.last {
        state.downbeat = last.count.rounded()
        state.isByHand = true
      }
      if !tap.channels(of: event).isEmpty { take(tap: event.sample, frame) }
    }
  }

  /// Goes to the tempo of the taps, and to the beat of the last, which was at `sample`.
  private func take(tap sample: Int64, _ frame: Frame) {
    guard let origin = reader.origin else { return }
    let time = Double(sample - origin) / Double(frame.rate)
    let now = Double(frame.header.endSample - origin) / Double(frame.rate)
    guard let period = state.taps.tap(at: time) else { return }
    let beats = state.tracker.beats(at: now)
    if state.last == nil { (state.factor, state.wanted) = (1, 1) }
    let count = state.last == nil ? beats : state.base + (beats - state.from) * state.factor
    var error = (now - time) / period - (count - count.rounded(.down))
    if state.tracker.isLocked { error -= error.rounded() }
    state.tracker.steer(to: 1 / (period * state.factor), by: error / state.factor, at: now)
    state.tapped = period * state.factor
  }

  /// Beats counted at the end of a frame; nil without a grid, and while no callback runs.
  private func count(at frame: Frame) -> Double? {
    guard state.tracker.isLocked, frame.stalledSeconds == 0, let origin = reader.origin else {
      state.last = nil
      return nil
    }
    let time = Double(frame.header.endSample - origin) / Double(frame.rate) + settings.nudge
    let beats = state.tracker.beats(at: max(0, time))
    if state.last == nil {
      // A new grid; whole beats are counted on from the last.
      (state.base, state.from, state.factor) = (state.base.rounded(.up), beats.rounded(.down), state.wanted)
      (state.downbeat, state.isByHand, state.barConfidence) = (state.base, false, 0)
    }
    var count = state.base + (beats - state.from) * state.factor
    if state.wanted != state.factor, let last = state.last, count.rounded(.down) > last.count.rounded(.down) {
      let beat = count.rounded(.down)
      let from = state.from + (beat - state.base) / state.factor
      (state.base, state.from, state.factor) = (beat, from, state.wanted)
      state.downbeat = beat
      count = beat + (beats - from) * state.factor
    }
    // What is foreseen of a grid that slows down, and a nudge that is taken back, come sooner than what was reported.
    return max(count, state.last?.count ?? count)
  }

  /// Reports the beats since the last frame, each at its sample.
  private func tell(_ count: Double?, _ frame: Frame) {
    guard let count else { return }
    let end = frame.header.endSample
    defer { state.last = (count, end) }
    guard let last = state.last, count > last.count else { return }
    var beat = last.count.rounded(.down) + 1
    while beat <= count {
      let part = (beat - last.count) / (count - last.count)
      let sample = last.sample + Int64((part * Double(end - last.sample)).rounded())
      frame.events.report(Event(output: events, name: "beat", channel: 0, sample: sample))
      let bars = (beat - state.downbeat) / state.bar
      if bars == bars.rounded() {
        frame.events.report(Event(output: events, name: "bar", channel: 0, sample: sample))
      }
      beat += 1
    }
  }
}

/// The tempo of taps: the mean of the last intervals. [frame]
struct TapTempo {
  /// The intervals between two taps that are taps, in seconds: 300 to 30 beats a minute.
  private static let intervals = 0.2...2.0
  /// How many taps count.
  private static let most = 9
  /// The last taps, in seconds.
  private var taps: [Double] = []

  /// Takes a tap at a time in seconds; gives the seconds from tap to tap where there are two or more. One that comes much
  /// earlier or later than those before it begins another tempo.
  mutating func tap(at time: Double) -> Double? {
    if let last = taps.last {
      let interval = time - last
      if interval < Self.intervals.lowerBound { return nil }
      if interval > Self.intervals.upperBound {
        taps = []
      } else if let period, !(0.75...1.33).contains(interval / period) {
        taps = [last]
      }
    }
    taps.append(time)
    if taps.count > Self.most { taps.removeFirst() }
    return period
  }

  private var period: Double? {
    taps.count > 1 ? (taps[taps.count - 1] - taps[0]) / Double(taps.count - 1) : nil
  }
}

/// A beat as a running show is given it by hand. [any]
public final class BeatControl: NodeControl {
  private let isTapped = Atomic<Bool>(false)

  init() {}

  /// A tap: the beat is now.
  public func tap() { isTapped.store(true, ordering: .relaxed) }

  /// Whether there was a tap since the last time. [frame]
  func take() -> Bool { isTapped.exchange(false, ordering: .relaxed) }

  /// Nothing happens to it. [control]
  public func takeMessages() -> [String] { [] }
}

extension CheckedNode {
  /// Whether it will be a beat that can be tapped. [any]
  public var canBeTapped: Bool { settings(of: Beat.self)?.all.follow == .sound }
}

extension CompiledPlan {
  /// The beats of the graph that can be tapped, with their ids, in the order of the file.
  public var beats: [(id: String, beat: BeatControl)] {
    controls.compactMap { control in (control.control as? BeatControl).map { (control.id, $0) } }
  }
}
