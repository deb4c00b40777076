/// What holds before a cell's time begins and after it ends; raw values are Apple's names.
public enum FillMode: String, Sendable, CaseIterable {
  /// Nothing at either end.
  case removed
  /// The end goes on.
  case forwards
  /// The beginning holds before it.
  case backwards
  /// Both.
  case both

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .removed: "nothing before and after"
    case .forwards: "the end goes on"
    case .backwards: "the beginning holds before it"
    case .both: "forwards and backwards"
    }
  }
}
