import Graphs

/// The beats in a bar.
enum BarLength: FieldValue, Equatable {
  /// 3 or 4, as found in the music; 4 until then.
  case auto
  /// A fixed number.
  case beats(Int)

  private static let number = ValueKind.number(.none, 1...64, whole: true)
  static let kind = ValueKind.oneOf([
    number, .choice([ValueKind.Choice("auto", "3 or 4, as it is heard; 4 until then")]),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> BarLength? {
    if case .scalar("auto", _) = tree.content { return .auto }
    return Int.read(tree, as: number, context).map { .beats($0) }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .auto: "auto"
    case .beats(let beats): beats.written(as: Self.number)
    }
  }
}
