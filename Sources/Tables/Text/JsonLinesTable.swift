import System

/// Writes one JSON object per line, with all columns in order; a missing value is `null`. [one]
final class JsonLinesTable: TableWriter {
  private let sink: TableSink
  private let keys: [String]

  init(_ columns: [TableColumn], to sink: @escaping TableSink) {
    self.sink = sink
    keys = columns.map { JsonText.quoted($0.name) + ":" }
  }

  func add(_ row: [TableValue]) throws {
    let pairs = zip(keys, row).map { $0 + JsonText.value($1) }
    try sink(Array("{\(pairs.joined(separator: ","))}\n".utf8))
  }

  func finish() throws {}
}

extension JsonText {
  /// A value in JSON. [any]
  static func value(_ value: TableValue) -> String {
    switch value.checked {
    case .missing: "null"
    case .integer(let number): String(number)
    case .number(let number): String(shortest: number)
    case .text(let text): quoted(text)
    }
  }
}
