/// How often a file is played.
public enum Loop: Equatable, Sendable {
  /// So many times in all; 1 is once, and less than 1 counts as 1.
  case times(Int)
  /// Over and over until it is stopped.
  case forever

  /// Whether nothing follows once so many plays are done.
  func isOver(after plays: Int) -> Bool {
    switch self {
    case .times(let times): plays >= max(1, times)
    case .forever: false
    }
  }
}
