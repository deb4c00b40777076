/// A graph file as written, before it is read as settings; what came otherwise may stand in it as the number that it is.
public struct Tree: Sendable {
  /// One pair of a map.
  public struct Pair: Sendable {
    /// The key, always a scalar.
    public var key: Tree
    /// The value.
    public var value: Tree
    /// Makes a pair.
    public init(key: Tree, value: Tree) {
      self.key = key
      self.value = value
    }
  }
  /// What it is.
  public enum Content: Sendable {
    /// Text; whether it stood in quotes.
    case scalar(String, quoted: Bool)
    /// A number that was never written.
    case number(Double)
    /// True or false, never written.
    case flag(Bool)
    /// Values in order.
    case list([Tree])
    /// Pairs in file order.
    case map([Pair])
  }
  /// What it is.
  public var content: Content
  /// Where it stands.
  public var mark: SourceRange

  /// Makes a tree.
  public init(_ content: Content, mark: SourceRange) {
    self.content = content
    self.mark = mark
  }
}

extension Tree {
  /// The text of a scalar, as it would be written where it never was; nil for a list or map.
  public var text: String? {
    switch content {
    case .scalar(let text, _): text
    case .number(let number): shortest(number)
    case .flag(let isOn): isOn ? "true" : "false"
    case .list, .map: nil
    }
  }

  /// The values of a list; nil for anything else.
  public var list: [Tree]? {
    if case .list(let values) = content { values } else { nil }
  }

  /// The pairs of a map, in file order; nil for anything else.
  public var map: [Pair]? {
    if case .map(let pairs) = content { pairs } else { nil }
  }

  /// Whether nothing was written here (`key:` and no more).
  public var isNothing: Bool {
    if case .scalar("", quoted: false) = content { true } else { false }
  }

  /// What a sentence calls it: `"0.5 s"`, `a list`, `a map`, `nothing`.
  public var words: String {
    switch content {
    case .scalar, .number, .flag: isNothing ? "nothing" : quote(text ?? "")
    case .list: "a list"
    case .map: "a map"
    }
  }
}
