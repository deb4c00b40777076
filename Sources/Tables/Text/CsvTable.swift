import System

/// Writes comma-separated values below a header. [one]
final class CsvTable: TableWriter {
  private let sink: TableSink

  init(_ columns: [TableColumn], to sink: @escaping TableSink) throws {
    self.sink = sink
    try sink(Self.line(columns.map { .text($0.name) }))
  }

  func add(_ row: [TableValue]) throws { try sink(Self.line(row)) }

  func finish() throws {}

  private static func line(_ row: [TableValue]) -> [UInt8] {
    Array((row.map { field($0.checked) }.joined(separator: ",") + "\n").utf8)
  }

  private static func field(_ value: TableValue) -> String {
    switch value {
    case .missing: return ""
    case .integer(let number): return String(number)
    case .number(let number): return String(shortest: number)
    case .text(let text):
      // Quotes distinguish an empty text from a missing value.
      return text.isEmpty ? CsvCell.quoted(text) : CsvCell.text(text)
    }
  }
}
