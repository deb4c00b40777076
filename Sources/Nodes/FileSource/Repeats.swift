import Graphs
import Playback

/// How often something starts again when it has ended.
enum Repeats: FieldValue, Equatable {
  /// So many times more; 0 plays once.
  case times(Int)
  /// Until it is stopped.
  case forever

  static let kind = Kind.oneOf([
    .number(.none, 0...1_000_000, whole: true), .choice([Kind.Choice("forever", "until it is stopped")]),
  ])

  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Repeats? {
    if case .scalar("forever", _) = tree.content { return .forever }
    guard let count = Int.read(tree, as: .number(.none, 0...1_000_000, whole: true), reading) else {
      return nil
    }
    return .times(count)
  }

  func written(as kind: Kind) -> String {
    switch self {
    case .times(let count): String(count)
    case .forever: "forever"
    }
  }

  var loop: Loop {
    switch self {
    case .times(let count): .times(count + 1)
    case .forever: .forever
    }
  }
}
