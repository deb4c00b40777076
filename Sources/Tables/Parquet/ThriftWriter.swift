/// Bytes in Thrift's compact protocol, as far as the head and foot of a Parquet file need it
/// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). [one]
///
/// Fields of a struct are written in the order of their numbers.
struct ThriftWriter {
  /// The types of fields and of elements of lists.
  enum Kind: UInt8 {
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  /// What was written.
  private(set) var bytes: [UInt8] = []
  /// The number of the last field of the struct that is being written.
  private var last: Int16 = 0

  /// A field that is a number.
  mutating func field(_ number: Int16, _ value: Int32) {
    head(number, .int32)
    integer(Int64(value))
  }

  /// A field that is a number of 64 bits.
  mutating func field(_ number: Int16, _ value: Int64) {
    head(number, .int64)
    integer(value)
  }

  /// A field that is a text.
  mutating func field(_ number: Int16, _ text: String) {
    head(number, .binary)
    self.text(text)
  }

  /// A field that is a struct.
  mutating func field(_ number: Int16, _ body: (inout ThriftWriter) throws -> Void) rethrows {
    head(number, .structure)
    try structure(body)
  }

  /// A field that is a list; `body` writes each of its elements.
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

  /// A struct by itself, or as an element of a list.
  mutating func structure(_ body: (inout ThriftWriter) throws -> Void) rethrows {
    let outer = last
    last = 0
    try body(&self)
    bytes.append(0)
    last = outer
  }

  /// A number as an element of a list.
  mutating func integer(_ value: Int64) {
    unsigned(UInt64(bitPattern: value &<< 1) ^ UInt64(bitPattern: value >> 63))
  }

  /// A text as an element of a list.
  mutating func text(_ text: String) {
    unsigned(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func head(_ number: Int16, _ kind: Kind) {
    // All structs of Parquet that are written here leave out fewer than 15 fields in a row.
    bytes.append(UInt8(number - last) << 4 | kind.rawValue)
    last = number
  }

  private mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
