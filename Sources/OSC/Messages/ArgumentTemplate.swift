/// The arguments of a message that sends a value: the value with its type, and the arguments before and after it.
public struct ArgumentTemplate: Sendable, Equatable {
  /// The type of a value in a message.
  public enum Form: String, CaseIterable, Sendable {
    /// `f`
    case float
    /// `i`, rounded.
    case int
    /// `T` from 0.5 on, else `F`.
    case bool
    /// `s`, the number as text, with at most three decimals.
    case string
  }

  /// Maximum number of arguments.
  public static let most = 16
  static let value = "{value}"

  /// The arguments as they were written; one of them contains `{value}`.
  public let words: [String]
  /// The type of the value where it is an argument by itself; within a text it is `.string`.
  public let form: Form

  /// The index in `words` of the argument that contains `{value}`.
  private let place: Int

  /// Parses arguments; an empty list means the value alone. Throws where `{value}` is missing or occurs more than
  /// once, and where a placeholder is faulty.
  public init(_ words: [String] = [], form: Form = .float) throws(OSCError) {
    let written = words.isEmpty ? [Self.value] : words
    let places = written.indices.filter { written[$0].contains(Self.value) }
    guard let place = places.first, places.count == 1,
      written[place].ranges(of: Self.value).count == 1
    else { throw .argumentValue(written) }
    for word in written { try Self.check(word) }
    (self.words, self.place) = (written, place)
    self.form = written[place] == Self.value ? form : .string
  }

  private static func check(_ word: String) throws(OSCError) {
    var rest = Substring(word)
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { throw .openPlaceholder(at: 0, in: word) }
      let name = String(rest[rest.index(after: open)..<close])
      guard name == "value" || AddressTemplate.Placeholder(rawValue: name) != nil else {
        throw .argumentPlaceholder(name, in: word)
      }
      rest = rest[rest.index(after: close)...]
    }
    if word.utf8.contains(0) { throw .zeroByte(word) }
  }

  /// Whether the value is the only argument.
  var isPlain: Bool { words == [Self.value] }

  /// The arguments around the value, and the text around it, with the placeholders of one message replaced.
  func filled(_ values: AddressTemplate.Values) -> Filled {
    // Split first: a name may contain `{value}`, too.
    let parts = words[place].split(separator: Self.value, maxSplits: 1, omittingEmptySubsequences: false)
    func text(_ part: some StringProtocol) -> String {
      String(part).replacing("{node}", with: values.node).replacing("{source}", with: values.source)
        .replacing("{channel}", with: "\(values.channel)").replacing("{name}", with: values.name)
    }
    return Filled(
      before: words[..<place].map { Self.argument(text($0)) }, head: text(parts[0]), tail: text(parts[1]),
      behind: words[(place + 1)...].map { Self.argument(text($0)) })
  }

  /// A key of the arguments without the value, which tells messages to one address apart.
  public func text(_ values: AddressTemplate.Values) -> String { isPlain ? "" : "\(filled(values))" }

  private static func argument(_ word: String) -> Argument {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    default: Argument(word) ?? .string(word)
    }
  }

  /// The arguments of one message, without the value.
  struct Filled: Equatable {
    var before: [Argument] = []
    /// The text before and after the value within its own argument.
    var head = ""
    var tail = ""
    var behind: [Argument] = []
  }
}

extension Argument {
  /// Bytes of the argument in a packet, without its tag.
  var size: Int {
    switch self {
    case .int, .float: 4
    case .int64, .double, .timeTag: 8
    case .bool, .null, .impulse: 0
    case .string(let text): text.utf8.count / 4 * 4 + 4
    case .blob(let bytes): 4 + (bytes.count + 3) / 4 * 4
    }
  }
}

/// Formats a number as short text without allocating. [frame]
enum NumberText {
  /// Maximum bytes, rounded up: `-999999999.999` has 14.
  static let most = 16

  /// Writes a number, clamped to ±10⁹, with at most three decimals and without trailing zeros; NaN becomes 0. Returns
  /// the number of bytes.
  static func write(_ value: Float, to place: UnsafeMutablePointer<UInt8>) -> Int {
    let limited = value.isNaN ? 0 : max(-1e9, min(1e9, Double(value)))
    let thousandths = Int64((abs(limited) * 1000).rounded())
    var count = 0
    func put(_ byte: UInt8) {
      place[count] = byte
      count += 1
    }
    if limited < 0, thousandths > 0 { put(UInt8(ascii: "-")) }
    let whole = thousandths / 1000
    var power: Int64 = 1
    while whole / power >= 10 { power *= 10 }
    while power > 0 {
      put(UInt8(ascii: "0") + UInt8(whole / power % 10))
      power /= 10
    }
    var rest = thousandths % 1000
    if rest > 0 { put(UInt8(ascii: ".")) }
    while rest > 0 {
      put(UInt8(ascii: "0") + UInt8(rest / 100))
      rest = rest % 100 * 10
    }
    return count
  }
}
