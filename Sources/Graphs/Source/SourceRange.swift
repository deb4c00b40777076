/// A place in a graph file. Lines and columns count from 1, columns in code points; the end is exclusive.
public struct SourceRange: Hashable, Sendable {
  /// First line.
  public var line: Int
  /// First column.
  public var column: Int
  /// Last line.
  public var endLine: Int
  /// One past the last column.
  public var endColumn: Int
  /// The command-line option that contains the place (`--set meter.release`); nil: a file does.
  public var option: String?
  /// The path of the file; nil: the graph file.
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

  /// The first character of an option or a file, for a fault that has no other place.
  public static func start(option: String? = nil, file: String? = nil) -> SourceRange {
    SourceRange(line: 1, column: 1, endLine: 1, endColumn: 1, option: option, file: file)
  }
}
