import System

/// The keys and values of a particle file, and which of them were used. [control]
struct FileValues {
  /// What sentences call the file.
  let file: String
  /// Keys in the order of the file, each once.
  private(set) var keys: [String] = []
  /// Keys that were asked for as numbers and are not there.
  private(set) var missing: [String] = []
  /// Keys that the file has more than once.
  private(set) var repeated: [String] = []
  private var values: [String: FileValue] = [:]
  private var shown: [String: String] = [:]
  private var used: Set<String> = []

  /// The most keys; real files have about sixty.
  static let most = 10_000

  /// No keys yet.
  init(file: String) { self.file = file }

  /// Adds a value; of several under one key the last counts. `shown` is the key as the file has it, where that is
  /// more than a word.
  mutating func add(_ key: String, _ value: FileValue, shown: String? = nil) {
    // No key that is known is that long.
    let key = key.utf8.count > 256 ? FileText.shown(key) : key
    if let shown { self.shown[key] = shown }
    if values.updateValue(value, forKey: key) == nil { keys.append(key) } else { repeated.append(key) }
  }

  /// Keys that nothing asked for and that hold something.
  var unused: [String] { keys.filter { !used.contains($0) && values[$0] != .nothing } }

  /// Whether a key is there.
  func has(_ key: String) -> Bool { values[key].map { $0 != .nothing } ?? false }

  /// A key in the spelling of the file.
  func spelled(_ key: String) -> String {
    let spelling = spelling(key) ?? key
    return shown[spelling] ?? spelling
  }

  /// Whether a key is there in any spelling.
  func isGiven(_ key: String) -> Bool { spelling(key) != nil }

  private func spelling(_ key: String) -> String? {
    [
      key, key.replacing("Lifespan", with: "LifeSpan"), key.replacing("finishP", with: "FinishP"),
      key.replacing("AccelVariance", with: "AccelerationVariance"),
    ].first { has($0) }
  }

  /// The number under the first of some spellings that is there; 0, and noted as missing, where none is.
  mutating func number(_ spellings: String...) throws(ImportError) -> Double {
    if let number = try optional(spellings) { return number }
    missing.append(spellings[0])
    return 0
  }

  /// The number under the first of some spellings that is there.
  mutating func optional(_ spellings: String...) throws(ImportError) -> Double? { try optional(spellings) }

  private mutating func optional(_ spellings: [String]) throws(ImportError) -> Double? {
    var found: Double?
    for key in spellings {
      used.insert(key)
      if let value = values[key], let number = try number(value, key), found == nil { found = number }
    }
    return found
  }

  /// The text under a key; nil where it is not there or empty.
  mutating func text(_ key: String) throws(ImportError) -> String? {
    used.insert(key)
    switch values[key] {
    case nil, .nothing, .text(""): return nil
    case .text(let text): return text
    case .number(let number): return "\(number)"
    case let value?: throw wrong(key, value, "a text")
    }
  }

  /// The text or the bytes under a key.
  mutating func raw(_ key: String) -> FileValue? {
    used.insert(key)
    return has(key) ? values[key] : nil
  }

  /// The number truncated, as a program reads it that keeps it in an integer.
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
      // No hexadecimal, no inf, no nan.
      guard bytes.count <= 400, bytes.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }),
        let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
      else { throw wrong(key, value, "a number") }
      return number
    case .data, .other: throw wrong(key, value, "a number")
    }
  }

  /// A fault: a value of another kind than its key takes.
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
  /// JSON's null: as if the key were not there.
  case nothing
  /// A list, a dictionary, a date: what no key takes.
  case other(String)

  /// Whether it holds nothing: no bytes, or a text of spaces.
  var isBlank: Bool {
    switch self {
    case .text(let text): !text.utf8.contains { $0 > 0x20 }
    case .data(let data): data.isEmpty
    case .nothing: true
    case .number, .flag, .other: false
    }
  }

  /// What sentences call it.
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

/// As JSON has it.
extension FileValue: ReadFromJson {
  static func object(_ pairs: [(String, FileValue)]) -> FileValue { .other("a list or a dictionary") }
  static func array(_ values: [FileValue]) -> FileValue { .other("a list or a dictionary") }
  static func string(_ text: String) -> FileValue { .text(text) }
  static func bool(_ flag: Bool) -> FileValue { .flag(flag) }
  static var null: FileValue { .nothing }
}
