import Tables
import Testing

/// Tables as text: CSV and JSON lines.
@Suite struct TableTextTests {
  static let columns = [
    TableColumn("path", .text), TableColumn("channels", .integer), TableColumn("loudness_lufs", .number),
  ]

  static func bytes(_ format: TableFormat, _ rows: [[TableValue]]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let table = try format.writer(of: columns, called: "levels") { bytes += $0 }
    for row in rows { try table.add(row) }
    try table.finish()
    return bytes
  }

  static let rows: [[TableValue]] = [
    [.text("a.wav"), .integer(2), .number(-23)], [.text("b, \"c\"\n.wav"), .missing, .number(-0.125)],
    [.text(""), .integer(-1), .number(.infinity)], [.missing, .missing, .number(1e-7)],
  ]

  @Test
  func `a row of CSV quotes separators, tells an empty text from a missing one, and leaves infinity out`()
    throws
  {
    let text = String(decoding: try Self.bytes(.csv, Self.rows), as: UTF8.self)
    #expect(
      text == """
        path,channels,loudness_lufs
        a.wav,2,-23
        "b, ""c""
        .wav",,-0.125
        "",-1,
        ,,1e-07

        """)
  }

  @Test func `a line of JSON has all columns in order`() throws {
    let text = String(decoding: try Self.bytes(.jsonl, Self.rows), as: UTF8.self)
    #expect(
      text == #"""
        {"path":"a.wav","channels":2,"loudness_lufs":-23}
        {"path":"b, \"c\"\u000a.wav","channels":null,"loudness_lufs":-0.125}
        {"path":"","channels":-1,"loudness_lufs":null}
        {"path":null,"channels":null,"loudness_lufs":1e-07}

        """#)
  }

  @Test func `the extension of a path selects the format of a table`() {
    let endings = [
      "a.parquet", "b/c.CSV", "d.jsonl", "e.ndjson", "f.db", "g.sqlite3", "h.txt", "parquet", "b.csv/i",
    ]
    let formats = endings.map { TableFormat(endingOf: $0) }
    #expect(formats == [.parquet, .csv, .jsonl, .jsonl, .sqlite, .sqlite, nil, nil, nil])
  }
}
