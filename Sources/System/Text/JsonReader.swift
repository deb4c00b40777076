/// A type for JSON values. An enum with cases of these names conforms.
public protocol ReadFromJson {
  /// An object. The pairs are in the order of the text, including repeated keys.
  static func object(_ pairs: [(String, Self)]) -> Self
  /// An array.
  static func array(_ values: [Self]) -> Self
  /// A string.
  static func string(_ text: String) -> Self
  /// A number; infinite if it exceeds the range of a Double.
  static func number(_ number: Double) -> Self
  /// True or false.
  static func bool(_ flag: Bool) -> Self
  /// The value `null`.
  static var null: Self { get }
}

/// Reads JSON (RFC 8259) from untrusted sources. [control]
public struct JsonReader {
  /// The most nested arrays and objects.
  public static let mostDepth = 128

  private let bytes: [UInt8]
  private var place = 0

  private struct Fault: Error {}

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text that is one JSON value. Nil if it is not JSON, not UTF-8, or nested deeper than `mostDepth`.
  public static func value<Value: ReadFromJson>(in bytes: [UInt8], as: Value.Type = Value.self) -> Value? {
    whole(bytes) { reader throws(Fault) in try reader.value(mostDepth) }
  }

  /// Reads a text that is one JSON object. Nil if it is not.
  public static func object<Value: ReadFromJson>(
    in bytes: [UInt8], of: Value.Type = Value.self
  ) -> [(String, Value)]? {
    whole(bytes) { reader throws(Fault) in
      guard reader.next() == UInt8(ascii: "{") else { throw Fault() }
      return try reader.pairs(mostDepth)
    }
  }

  /// Runs `read` on a whole text, which may begin with a byte order mark. Nil if bytes are left.
  private static func whole<Result>(
    _ bytes: [UInt8], _ read: (inout JsonReader) throws(Fault) -> Result
  ) -> Result? {
    let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var reader = JsonReader(bytes)
    reader.place = hasByteOrderMark ? 3 : 0
    guard let result = try? read(&reader), reader.next() == nil else { return nil }
    return result
  }

  /// The next byte that is not white space, without consuming it.
  private mutating func next() -> UInt8? {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place < bytes.count ? bytes[place] : nil
  }

  /// Consumes a byte if it is the next.
  private mutating func passes(_ wanted: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: wanted) else { return false }
    place += 1
    return true
  }

  private mutating func value<Value: ReadFromJson>(_ depth: Int) throws(Fault) -> Value {
    switch next() {
    case UInt8(ascii: "{"): return .object(try pairs(depth))
    case UInt8(ascii: "["): return .array(try values(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func pairs<Value: ReadFromJson>(_ depth: Int) throws(Fault) -> [(String, Value)] {
    guard depth > 0 else { throw Fault() }
    place += 1
    var pairs: [(String, Value)] = []
    if passes("}") { return pairs }
    repeat {
      guard next() == UInt8(ascii: "\"") else { throw Fault() }
      let key = try string()
      guard passes(":") else { throw Fault() }
      pairs.append((key, try value(depth - 1)))
    } while passes(",")
    guard passes("}") else { throw Fault() }
    return pairs
  }

  private mutating func values<Value: ReadFromJson>(_ depth: Int) throws(Fault) -> [Value] {
    guard depth > 0 else { throw Fault() }
    place += 1
    var values: [Value] = []
    if passes("]") { return values }
    repeat { values.append(try value(depth - 1)) } while passes(",")
    guard passes("]") else { throw Fault() }
    return values
  }

  private mutating func word<Value>(_ word: StaticString, _ value: Value) throws(Fault) -> Value {
    let end = place + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes[place..<end].elementsEqual("\(word)".utf8) else { throw Fault() }
    place = end
    return value
  }

  /// The next byte; 0 at the end.
  private var byte: UInt8 { place < bytes.count ? bytes[place] : 0 }

  /// Consumes digits. Returns their number.
  private mutating func digits() -> Int {
    let start = place
    while byte &- 0x30 < 10 { place += 1 }
    return place - start
  }

  private mutating func number() throws(Fault) -> Double {
    let start = place
    if byte == UInt8(ascii: "-") { place += 1 }
    let first = byte
    let whole = digits()
    guard whole == 1 || whole > 1 && first != UInt8(ascii: "0") else { throw Fault() }
    if byte == UInt8(ascii: ".") {
      place += 1
      guard digits() > 0 else { throw Fault() }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      place += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { place += 1 }
      guard digits() > 0 else { throw Fault() }
    }
    guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else { throw Fault() }
    return number
  }

  private mutating func string() throws(Fault) -> String {
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try Array(escaped().utf8)
      case 0..<0x20: throw Fault()
      default: text.append(byte)
      }
    }
    throw Fault()
  }

  /// Reads an escape sequence after its backslash.
  private mutating func escaped() throws(Fault) -> Character {
    guard place < bytes.count else { throw Fault() }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var code = UInt32(try unit())
      // A surrogate has to be followed by the other half of its pair.
      if code & 0xFC00 == 0xD800 {
        guard bytes[place...].starts(with: "\\u".utf8) else { throw Fault() }
        place += 2
        let low = UInt32(try unit())
        guard low & 0xFC00 == 0xDC00 else { throw Fault() }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = Unicode.Scalar(code) else { throw Fault() }
      return Character(scalar)
    default: throw Fault()
    }
  }

  /// Reads four hexadecimal digits, a UTF-16 code unit.
  private mutating func unit() throws(Fault) -> UInt16 {
    guard place + 4 <= bytes.count else { throw Fault() }
    var unit: UInt16 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Fault() }
      unit = unit << 4 | UInt16(digit)
    }
    place += 4
    return unit
  }
}
