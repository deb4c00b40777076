import CSqlite

/// Makes an SQLite database with one table in memory, and writes it as a whole. [one]
final class SqliteTable: TableWriter {
  private let database: OpaquePointer
  private var insertion: OpaquePointer?
  private let sink: TableSink

  /// - Parameter name: the name of the table.
  init(_ columns: [TableColumn], called name: String, to sink: @escaping TableSink) throws {
    self.sink = sink
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard status == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw TableError(reason: String(cString: sqlite3_errstr(status)))
    }
    database = opened
    let declared = columns.map { "\(Self.quoted($0.name)) \(Self.type(of: $0))" }.joined(separator: ", ")
    try run("CREATE TABLE \(Self.quoted(name)) (\(declared))")
    try run("BEGIN")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try check(
      sqlite3_prepare_v2(
        database, "INSERT INTO \(Self.quoted(name)) VALUES (\(places))", -1, &insertion, nil))
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_close_v2(database)
  }

  func add(_ row: [TableValue]) throws {
    sqlite3_reset(insertion)
    for (index, value) in row.enumerated() {
      let place = Int32(index + 1)
      switch value.checked {
      case .missing: try check(sqlite3_bind_null(insertion, place))
      case .integer(let number): try check(sqlite3_bind_int64(insertion, place, number))
      case .number(let number): try check(sqlite3_bind_double(insertion, place, number))
      case .text(let text):
        let count = Int32(text.utf8.count)
        try check(text.withCString { vg_sqlite_bind_text(insertion, place, $0, count) })
      }
    }
    try check(sqlite3_step(insertion), wanted: SQLITE_DONE)
  }

  func finish() throws {
    sqlite3_reset(insertion)
    try run("COMMIT")
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(database, "main", &size, 0) else {
      throw TableError(reason: "there is not enough memory")
    }
    defer { sqlite3_free(bytes) }
    try sink(Array(UnsafeBufferPointer(start: bytes, count: Int(size))))
  }

  private static func type(of column: TableColumn) -> String {
    switch column.kind {
    case .integer: "INTEGER"
    case .number: "REAL"
    case .text: "TEXT"
    }
  }

  private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  private func run(_ statement: String) throws {
    try check(sqlite3_exec(database, statement, nil, nil, nil))
  }

  private func check(_ status: Int32, wanted: Int32 = SQLITE_OK) throws {
    if status != wanted { throw TableError(reason: String(cString: sqlite3_errmsg(database))) }
  }
}
