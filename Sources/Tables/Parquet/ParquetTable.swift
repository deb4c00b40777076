/// Writes Apache Parquet: groups of rows, in each a page for every column, not compressed; the foot says where they lie
/// (https://github.com/apache/parquet-format). [one]
final class ParquetTable: TableWriter {
  /// Rows of a group, at most; one group is held in memory.
  static let rowsOfGroup = 16_384
  /// Bytes of a column of a group, about at most, so that long texts are bounded as well.
  private static let bytesOfPage = 16 << 20
  private static let mark = Array("PAR1".utf8)

  private let columns: [TableColumn]
  private let sink: TableSink
  private var pages: [ParquetPage]
  private var groups: [Group] = []
  /// Bytes written.
  private var offset: Int64 = 0

  /// Where the columns of a group lie in the file, in bytes.
  private struct Group {
    var rows: Int64
    var chunks: [(begin: Int64, size: Int64)]
  }

  init(_ columns: [TableColumn], to sink: @escaping TableSink) throws {
    self.columns = columns
    self.sink = sink
    pages = Array(repeating: ParquetPage(), count: columns.count)
    try write(Self.mark)
  }

  func add(_ row: [TableValue]) throws {
    for (place, value) in row.enumerated() { pages[place].add(value) }
    let isFull = pages.contains { $0.rows >= Self.rowsOfGroup || $0.size >= Self.bytesOfPage }
    if isFull { try endGroup() }
  }

  func finish() throws {
    try endGroup()
    let foot = self.foot
    try write(foot)
    try write(withUnsafeBytes(of: UInt32(foot.count).littleEndian) { Array($0) } + Self.mark)
  }

  private func write(_ bytes: [UInt8]) throws {
    try sink(bytes)
    offset += Int64(bytes.count)
  }

  private func endGroup() throws {
    guard let rows = pages.first?.rows, rows > 0 else { return }
    var group = Group(rows: Int64(rows), chunks: [])
    for place in pages.indices {
      let bytes = pages[place].bytes
      group.chunks.append((offset, Int64(bytes.count)))
      try write(bytes)
      pages[place] = ParquetPage()
    }
    groups.append(group)
  }

  /// What the file holds and where.
  private var foot: [UInt8] {
    var foot = ThriftWriter()
    foot.structure { foot in
      foot.field(1, Int32(1))
      foot.field(2, .structure, [nil] + columns.map(Optional.some)) { Self.schema($1, of: columns, &$0) }
      foot.field(3, groups.reduce(0) { $0 + $1.rows })
      foot.field(4, .structure, groups) { self.group($1, &$0) }
      foot.field(6, "visgraph")
    }
    return foot.bytes
  }

  /// The entry of a column, or of the whole that comes before all of them.
  private static func schema(
    _ column: TableColumn?, of columns: [TableColumn], _ foot: inout ThriftWriter
  ) {
    foot.structure { entry in
      guard let column else {
        entry.field(4, "schema")
        entry.field(5, Int32(columns.count))
        return
      }
      entry.field(1, type(of: column))
      entry.field(3, Int32(1))  // OPTIONAL
      entry.field(4, column.name)
      guard column.kind == .text else { return }
      entry.field(6, Int32(0))  // UTF8, for readers from before the next field
      entry.field(10) { logical in logical.field(1) { _ in } }  // STRING
    }
  }

  private static func type(of column: TableColumn) -> Int32 {
    switch column.kind {
    case .integer: 2  // INT64
    case .number: 5  // DOUBLE
    case .text: 6  // BYTE_ARRAY
    }
  }

  private func group(_ group: Group, _ foot: inout ThriftWriter) {
    foot.structure { entry in
      entry.field(1, .structure, Array(zip(columns, group.chunks))) { entry, part in
        let (column, chunk) = part
        entry.structure { entry in
          entry.field(2, chunk.begin)
          entry.field(3) { data in
            data.field(1, Self.type(of: column))
            data.field(2, .int32, [0, 3]) { $0.integer($1) }  // PLAIN, RLE
            data.field(3, .binary, [column.name]) { $0.text($1) }
            data.field(4, Int32(0))  // UNCOMPRESSED
            data.field(5, group.rows)
            data.field(6, chunk.size)
            data.field(7, chunk.size)
            data.field(9, chunk.begin)
          }
        }
      }
      entry.field(2, group.chunks.reduce(0) { $0 + $1.size })
      entry.field(3, group.rows)
    }
  }
}
