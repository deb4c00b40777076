import Engine
import Graphs
import Metering
import Realtime

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the beat of music.
enum Beat: RunnableNode {
  static let name = "beat"
  static let help = """
    Finds the tempo of music and where its beats fall; all channels that arrive are one music. `out` is the phase, from 0 \
    at a beat to 1 at the next: it runs evenly, goes to where the music has the beat by running up to a quarter faster or \
    slower, and never steps back. Every beat is an event `beat`, every first of a bar an event `bar` as well. It locks \
    within about 4 s; in silence and noise there is no beat, and through a break the grid goes on for `patience`. `range` \
    says which of two tempi, one twice the other, is meant; events at `double` and `halve` say it by hand, and take effect \
    with the next beat. An event at `downbeat` makes the next beat, or the one just heard, the first of a bar.
    """
  static let delay: String? =
    "none of the beats once it is locked: they are foreseen; a change of tempo takes 2 to 8 s"

  /// The settings of a beat.
  struct Settings: FieldRecord {
    /// In beats a minute.
    var range = [70.0, 180.0]
    /// In beats a minute.
    var hint: Double?
    /// Beats in a bar.
    var bar = 4
    /// In seconds.
    var patience = 8.0
    /// In dBFS.
    var gate = -50.0

    static let recordName = "beat"
    private static let tempo = ValueKind.number(.none, 30...300)
    static let fields: [Field<Settings>] = [
      Field(
        "range", \.range, .list(tempo, count: 2...2),
        "The slowest and the fastest tempo, in beats a minute; [90, 180] leaves no doubt which of two is meant."
      ),
      Field("hint", \.hint, tempo, "The tempo that is expected, in beats a minute, if any is."),
      Field("bar", \.bar, .number(.none, 1...64, whole: true), "How many beats a bar has."),
      Field(
        "patience", \.patience, .number(.seconds, 0...600), "How long the grid goes on when the music stops."),
      Field("gate", \.gate, .number(.decibels, -160...0), "What is quieter is no music; mean square, dBFS."),
    ]
    init() {}

    func tracker() -> BeatTracker.Settings {
      BeatTracker.Settings(slowest: range[0], fastest: range[1], hint: hint, patience: patience)
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], "What is listened to."),
      InputPort("double", [.event], required: false, "Any event: twice as fast from the next beat on."),
      InputPort("halve", [.event], required: false, "Any event: half as fast from the next beat on."),
      InputPort("downbeat", [.event], required: false, "Any event: the nearest beat is the first of a bar."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("phase", .type(.level), in: .phase, "0 at a beat, growing evenly to 1; 0 without a beat."),
      OutputPort("bars", .type(.level), in: .phase, "The same for bars."),
      OutputPort("tempo", .type(.number), in: .beatsPerMinute, "The tempo; 0 without a beat."),
      OutputPort("confidence", .type(.level), "How sure the tempo is, 0…1."),
      OutputPort("locked", .type(.level), "1 while there is a beat, else 0."),
      OutputPort("events", .type(.event), "`beat` and `bar`."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let range = shaping.settings.all.range
    if range.count == 2, range[0] >= range[1] {
      shaping.report("empty-range", "range", "the slowest tempo of `range` must lie below the fastest")
    }
    let name = Channel.commonName(of: shaping.inputs[0].channels) ?? shaping.id
    return Array(repeating: [Channel(1, name: name)], count: 6)
  }

  static func makes(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[0].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.inputs[0].channels.count
    let rate = context.configuration.sampleRate
    let reader = context.keep { FluxReader(channels: channels, rate: rate) }
    let block = context.keep { BlockState(TapBlock(reader.tap.writer)) }
    let state = context.keep { BeatState(hop: Double(reader.hop) / Double(rate)) }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() },
      frame: BeatFrame(context, reader, state))
  }
}

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
  /// The beat that is the first of a bar.
  var downbeat = 0.0

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
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Beat.Settings>, _ reader: FluxReader, _ state: BeatState) {
    self.reader = reader
    self.state = state
    settings = context.settings.all
    gate = Float(pow(10, settings.gate / 10))
    (double, halve, downbeat) = (context.eventPlaces[1], context.eventPlaces[2], context.eventPlaces[3])
    outputs = (0..<5).map { context.levelOutputs[$0][0] }
    events = context.eventOutputs[5]
  }

  func run(_ frame: Frame) {
    let tracking = settings.tracker()
    reader.read(frame) { _ in
      var parts = SIMD3<Float>()
      var hasSound = false
      for flux in reader.fluxes {
        parts += flux.parts
        hasSound = hasSound || flux.power > gate
      }
      state.tracker.take(parts, hasSound: hasSound, tracking)
    }
    takeEvents(frame)
    let count = count(at: frame)
    tell(count, frame)
    let phase = count.map { $0 - $0.rounded(.down) } ?? 0
    let tempo = count == nil ? 0 : state.tracker.tempo * state.factor
    let levels: [Double] = [
      phase, count.map(barPhase) ?? 0, tempo, state.tracker.confidence, count == nil ? 0 : 1,
    ]
    for (output, level) in zip(outputs, levels) { frame.levels[output] = Float(level) }
  }

  private func barPhase(_ count: Double) -> Double {
    let bars = (count - state.downbeat) / Double(settings.bar)
    return bars - bars.rounded(.down)
  }

  private func takeEvents(_ frame: Frame) {
    for event in frame.events.all {
      if !double.channels(of: event).isEmpty { state.wanted = min(4, state.factor * 2) }
      if !halve.channels(of: event).isEmpty { state.wanted = max(0.25, state.factor / 2) }
      if !downbeat.channels(of: event).isEmpty, let last = state.last {
        state.downbeat = last.count.rounded()
      }
    }
  }

  /// Beats counted at the end of a frame; nil without a grid.
  private func count(at frame: Frame) -> Double? {
    guard state.tracker.isLocked, let origin = reader.origin else {
      state.last = nil
      return nil
    }
    let beats = state.tracker.beats(at: Double(frame.header.endSample - origin) / Double(frame.rate))
    if state.last == nil {
      // A new grid; whole beats are counted on from the last.
      (state.base, state.from, state.factor) = (state.base.rounded(.up), beats.rounded(.down), state.wanted)
      state.downbeat = state.base
    }
    var count = state.base + (beats - state.from) * state.factor
    if state.wanted != state.factor, let last = state.last, count.rounded(.down) > last.count.rounded(.down) {
      let beat = count.rounded(.down)
      let from = state.from + (beat - state.base) / state.factor
      (state.base, state.from, state.factor) = (beat, from, state.wanted)
      state.downbeat = beat
      count = beat + (beats - from) * state.factor
    }
    return count
  }

  /// Tells the beats since the last frame, each at its sample.
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
      let bars = (beat - state.downbeat) / Double(settings.bar)
      if bars == bars.rounded() {
        frame.events.report(Event(output: events, name: "bar", channel: 0, sample: sample))
      }
      beat += 1
    }
  }
}
