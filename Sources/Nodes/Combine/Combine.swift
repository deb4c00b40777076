import Engine
import Graphs
import Metering

/// Makes one level from many channels.
enum Combine: RunnableNode {
  static let name = "combine"
  static let help = """
    Makes one level of many channels. The level is named by what the names of the channels have in common, such as OH \
    of OH L and OH R, otherwise by the id of this node; `names` overrides this.
    """

  /// How the levels are combined.
  enum CombineMethod: String, FieldChoice {
    case meanDecibels = "mean-dB"
    case power, energy, max, min
    var help: String {
      switch self {
      case .meanDecibels: "the mean of the decibels, as the classic tutorial does it (dBFS only)"
      case .power: "the mean of the powers, in decibels again (dBFS only)"
      case .energy:
        "the sum of the powers, in decibels again (dBFS only): as loud as the channels are together, whatever their phase"
      case .max: "the loudest"
      case .min: "the quietest"
      }
    }
  }

  struct Settings: FieldRecord {
    var by = CombineMethod.max
    var names: [String] = []

    static let recordName = "combine"
    static let fields: [Field<Settings>] = [
      Field("by", \.by, "How one level is made of many."),
      Field(
        "names", \.names, .channelNames(most: 1),
        "The name of the level; by default what the names that arrive have in common, otherwise this node's id."
      ),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.decibels, .level], "Levels of either kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .asFirstInput, "The one level, of the same kind.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let by = shaping.settings.all.by
    if shaping.inputs[0].type == .level && (by == .meanDecibels || by == .power || by == .energy) {
      shaping.report(
        "needs-decibels", "by",
        "`by: \(by.rawValue)` works on dBFS and gets levels 0…1; put the combine before the meter-table, or use max or "
          + "min")
    }
    let name = Channel.commonName(of: shaping.inputs[0].channels) ?? shaping.id
    return [shaping.named([Channel(1, name: name)], by: shaping.settings.all.names)]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(shaping.inputs[0].channels.indices)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let (inputs, output, by) = (context.levelInputs[0], context.levelOutputs[0][0], context.settings.all.by)
    let silentLevel = context.inputs[0].type == .level ? 0 : Decibels.floor
    return NodeParts(
      frame: LevelFunction { frame in
        frame.levels[output] = combined(inputs.lazy.map { frame.levels[$0] }, by: by) ?? silentLevel
      })
  }

  /// Combines levels in double precision, in the order of the channels, rounded once. NaN is ignored; nil where all
  /// are NaN.
  static func combined(_ levels: some Sequence<Float>, by method: CombineMethod) -> Float? {
    var sum = 0.0
    var count = 0.0
    var extreme: Float?
    for level in levels where !level.isNaN {
      count += 1
      switch method {
      case .meanDecibels: sum += Double(level)
      case .power, .energy: sum += Decibels.power(Double(level))
      case .max: extreme = Swift.max(extreme ?? level, level)
      case .min: extreme = Swift.min(extreme ?? level, level)
      }
    }
    guard count > 0 else { return nil }
    switch method {
    case .meanDecibels: return Float(sum / count)
    case .power: return Swift.max(Decibels.floor, Decibels.of(power: sum / count))
    case .energy: return Swift.max(Decibels.floor, Decibels.of(power: sum))
    case .max, .min: return extreme
    }
  }
}
