/// The tree of a graph file, before it is read as settings. Values that were set live may stand in it as numbers and
/// flags.
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
  /// What a value may be.
  public enum Content: Sendable {
    /// A scalar; `quoted`: it stood in quotes.
    case scalar(String, quoted: Bool)
    /// A number that was set live, and never was text.
    case number(Double)
    /// True or false, set live.
    case flag(Bool)
    /// Values in order.
    case list([Tree])
    /// Pairs in file order.
    case map([Pair])
  }
  /// The value.
  public var content: Content
  /// The place in the file, or the option.
  public var mark: SourceRange

  /// Makes a tree.
  public init(_ content: Content, mark: SourceRange) {
    self.content = content
    self.mark = mark
  }
}

extension Tree {
  /// The text of a scalar. A number or a flag is returned as it would be written. Nil for a list or a map.
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

  /// Whether there is no value (`key:` and nothing else). A list and a map may then be empty; a setting without a value
  /// says so by `none`, `~` or `null`, which are words here.
  public var isNothing: Bool {
    if case .scalar("", quoted: false) = content { true } else { false }
  }

  /// The value as messages name it: `"0.5 s"`, `a list`, `a map`, `nothing`.
  public var words: String {
    switch content {
    case .scalar, .number, .flag: isNothing ? "nothing" : quote(text ?? "")
    case .list: "a list"
    case .map: "a map"
    }
  }
}
