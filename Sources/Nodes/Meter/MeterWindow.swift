import Graphs

/// The window of a mean square.
enum MeterWindow: FieldValue, Equatable {
  case frame
  /// An exponential window with this time constant, in seconds.
  case seconds(Double)

  private static let time = ValueKind.number(.seconds, 0.001...60)
  static let kind = ValueKind.oneOf([.choice([ValueKind.Choice("frame", "the frame")]), time])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> MeterWindow? {
    if case .scalar("frame", _) = tree.content { return .frame }
    return Double.read(tree, as: time, context).map { .seconds($0) }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .frame: "frame"
    case .seconds(let seconds): seconds.written(as: Self.time)
    }
  }
}
