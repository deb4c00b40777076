/// In which order particles are laid over each other; raw values are Apple's names.
public enum RenderMode: String, Sendable, CaseIterable {
  /// In any order.
  case unordered
  /// The oldest first, below all others.
  case oldestFirst
  /// The oldest last, above all others.
  case oldestLast
  /// By z, the farthest first.
  case backToFront
  /// Light added to light; the order does not matter.
  case additive

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .unordered: "in any order"
    case .oldestFirst: "the oldest below"
    case .oldestLast: "the oldest above"
    case .backToFront: "by z, the farthest below"
    case .additive: "light added to light, as sparks do"
    }
  }
}
