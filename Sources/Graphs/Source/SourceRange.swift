/// Where something stands in a graph file: lines and columns from 1, in code points; the end is one past the last.
public struct SourceRange: Hashable, Sendable {
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
