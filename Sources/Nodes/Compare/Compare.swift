import Engine
import Graphs

/// Compares levels with one or two thresholds.
enum Compare: RunnableNode {
  static let name = "compare"
  static let help = """
    Compares a level with `than`: gives 1 while it is above, below, between or outside, otherwise 0, and an event \
    `on` or `off` whenever that changes. A level wired to `with` takes the place of the number, channel by channel. \
    The level must go back by `margin` before 1 becomes 0 again, so that one at the border does not flutter.
    """

  /// The comparison.
  enum Question: String, FieldChoice {
    case above, below, between, outside
    var help: String {
      switch self {
      case .above: "at `than` or higher"
      case .below: "at `than` or lower"
      case .between: "from the first to the second number of `than`"
      case .outside: "below the first or above the second number of `than`"
      }
    }
  }

  struct Settings: FieldRecord {
    var question = Question.above
    /// One or two thresholds in the unit of the wire; nil: -20 dBFS or 0.5, for two -30 and -10 dBFS or 0.25 and
    /// 0.75.
    var than: [Double]?
    /// The hysteresis, in the unit of the wire.
    var margin = 0.0

    static let recordName = "compare"
    private static let border = ValueKind.number(.decibels, -100_000...100_000)
    static let fields: [Field<Settings>] = [
      Field("is", \.question, each: true, "The condition for 1."),
      Field(
        "than", \.than, .oneOf([.list(border, count: 1...2), border]), each: true,
        "A number, or for `between` and `outside` a list of two, in the unit of the wire; by default -20 dB or 0.5, "
          + "and [-30, -10] dB or [0.25, 0.75]."),
      Field(
        "margin", \.margin, .number(.decibels, 0...1000), each: true,
        "By how much the level must go back before 1 becomes 0 again, in the unit of the wire."),
    ]
    init() {}

    /// The lowest and the highest level for which the answer is 1; for `outside`, 0.
    func span(isDecibels: Bool) -> (low: Double, high: Double) {
      let pair = question == .between || question == .outside
      let than = than ?? (pair ? isDecibels ? [-30, -10] : [0.25, 0.75] : isDecibels ? [-20] : [0.5])
      switch question {
      case .above: return (than[0], .infinity)
      case .below: return (-.infinity, than[0])
      case .between, .outside: return (than[0], than[than.count - 1])
      }
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.level, .decibels, .number], "Levels of any kind."),
      InputPort(
        "with", [.level, .decibels, .number], width: .asFirst, required: false,
        "Levels of the same kind that take the place of `than`, for `above` and `below`."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.level), "1 while the condition holds, else 0."),
      OutputPort("events", .type(.event), "`on` and `off`, by channel."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let hasOther = shaping.inputs[1].type != nil
    if hasOther, shaping.inputs[1].type != shaping.inputs[0].type {
      shaping.report(
        "unlike-levels", nil,
        "it compares \(shaping.inputs[0].type?.words ?? "levels") with \(shaping.inputs[1].type?.words ?? "levels"); "
          + "both must be of one kind")
    }
    for settings in [shaping.settings.all] + shaping.settings.each.values {
      let pair = settings.question == .between || settings.question == .outside
      let than = settings.than ?? []
      if !than.isEmpty, than.count != (pair ? 2 : 1) {
        shaping.report(
          "wrong-borders", "than",
          "`is: \(settings.question.rawValue)` takes \(pair ? "two numbers, such as [-30, -10]" : "one number")"
        )
      } else if than.count == 2, than[0] > than[1] {
        shaping.report("borders-out-of-order", "than", "the second number of `than` lies below the first")
      }
      if hasOther, pair {
        shaping.report(
          "with-between", "is", "a level at `with` is one border, and `\(settings.question.rawValue)` has two"
        )
      }
    }
    let channels = shaping.inputs[0].channels
    return [channels, channels]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let state = context.keep { CompareState(channels: context.outputs[0].channels.count) }
    return NodeParts(frame: CompareFrame(context, state: state))
  }
}

/// Whether the condition holds, for each channel; kept from plan to plan. [frame]
final class CompareState {
  var holds: [Bool]

  init(channels: Int) { holds = Array(repeating: false, count: channels) }
}

/// Compares levels with hysteresis. [frame]
final class CompareFrame: FrameNode {
  private let state: CompareState
  private let settings: [Compare.Settings]
  private let spans: [(low: Double, high: Double)]
  private let inputs: [Int]
  /// The numbers of the levels at `with`; empty: it is not wired.
  private let otherInputs: [Int]
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Compare.Settings>, state: CompareState) {
    self.state = state
    let isDecibels = context.inputs[0].type == .decibels
    settings = context.outputs[0].channels.indices.map { context.settings[$0] }
    spans = settings.map { $0.span(isDecibels: isDecibels) }
    inputs = context.levelInputs[0]
    otherInputs = context.inputs[1].type == nil ? [] : context.levelInputs[1]
    outputs = context.levelOutputs[0]
    events = context.eventOutputs[1]
  }

  func run(_ frame: Frame) {
    for channel in outputs.indices {
      let before = state.holds[channel]
      var (low, high) = spans[channel]
      if !otherInputs.isEmpty {
        let other = Double(frame.levels[otherInputs[channel]])
        if settings[channel].question == .above { low = other } else { high = other }
      }
      // While the answer is 1, the level must pass the threshold by the margin to change it.
      let margin = before ? settings[channel].margin : 0
      let level = Double(frame.levels[inputs[channel]])
      let holds: Bool
      if level.isNaN {
        holds = before
      } else if settings[channel].question == .outside {
        holds = level < low + margin || level > high - margin
      } else {
        holds = level >= low - margin && level <= high + margin
      }
      state.holds[channel] = holds
      frame.levels[outputs[channel]] = holds ? 1 : 0
      if holds != before {
        frame.events.report(
          Event(output: events, name: holds ? "on" : "off", channel: channel, sample: frame.header.endSample))
      }
    }
  }
}
