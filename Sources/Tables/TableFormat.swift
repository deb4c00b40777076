/// The file format of a table. [any]
public enum TableFormat: String, CaseIterable, Sendable {
  /// Apache Parquet, which DuckDB, pandas, Polars and Spark read without options.
  case parquet
  /// Comma-separated values with a header (RFC 4180, but lines end with LF).
  case csv
  /// One JSON object per line.
  case jsonl
  /// An SQLite database with one table.
  case sqlite

  /// The file extensions of the format, without the dot.
  public var endings: [String] {
    switch self {
    case .parquet: ["parquet"]
    case .csv: ["csv"]
    case .jsonl: ["jsonl", "ndjson"]
    case .sqlite: ["sqlite", "sqlite3", "db"]
    }
  }

  /// The name of the format in help texts.
  public var help: String {
    switch self {
    case .parquet: "Apache Parquet"
    case .csv: "CSV with a header"
    case .jsonl: "a JSON object a line"
    case .sqlite: "a database of SQLite"
    }
  }

  /// The most columns of a table; nil: no limit.
  public var mostColumns: Int? { self == .sqlite ? 2000 : nil }

  /// The format for the extension of a path; nil: none.
  public init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = format
  }

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - columns: at least one, with unique names.
  ///   - name: the name of the table in a database.
  ///   - sink: receives the bytes.
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
