import Engine
import Graphs

/// Combines two truth values per channel.
enum Logic: RunnableNode {
  static let name = "logic"
  static let help = """
    Combines two levels, channel by channel, as true or false. A level of at least 0.5 is true; it gives 1 where both \
    are (`and`), where any is (`or`), where exactly one is (`xor`), or where the first is not (`not`, without a \
    `with`), otherwise 0. For many levels at once use `combine`: `by: min` is and, `by: max` is or.
    """

  /// The Boolean operation.
  enum Operation: String, FieldChoice {
    case and, or, xor, not
    var help: String {
      switch self {
      case .and: "1 where both are true"
      case .or: "1 where one or both are true"
      case .xor: "1 where exactly one is true"
      case .not: "1 where `in` is not true"
      }
    }
  }

  struct Settings: FieldRecord {
    var by = Operation.and

    static let recordName = "logic"
    static let fields: [Field<Settings>] = [Field("by", \.by, each: true, "How the two are combined.")]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.level], "Levels 0…1."),
      InputPort("with", [.level], width: .asFirst, required: false, "The other levels."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "1 or 0.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let all = [shaping.settings.all] + shaping.settings.each.values
    if shaping.inputs[1].type == nil, let lonely = all.first(where: { $0.by != .not }) {
      shaping.report(
        "nothing-to-join", "by",
        "`\(lonely.by.rawValue)` joins two levels, and nothing is wired to `\(shaping.id).with`; wire a level there, or "
          + "use `not`")
    }
    return [shaping.inputs[0].channels]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let operations = context.outputs[0].channels.indices.map { context.settings[$0].by }
    let (inputs, outputs) = (context.levelInputs[0], context.levelOutputs[0])
    let otherInputs = context.inputs[1].type == nil ? inputs : context.levelInputs[1]
    return NodeParts(
      frame: LevelFunction { frame in
        for (channel, operation) in operations.enumerated() {
          let (inIsTrue, withIsTrue) = (
            frame.levels[inputs[channel]] >= 0.5, frame.levels[otherInputs[channel]] >= 0.5
          )
          let isTrue =
            switch operation {
            case .and: inIsTrue && withIsTrue
            case .or: inIsTrue || withIsTrue
            case .xor: inIsTrue != withIsTrue
            case .not: !inIsTrue
            }
          frame.levels[outputs[channel]] = isTrue ? 1 : 0
        }
      })
  }
}
