import Engine
import Graphs

#if canImport(Glibc)
  import Glibc
#endif

/// Makes a level from events: attack, hold, decay.
enum Envelope: RunnableNode {
  static let name = "envelope"
  static let help = """
    Makes a level of events: each begins a rise to 1 in `attack`, from the level of that moment, then it stays for \
    `hold` and falls to 0 in `decay`. Time counts from the sample of the event, not from its frame. One channel for \
    each channel of the events, whatever they are called.
    """

  struct Settings: FieldRecord {
    /// Time of the rise to 1, in seconds.
    var attack = 0.0
    /// Time at 1, in seconds.
    var hold = 0.0
    /// Time of the fall to 0, in seconds.
    var decay = 0.3
    /// The exponent of the fall.
    var curve = 1.0

    static let recordName = "envelope"
    static let fields: [Field<Settings>] = [
      Field(
        "attack", \.attack, .number(.seconds, 0...600), each: true,
        "The time to rise to 1, in a straight line."),
      Field("hold", \.hold, .number(.seconds, 0...600), each: true, "How long it stays at 1."),
      Field("decay", \.decay, .number(.seconds, 0...600), each: true, "The time to fall to 0."),
      Field(
        "curve", \.curve, .number(.none, 0.1...10), each: true,
        "The exponent of the fall, (1 − t)^curve: 1 is straight, 2 falls steeply at first and dies away."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("fire", [.event], "Events that begin it.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The level.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.indices
    let state = context.keep { EnvelopeState(channels: channels.count) }
    return NodeParts(
      frame: EnvelopeFrame(
        state, settings: channels.map { context.settings[$0] }, places: context.eventPlaces[0],
        outputs: context.levelOutputs[0]))
  }
}

/// The last event of each channel; kept from plan to plan. [frame]
final class EnvelopeState {
  struct Firing {
    /// The sample of the event on the timeline.
    let sample: Int64
    /// The seconds of all stalls until the event.
    let stalls: Double
    /// The level from which it rises.
    let from: Double
  }

  /// The last event of each channel; nil before the first and after the decay: a longer decay does not bring it back.
  var firings: [Firing?]
  var stalls = StallClock()

  init(channels: Int) { firings = Array(repeating: nil, count: channels) }

  /// The level of a channel at a sample, where `stalls` are the seconds of all stalls; nil: the envelope is over.
  func level(
    _ channel: Int, at sample: Int64, stalls: Double, rate: Int, _ settings: Envelope.Settings
  ) -> Double? {
    guard let firing = firings[channel] else { return nil }
    let seconds = Double(max(0, sample - firing.sample)) / Double(rate) + (stalls - firing.stalls)
    if seconds < settings.attack {
      return firing.from + (1 - firing.from) * seconds / settings.attack
    }
    let falling = seconds - settings.attack - settings.hold
    if falling <= 0 { return 1 }
    return falling < settings.decay ? pow(1 - falling / settings.decay, settings.curve) : nil
  }
}

/// Runs the envelopes. [frame]
final class EnvelopeFrame: FrameNode {
  private let state: EnvelopeState
  private let settings: [Envelope.Settings]
  private let places: EventPlaces
  private let outputs: [Int]

  init(_ state: EnvelopeState, settings: [Envelope.Settings], places: EventPlaces, outputs: [Int]) {
    self.state = state
    self.settings = settings
    self.places = places
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    let stalls = state.stalls.advance(frame)
    func level(_ channel: Int, at sample: Int64) -> Double? {
      state.level(channel, at: sample, stalls: stalls, rate: frame.rate, settings[channel])
    }
    for event in frame.events.all {
      for channel in places.channels(of: event) {
        state.firings[channel] = EnvelopeState.Firing(
          sample: event.sample, stalls: stalls, from: level(channel, at: event.sample) ?? 0)
      }
    }
    for channel in outputs.indices {
      let level = level(channel, at: frame.header.endSample)
      if level == nil { state.firings[channel] = nil }
      frame.levels[outputs[channel]] = Float(level ?? 0)
    }
  }
}
