import Graphs

/// The value of an attribute in `set`: a level, or the name of a range.
enum LightLevel: FieldValue {
  /// 0…1.
  case level(Double)
  /// The name of a range in the fixture file, which documents for users call a place.
  case namedRange(String)

  private static let number = ValueKind.number(.ratio, 0...1)
  private static let rangeName = ValueKind.text(pattern: "^.{1,64}$", form: "the name of a place")
  static let kind = ValueKind.oneOf([number, rangeName])

  /// Reads a number; a text in quotes, or one that is no quantity, is a name. `none` without quotes is refused as no
  /// number.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> LightLevel? {
    if case .scalar(let text, let isQuoted) = tree.content, isQuoted || Quantity(text) == nil, !tree.isNothing
    {
      return String.read(tree, as: rangeName, context).map(LightLevel.namedRange)
    }
    return Double.read(tree, as: number, context).map(LightLevel.level)
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .level(let level): level.written(as: Self.number)
    case .namedRange(let name): name.written(as: Self.rangeName)
    }
  }
}
