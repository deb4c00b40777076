import Engine
import Graphs

#if canImport(Glibc)
  import Glibc
#endif

/// Maps one range of levels to another.
enum LevelRange: RunnableNode {
  static let name = "range"
  static let help = """
    Maps the range `from` onto the range `to`, in this order: t = (x − from₀) / (from₁ − from₀), kept within 0…1 by \
    `clamp`, then t^curve, then 1 − t with `invert`, then to₀ + (to₁ − to₀)·t. Takes dBFS as well as 0…1 and gives 0…1.
    """

  struct Settings: FieldRecord {
    /// The input range, in the unit of the wire; nil: -60…0 for dBFS, otherwise 0…1.
    var from: [Double]?
    /// The output for both ends of `from`.
    var to = [0.0, 1.0]
    var curve = 1.0
    /// Whether t is replaced by 1 − t.
    var invert = false
    /// Whether levels outside `from` give the ends of `to`.
    var clamp = true

    static let recordName = "range"
    static let fields: [Field<Settings>] = [
      Field(
        "from", \.from, .pair(.number(.none, -200...100)), each: true,
        "The levels that arrive, in the unit of the wire; by default [-60, 0] for dBFS and [0, 1] for 0…1."),
      Field("to", \.to, .pair(.number(.none, 0...1)), each: true, "The levels that leave."),
      Field(
        "curve", \.curve, .number(.none, 0.01...100), each: true,
        "The exponent: 1 is straight, 2 begins gently, 0.5 begins steeply. It acts before `invert`."),
      Field(
        "invert", \.invert, each: true,
        "Makes loud small and quiet large: 1 − t, after `curve`. So with a curve of 2 it is 1 − t², and (1 − t)² is "
          + "`to: [1, 0]` before a range of its own with the curve."),
      Field(
        "clamp", \.clamp, each: true,
        "Keeps what lies outside of `from` at the ends of `to`; without it levels go on beyond them, within 0…1."
      ),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .decibels], "Levels of either kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The levels, mapped.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let all = [shaping.settings.all] + shaping.settings.each.values
    if all.contains(where: { $0.from.map { $0[0] == $0[1] } ?? false }) {
      shaping.report("empty-range", "from", "the two ends of `from` are the same; a range needs a width")
    }
    return [shaping.inputs[0].channels]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let defaultRange = context.inputs[0].type == .decibels ? [-60.0, 0] : [0.0, 1]
    let maps = context.outputs[0].channels.indices.map {
      Map(context.settings[$0], defaultRange: defaultRange)
    }
    let (inputs, outputs) = (context.levelInputs[0], context.levelOutputs[0])
    return NodeParts(
      frame: LevelFunction { frame in
        for (channel, map) in maps.enumerated() {
          frame.levels[outputs[channel]] = map.value(frame.levels[inputs[channel]])
        }
      })
  }

  /// The map of one channel.
  struct Map {
    private let settings: Settings
    private let from: [Double]

    init(_ settings: Settings, defaultRange: [Double]) {
      self.settings = settings
      from = settings.from ?? defaultRange
    }

    /// The output for a level; NaN counts as the first end of `from`.
    func value(_ level: Float) -> Float {
      let x = level.isNaN ? from[0] : Double(level)
      var t = (x - from[0]) / (from[1] - from[0])
      if settings.clamp { t = max(0, min(1, t)) }
      if settings.curve != 1 { t = t < 0 ? -pow(-t, settings.curve) : pow(t, settings.curve) }
      if settings.invert { t = 1 - t }
      return Float(max(0, min(1, settings.to[0] + (settings.to[1] - settings.to[0]) * t)))
    }
  }
}
