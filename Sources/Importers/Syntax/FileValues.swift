import System

/// The keys and values of a particle file. Notes which of them were used. [control]
struct FileValues {
  /// The name of the file in messages.
  let file: String
  /// The keys in the order of the file, each once.
  private(set) var keys: [String] = []
  /// Keys that were read as required numbers and are absent.
  private(set) var missing: [String] = []
  /// Keys that the file has more than once.
  private(set) var repeated: [String] = []
  private var values: [String: FileValue] = [:]
  /// The keys as the file has them, where that differs.
  private var shown: [String: String] = [:]
  /// The keys that were read.
  private var used: Set<String> = []

  /// The most keys of a file; real files have about sixty.
  static let most = 10_000

  /// Makes an empty list.
  init(file: String) { self.file = file }

  /// Adds a value; the last one of a key counts. `shown` is the key as the file has it, where that differs.
  mutating func add(_ key: String, _ value: FileValue, shown: String? = nil) {
    // No known key is that long.
    let key = key.utf8.count > 256 ? FileText.shown(key) : key
    if let shown { self.shown[key] = shown }
    if values.updateValue(value, forKey: key) == nil { keys.append(key) } else { repeated.append(key) }
  }

  /// Keys with a value that was not read.
  var unused: [String] { keys.filter { !used.contains($0) && values[$0] != .nothing } }

  /// Whether a key has a value.
  func has(_ key: String) -> Bool { values[key].map { $0 != .nothing } ?? false }

  /// A key as the file spells it.
  func spelled(_ key: String) -> String {
    let spelling = spelling(key) ?? key
    return shown[spelling] ?? spelling
  }

  /// Whether a key has a value in any spelling.
  func isGiven(_ key: String) -> Bool { spelling(key) != nil }

  private func spelling(_ key: String) -> String? {
    [
      key, key.replacing("Lifespan", with: "LifeSpan"), key.replacing("finishP", with: "FinishP"),
      key.replacing("AccelVariance", with: "AccelerationVariance"),
    ].first { has($0) }
  }

  /// The number under the first of some spellings that has one; 0, noted as missing, where none has.
  mutating func number(_ spellings: String...) throws(ImportError) -> Double {
    if let number = try optional(spellings) { return number }
    missing.append(spellings[0])
    return 0
  }

  /// The number under the first of some spellings that has one.
  mutating func optional(_ spellings: String...) throws(ImportError) -> Double? { try optional(spellings) }

  private mutating func optional(_ spellings: [String]) throws(ImportError) -> Double? {
    var found: Double?
    for key in spellings {
      used.insert(key)
      if let value = values[key], let number = try number(value, key), found == nil { found = number }
    }
    return found
  }

  /// The string under a key; nil: absent or empty.
  mutating func text(_ key: String) throws(ImportError) -> String? {
    used.insert(key)
    switch values[key] {
    case nil, .nothing, .text(""): return nil
    case .text(let text): return text
    case .number(let number): return "\(number)"
    case let value?: throw wrong(key, value, "a text")
    }
  }

  /// The value under a key, string or data; nil: absent.
  mutating func raw(_ key: String) -> FileValue? {
    used.insert(key)
    return has(key) ? values[key] : nil
  }

  /// The number truncated towards 0, for programs that keep it as an integer.
  mutating func whole(_ key: String) throws(ImportError) -> Double {
    try number(key).rounded(.towardZero)
  }

  private func number(_ value: FileValue, _ key: String) throws(ImportError) -> Double? {
    switch value {
    case .number(let number):
      guard number.isFinite else { throw wrong(key, value, "a finite number") }
      return number
    case .flag(let flag): return flag ? 1 : 0
    case .nothing: return nil
    case .text(let text):
      let trimmed = text.utf8.drop { $0 <= 0x20 }
      let bytes = Array(trimmed.reversed().drop { $0 <= 0x20 }.reversed())
      if bytes.isEmpty { return nil }
      // No hexadecimal, inf or nan.
      guard bytes.count <= 400, bytes.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }),
        let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
      else { throw wrong(key, value, "a number") }
      return number
    case .data, .other: throw wrong(key, value, "a number")
    }
  }

  /// The error for a value of the wrong kind.
  func wrong(_ key: String, _ value: FileValue, _ takes: String) -> ImportError {
    ImportError(
      "wrong-value", "\(file): \(FileText.shown(shown[key] ?? key)) is \(value.words); it takes \(takes)")
  }
}

/// One value of a particle file.
enum FileValue: Equatable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case data([UInt8])
  /// JSON's null; treated as absent.
  case nothing
  /// A list, a dictionary or a date, which no key takes; the text names it.
  case other(String)

  /// Whether it has no content: no bytes, or white space alone.
  var isBlank: Bool {
    switch self {
    case .text(let text): !text.utf8.contains { $0 > 0x20 }
    case .data(let data): data.isEmpty
    case .nothing: true
    case .number, .flag, .other: false
    }
  }

  /// The value in messages.
  var words: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): "\"\(FileText.shown(text))\""
    case .flag(let flag): "\(flag)"
    case .data: "data"
    case .nothing: "nothing"
    case .other(let kind): kind
    }
  }
}

/// Values read from JSON.
extension FileValue: ReadFromJson {
  static func object(_ pairs: [(String, FileValue)]) -> FileValue { .other("a list or a dictionary") }
  static func array(_ values: [FileValue]) -> FileValue { .other("a list or a dictionary") }
  static func string(_ text: String) -> FileValue { .text(text) }
  static func bool(_ flag: Bool) -> FileValue { .flag(flag) }
  static var null: FileValue { .nothing }
}
