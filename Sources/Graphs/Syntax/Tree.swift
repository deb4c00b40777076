/// Where something stands in a graph file: lines and columns from 1, in code points; the end is one past the last.
public struct Mark: Hashable, Sendable {
  /// First line.
  public var line: Int
  /// First column.
  public var column: Int
  /// Last line.
  public var endLine: Int
  /// One past the last column.
  public var endColumn: Int
  /// The option of the command line that it stands in (`--set meter.release`); nil: in the file.
  public var option: String?
  /// The path of the file that it stands in; nil: in the graph file.
  public var file: String?

  /// Makes a mark.
  public init(
    line: Int, column: Int, endLine: Int, endColumn: Int, option: String? = nil, file: String? = nil
  ) {
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
    self.option = option
    self.file = file
  }
}

/// A graph file as written, before anybody asks what it means.
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
    /// Values in order.
    case list([Tree])
    /// Pairs in file order.
    case map([Pair])
  }
  /// What it is.
  public var content: Content
  /// Where it stands.
  public var mark: Mark

  /// Makes a tree.
  public init(_ content: Content, mark: Mark) {
    self.content = content
    self.mark = mark
  }
}
