import Engine
import Graphs
import Realtime

/// Fires when a level rises.
enum Trigger: RunnableNode {
  static let name = "trigger"
  static let help = """
    Fires when a level rises to `above`, and again only after it has fallen to `below` and `gap` has passed. Gives 1 \
    for `pulse`, else 0, and an event `trigger`.
    """

  struct Settings: FieldRecord {
    /// The level that fires, in the unit of the wire; nil: -20 dBFS, or 0.5 for levels 0…1.
    var above: Double?
    /// The level that makes it ready again, in the unit of the wire; nil: 3 dB, or 0.1, below `above`.
    var below: Double?
    /// The length of the pulse, in seconds.
    var pulse = 0.1
    /// Minimum time between two firings, in seconds.
    var gap = 0.1

    static let recordName = "trigger"
    static let fields: [Field<Settings>] = [
      Field(
        "above", \.above, .number(.decibels, -160...20), each: true,
        "The level at which it fires, in the unit of the wire; by default -20 dB, or 0.5 on a wire of 0…1."),
      Field(
        "below", \.below, .number(.decibels, -160...20), each: true,
        "The level to which it must fall before it can fire again; by default 3 dB, or 0.1, below `above`."
      ),
      Field(
        "pulse", \.pulse, .number(.seconds, 0...60), each: true, "How long it gives 1; at least one frame."),
      Field(
        "gap", \.gap, .number(.seconds, 0...60), each: true, "The least time from one firing to the next."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.decibels, .level], "Levels of either kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.level), "1 while it fires, else 0."),
      OutputPort("events", .type(.event), "`trigger`, by channel."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let isLevel = shaping.inputs[0].type == .level
    for settings in [shaping.settings.all] + shaping.settings.each.values {
      let (above, below) = thresholds(settings, isLevel: isLevel)
      if below > above {
        shaping.report(
          "rearms-above-firing", "below",
          "it would be ready again (\(below)) above where it fires (\(above)); `below` lies at or below `above`"
        )
      }
      if isLevel && (above < 0 || below < 0) {
        shaping.report(
          "decibels-on-level", "above",
          "levels 0…1 arrive here, so `above` and `below` are numbers from 0 to 1")
      }
    }
    let channels = shaping.inputs[0].channels
    return [channels, channels]
  }

  static func thresholds(_ settings: Settings, isLevel: Bool) -> (above: Double, below: Double) {
    let above = settings.above ?? (isLevel ? 0.5 : -20)
    return (above, settings.below ?? (isLevel ? max(0, above - 0.1) : above - 3))
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.count
    let states = context.keep { TriggerState(channels: channels) }
    return NodeParts(frame: TriggerFrame(context, states: states))
  }
}

/// By channel: whether it can fire, and its last firing; kept from plan to plan. [frame]
final class TriggerState {
  /// Whether the level has fallen to `below` since the last firing; true before the first.
  var isReady: [Bool]
  /// Seconds since the last firing.
  var since: [Double]
  /// Whether the pulse lasts. Once it is over, a longer `pulse` does not bring it back.
  var isLit: [Bool]

  init(channels: Int) {
    isReady = Array(repeating: true, count: channels)
    since = Array(repeating: .infinity, count: channels)
    isLit = Array(repeating: false, count: channels)
  }
}

/// Fires on rising levels. [frame]
final class TriggerFrame: FrameNode {
  private let states: TriggerState
  private let thresholds: [(above: Double, below: Double)]
  private let settings: [Trigger.Settings]
  private let inputs: [Int]
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Trigger.Settings>, states: TriggerState) {
    self.states = states
    let isLevel = context.inputs[0].type == .level
    settings = context.outputs[0].channels.indices.map { context.settings[$0] }
    thresholds = settings.map { Trigger.thresholds($0, isLevel: isLevel) }
    inputs = context.levelInputs[0]
    outputs = context.levelOutputs[0]
    events = context.eventOutputs[1]
  }

  func run(_ frame: Frame) {
    for channel in inputs.indices {
      let level = Double(frame.levels[inputs[channel]])
      states.since[channel] += frame.seconds
      if level <= thresholds[channel].below { states.isReady[channel] = true }
      if level >= thresholds[channel].above && states.isReady[channel]
        && states.since[channel] + Frame.tolerance >= settings[channel].gap
      {
        states.isReady[channel] = false
        states.since[channel] = 0
        states.isLit[channel] = true
        frame.events.report(
          Event(output: events, name: "trigger", channel: channel, sample: frame.header.endSample))
      }
      let since = states.since[channel]
      if since > 0, since + Frame.tolerance >= settings[channel].pulse { states.isLit[channel] = false }
      frame.levels[outputs[channel]] = states.isLit[channel] ? 1 : 0
    }
  }
}
