/// What a table is written as. [any]
public enum TableFormat: String, CaseIterable, Sendable {
  /// Apache Parquet, which DuckDB, pandas, Polars and Spark read as it is.
  case parquet
  /// Rows of values with commas between them, and a header (RFC 4180, lines ended by LF).
  case csv
  /// An object a line.
  case jsonl
  /// A database of SQLite with one table.
  case sqlite

  /// The endings that stand for it.
  public var endings: [String] {
    switch self {
    case .parquet: ["parquet"]
    case .csv: ["csv"]
    case .jsonl: ["jsonl", "ndjson"]
    case .sqlite: ["sqlite", "sqlite3", "db"]
    }
  }

  /// What it is called in a sentence.
  public var help: String {
    switch self {
    case .parquet: "Apache Parquet"
    case .csv: "CSV with a header"
    case .jsonl: "a JSON object a line"
    case .sqlite: "a database of SQLite"
    }
  }

  /// How many columns a table has at most; nil: any number.
  public var mostColumns: Int? { self == .sqlite ? 2000 : nil }

  /// The format that a path's ending asks for; nil: none.
  public init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = format
  }

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - name: what a database calls it.
  ///   - columns: at least one, each with a name of its own.
  ///   - sink: takes the bytes.
  /// - Throws: what the sink throws, and `TableError`.
  public func writer(
    of columns: [TableColumn], called name: String, to sink: @escaping TableSink
  ) throws -> any TableWriter {
    switch self {
    case .parquet: try ParquetTable(columns, to: sink)
    case .csv: try CsvTable(columns, to: sink)
    case .jsonl: JsonLinesTable(columns, to: sink)
    case .sqlite: try SqliteTable(columns, called: name, to: sink)
    }
  }
}
