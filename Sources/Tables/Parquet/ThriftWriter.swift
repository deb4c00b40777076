/// Writes Thrift's compact protocol, as far as headers and footers of Parquet files need it
/// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). [one]
///
/// Fields of a struct are written in ascending order.
struct ThriftWriter {
  /// The types of fields and list elements, with their codes in the protocol.
  enum Kind: UInt8 {
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []
  /// The number of the last field of the current struct.
  private var last: Int16 = 0

  /// Writes a field of type i32.
  mutating func field(_ number: Int16, _ value: Int32) {
    head(number, .int32)
    integer(Int64(value))
  }

  /// Writes a field of type i64.
  mutating func field(_ number: Int16, _ value: Int64) {
    head(number, .int64)
    integer(value)
  }

  /// Writes a field of type string.
  mutating func field(_ number: Int16, _ text: String) {
    head(number, .binary)
    self.text(text)
  }

  /// Writes a field of type struct.
  mutating func field(_ number: Int16, _ body: (inout ThriftWriter) throws -> Void) rethrows {
    head(number, .structure)
    try structure(body)
  }

  /// Writes a field of type list. `body` writes each element.
  mutating func field<Element>(
    _ number: Int16, _ kind: Kind, _ list: [Element], _ body: (inout ThriftWriter, Element) -> Void
  ) {
    head(number, .list)
    if list.count < 15 {
      bytes.append(UInt8(list.count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      unsigned(UInt64(list.count))
    }
    for element in list { body(&self, element) }
  }

  /// Writes a struct at the top level or as a list element.
  mutating func structure(_ body: (inout ThriftWriter) throws -> Void) rethrows {
    let outer = last
    last = 0
    try body(&self)
    bytes.append(0)
    last = outer
  }

  /// Writes a number as a list element: a zigzag varint.
  mutating func integer(_ value: Int64) {
    unsigned(UInt64(bitPattern: value &<< 1) ^ UInt64(bitPattern: value >> 63))
  }

  /// Writes a string as a list element: its length as a varint, then UTF-8.
  mutating func text(_ text: String) {
    unsigned(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func head(_ number: Int16, _ kind: Kind) {
    // The short form of a field header: the structs of Parquet never skip 15 or more field numbers here.
    bytes.append(UInt8(number - last) << 4 | kind.rawValue)
    last = number
  }

  private mutating func unsigned(_ value: UInt64) {
    var remaining = value
    while remaining >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
      remaining >>= 7
    }
    bytes.append(UInt8(remaining))
  }
}
