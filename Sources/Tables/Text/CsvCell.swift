/// Cells of CSV (RFC 4180). [any]
public enum CsvCell {
  /// A text as a cell: in quotes if it contains a quote, a comma or a line break.
  public static func text(_ text: String) -> String {
    text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } ? quoted(text) : text
  }

  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    "\"\(text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
  }
}
