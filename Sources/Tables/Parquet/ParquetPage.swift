/// A data page of a Parquet column: the definition levels of its rows, then the values in the encoding PLAIN
/// (https://github.com/apache/parquet-format/blob/master/Encodings.md). [one]
struct ParquetPage {
  private(set) var values: [UInt8] = []
  /// One bit for each row, the first in bit 0 of byte 0: 1 if the row has a value (definition level 1).
  private var levels: [UInt8] = []
  private(set) var rows = 0

  /// The number of bytes so far, without the header.
  var size: Int { values.count + levels.count }

  /// Adds the value of the next row.
  mutating func add(_ value: TableValue) {
    if rows % 8 == 0 { levels.append(0) }
    switch value.checked {
    case .missing:
      rows += 1
      return
    case .integer(let number): append(UInt64(bitPattern: number))
    case .number(let number): append(number.bitPattern)
    case .text(let text):
      let count = UInt32(text.utf8.count)
      withUnsafeBytes(of: count.littleEndian) { values.append(contentsOf: $0) }
      values.append(contentsOf: text.utf8)
    }
    levels[rows / 8] |= 1 << (rows % 8)
    rows += 1
  }

  private mutating func append(_ bits: UInt64) {
    withUnsafeBytes(of: bits.littleEndian) { values.append(contentsOf: $0) }
  }

  /// The page with its header.
  var bytes: [UInt8] {
    let levels = runs
    let size = levels.count + values.count
    var head = ThriftWriter()
    head.structure { head in
      head.field(1, Int32(0))  // DATA_PAGE
      head.field(2, Int32(size))
      head.field(3, Int32(size))
      head.field(5) { page in
        page.field(1, Int32(rows))
        page.field(2, Int32(0))  // PLAIN
        page.field(3, Int32(3))  // RLE
        page.field(4, Int32(3))  // RLE
      }
    }
    return head.bytes + levels + values
  }

  /// The definition levels as one bit-packed run of width 1, with the length in front.
  private var runs: [UInt8] {
    var run: [UInt8] = []
    var head = levels.count << 1 | 1
    while head >= 0x80 {
      run.append(UInt8(truncatingIfNeeded: head) | 0x80)
      head >>= 7
    }
    run.append(UInt8(head))
    run += levels
    return withUnsafeBytes(of: UInt32(run.count).littleEndian) { Array($0) } + run
  }
}
