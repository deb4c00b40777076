/// Writes Apache Parquet: row groups with one uncompressed page for each column, then a footer with their offsets
/// (https://github.com/apache/parquet-format). [one]
final class ParquetTable: TableWriter {
  /// The most rows of a row group. One group is held in memory.
  static let rowsOfGroup = 16_384
  /// The size in bytes at which a page ends its row group, so that long texts are limited as well.
  private static let bytesOfPage = 16 << 20
  /// The magic number at both ends of the file.
  private static let magic = Array("PAR1".utf8)

  private let columns: [TableColumn]
  private let sink: TableSink
  private var pages: [ParquetPage]
  private var groups: [Group] = []
  /// The number of bytes written.
  private var offset: Int64 = 0

  /// The rows of a row group, and where its column chunks are in the file, in bytes.
  private struct Group {
    var rows: Int64
    var chunks: [(begin: Int64, size: Int64)]
  }

  init(_ columns: [TableColumn], to sink: @escaping TableSink) throws {
    self.columns = columns
    self.sink = sink
    pages = Array(repeating: ParquetPage(), count: columns.count)
    try write(Self.magic)
  }

  func add(_ row: [TableValue]) throws {
    for (place, value) in row.enumerated() { pages[place].add(value) }
    let isFull = pages.contains { $0.rows >= Self.rowsOfGroup || $0.size >= Self.bytesOfPage }
    if isFull { try endGroup() }
  }

  func finish() throws {
    try endGroup()
    let footer = self.footer
    try write(footer)
    try write(withUnsafeBytes(of: UInt32(footer.count).littleEndian) { Array($0) } + Self.magic)
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

  /// The footer, a `FileMetaData`.
  private var footer: [UInt8] {
    var footer = ThriftWriter()
    footer.structure { footer in
      footer.field(1, Int32(1))
      footer.field(2, .structure, [nil] + columns.map(Optional.some)) { Self.schema($1, of: columns, &$0) }
      footer.field(3, groups.reduce(0) { $0 + $1.rows })
      footer.field(4, .structure, groups) { self.group($1, &$0) }
      footer.field(6, "visgraph")
    }
    return footer.bytes
  }

  /// The `SchemaElement` of a column; nil: of the root, which comes first.
  private static func schema(
    _ column: TableColumn?, of columns: [TableColumn], _ footer: inout ThriftWriter
  ) {
    footer.structure { entry in
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

  private func group(_ group: Group, _ footer: inout ThriftWriter) {
    footer.structure { entry in
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
