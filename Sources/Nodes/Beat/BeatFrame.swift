public import Engine
public import Graphs
import Metering
import Realtime
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The tracker, and the count of beats that the node outputs; kept from plan to plan. [frame]
final class BeatState {
  var tracker: BeatTracker
  var phase = BeatPhase()
  var taps = TapTempo()
  /// The tapped period of the tracker's beats, in seconds; nil: the music alone decides.
  var tapped: Double?
  /// Takes taps of messages.
  let control = BeatControl()

  init(hop: Double) { tracker = BeatTracker(hop: hop) }
}

/// Runs the tracker, counts its beats, and outputs phases, tempo and events. [frame]
final class BeatFrame: FrameNode {
  private let reader: FluxReader
  private let state: BeatState
  private let settings: Beat.Settings
  /// The mean square below which sound does not count as music, 0…1.
  private let gate: Float
  private let double: EventPlaces
  private let halve: EventPlaces
  private let downbeat: EventPlaces
  private let tap: EventPlaces
  /// The numbers of the levels phase, bars, tempo, confidence and locked.
  private let outputs: [Int]
  /// The number of the event output.
  private let events: Int
  /// The number of the level barConfidence.
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
      if reader.hasLevels { state.tracker.take(harmony: reader.levels, late: reader.lateness) }
    }
    takeEvents(frame)
    let count = count(at: frame)
    updateBar(count)
    reportBeats(count, frame)
    let phase = state.phase
    let tempo = count == nil ? 0 : state.tracker.tempo * phase.factor
    frame.levels[barConfidence] = count == nil ? 0 : Float(phase.barConfidence)
    let levels: [Double] = [
      count.map { phase.inBeat($0) } ?? 0, count.map { phase.inBar($0) } ?? 0, tempo,
      count == nil ? 0 : state.tracker.confidence,
      count == nil ? 0 : 1,
    ]
    for (output, level) in zip(outputs, levels) { frame.levels[output] = Float(level) }
  }

  /// The tempi that the tracker looks for: within 7 % of a tapped tempo, else those of the node's settings.
  private var tracking: BeatTracker.Settings {
    var tracking = settings.trackerSettings()
    if !state.tracker.isLocked { state.tapped = nil }
    if let period = state.tapped {
      let tempo = 60 / period
      (tracking.slowest, tracking.fastest, tracking.hint) = (0.93 * tempo, 1.07 * tempo, tempo)
    }
    return tracking
  }

  /// The lowest confidence, 0…1, at which bars begin at the downbeats of the tracker.
  private static let minimumBarConfidence = 0.4

  /// Takes the downbeat and the bar length from the tracker, unless an event has set the downbeat.
  private func updateBar(_ count: Double?) {
    let length: Int? = if case .beats(let beats) = settings.bar { beats } else { nil }
    if let length { state.phase.barLength = Double(length) }
    guard count != nil else { return }
    if state.phase.isByHand {
      state.phase.barConfidence = 1
      return
    }
    guard state.phase.countsTrackedBeats, let heard = state.tracker.bar(of: length.map { [$0] } ?? [3, 4])
    else {
      state.phase.barConfidence = 0
      return
    }
    state.phase.barConfidence = heard.confidence
    guard heard.confidence >= Self.minimumBarConfidence else { return }
    if length == nil { state.phase.barLength = Double(heard.beats) }
    state.phase.setDownbeat(tracked: heard.first)
  }

  /// Takes taps, and events that double or halve the tempo or set the downbeat.
  private func takeEvents(_ frame: Frame) {
    // A message counts at the end of the frame: live, its time within the frame is not known, and a replay must agree.
    if state.control.take() { take(tap: frame.header.endSample, frame) }
    for event in frame.events.all {
      if !double.channels(of: event).isEmpty { state.phase.multiply(by: 2) }
      if !halve.channels(of: event).isEmpty { state.phase.multiply(by: 0.5) }
      if !downbeat.channels(of: event).isEmpty { state.phase.setDownbeat() }
      if !tap.channels(of: event).isEmpty { take(tap: event.sample, frame) }
    }
  }

  /// Sets the tempo to that of the taps, and moves the beat to the last tap, at `sample` of the timeline.
  private func take(tap sample: Int64, _ frame: Frame) {
    guard let origin = reader.origin else { return }
    let time = Double(sample - origin) / Double(frame.rate)
    let now = Double(frame.header.endSample - origin) / Double(frame.rate)
    guard let period = state.taps.tap(at: time) else { return }
    let beats = state.tracker.beats(at: now)
    if state.phase.last == nil { state.phase.forgetFactor() }
    let count = state.phase.last == nil ? beats : state.phase.count(of: beats)
    var error = (now - time) / period - (count - count.rounded(.down))
    if state.tracker.isLocked { error -= error.rounded() }
    let factor = state.phase.factor
    state.tracker.steer(to: 1 / (period * factor), by: error / factor, at: now)
    state.tapped = period * factor
  }

  /// The count of beats at the end of a frame; nil without a grid, and while no callback runs.
  private func count(at frame: Frame) -> Double? {
    guard state.tracker.isLocked, frame.stalledSeconds == 0, let origin = reader.origin else {
      state.phase.last = nil
      return nil
    }
    let time = Double(frame.header.endSample - origin) / Double(frame.rate) + settings.nudge
    return state.phase.advance(to: state.tracker.beats(at: max(0, time)))
  }

  /// Reports the beats since the last frame, each at its sample.
  private func reportBeats(_ count: Double?, _ frame: Frame) {
    guard let count else { return }
    let end = frame.header.endSample
    defer { state.phase.last = (count, end) }
    guard let last = state.phase.last, count > last.count else { return }
    var beat = last.count.rounded(.down) + 1
    while beat <= count {
      let part = (beat - last.count) / (count - last.count)
      let sample = last.sample + Int64((part * Double(end - last.sample)).rounded())
      frame.events.report(Event(output: events, name: "beat", channel: 0, sample: sample))
      if state.phase.isDownbeat(beat) {
        frame.events.report(Event(output: events, name: "bar", channel: 0, sample: sample))
      }
      beat += 1
    }
  }
}

/// Takes the taps of a running show. [any]
public final class BeatControl: NodeControl {
  private let isTapped = Atomic<Bool>(false)

  init() {}

  /// Taps: there is a beat now.
  public func tap() { isTapped.store(true, ordering: .relaxed) }

  /// Whether there was a tap since the last call. [frame]
  func take() -> Bool { isTapped.exchange(false, ordering: .relaxed) }

  /// Returns no messages. [control]
  public func takeMessages() -> [String] { [] }
}

extension CheckedNode {
  /// Whether it is a beat that can be tapped. [any]
  public var canBeTapped: Bool { settings(of: Beat.self)?.all.follow == .sound }
}

extension CompiledPlan {
  /// The beats of the graph that can be tapped, with their ids, in the order of the file.
  public var beats: [(id: String, beat: BeatControl)] {
    controls.compactMap { control in (control.control as? BeatControl).map { (control.id, $0) } }
  }
}
