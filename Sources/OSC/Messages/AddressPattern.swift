/// One part of a received address, which may be a pattern of OSC 1.0: `*`, `?`, `[a-z]`, `[!a]`, `{rig,lamp}`.
///
/// Matching takes at most O(pattern × name), whatever the pattern.
public struct AddressPattern: Sendable {
  private enum Token: Sendable {
    case one(UInt8)
    /// `?`
    case any
    /// `*`
    case anything
    /// `[a-z]`, `[!a]`
    case oneOf([ClosedRange<UInt8>], negated: Bool)
    /// `{rig,lamp}`
    case words([[UInt8]])
  }

  /// Maximum asterisks in a part; each adds to the time of a match.
  public static let mostAsterisks = 8

  private let tokens: [Token]
  /// Minimum bytes of a name that matches.
  private let fewest: Int
  /// Whether it contains pattern characters.
  public let isPattern: Bool

  /// Parses a part; nil where a bracket or brace is not closed, or where there are too many asterisks.
  public init?(_ text: some StringProtocol) {
    var tokens: [Token] = []
    var asterisks = 0
    var rest = Array(text.utf8)[...]
    isPattern = rest.contains { "*?[]{}".utf8.contains($0) }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.any)
      case UInt8(ascii: "*"):
        // Several asterisks in a row are equal to one.
        if case .anything? = tokens.last { continue }
        asterisks += 1
        guard asterisks <= Self.mostAsterisks else { return nil }
        tokens.append(.anything)
      case UInt8(ascii: "["):
        guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        tokens.append(Self.set(rest[rest.startIndex..<close]))
        rest = rest[(close + 1)...]
      case UInt8(ascii: "{"):
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let words = rest[rest.startIndex..<close].split(
          separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        tokens.append(.words(words.map(Array.init)))
        rest = rest[(close + 1)...]
      case UInt8(ascii: "]"), UInt8(ascii: "}"): return nil
      default: tokens.append(.one(byte))
      }
    }
    self.tokens = tokens
    fewest = tokens.reduce(0) { sum, token in
      switch token {
      case .anything: sum
      case .words(let words): sum + (words.map(\.count).min() ?? 0)
      case .one, .any, .oneOf: sum + 1
      }
    }
  }

  private static func set(_ text: ArraySlice<UInt8>) -> Token {
    var text = text
    let negated = text.first == UInt8(ascii: "!")
    if negated { text = text.dropFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let low = text.popFirst() {
      // A minus at the end stands for itself.
      if text.first == UInt8(ascii: "-"), let high = text.dropFirst().first {
        ranges.append(min(low, high)...max(low, high))
        text = text.dropFirst(2)
      } else {
        ranges.append(low...low)
      }
    }
    return .oneOf(ranges, negated: negated)
  }

  /// Whether a name matches.
  public func matches(_ name: some StringProtocol) -> Bool {
    let name = Array(name.utf8)
    guard name.count >= fewest else { return false }
    // The positions in the name at which the tokens so far may end.
    var places = [Bool](repeating: false, count: name.count + 1)
    places[0] = true
    for token in tokens {
      var next = [Bool](repeating: false, count: name.count + 1)
      for place in 0...name.count where places[place] {
        switch token {
        case .anything:
          for later in place...name.count { next[later] = true }
        case .words(let words):
          for word in words where name[place...].starts(with: word) { next[place + word.count] = true }
        case .any: if place < name.count { next[place + 1] = true }
        case .one(let byte): if place < name.count, name[place] == byte { next[place + 1] = true }
        case .oneOf(let ranges, let negated):
          if place < name.count, ranges.contains(where: { $0.contains(name[place]) }) != negated {
            next[place + 1] = true
          }
        }
        // An asterisk has marked all later positions already.
        if case .anything = token { break }
      }
      places = next
    }
    return places[name.count]
  }
}

/// The characters that an OSC address may have: printable ASCII, without those that OSC 1.0 reserves for patterns.
enum AddressCharacters {
  static func isForbidden(_ character: Character) -> Bool {
    guard let byte = character.asciiValue, byte > 0x20, byte < 0x7F, character.utf8.count == 1 else {
      return true
    }
    return "#*,?[]{}".utf8.contains(byte)
  }

  /// Checks a whole address. Of a template, only the text outside braces is given.
  static func check(_ address: String) throws(OSCError) {
    guard address.first == "/" else { throw .addressStart(address) }
    var previous: Character = " "
    var index = 0
    for character in address {
      if isForbidden(character) { throw .addressCharacter(character, at: index, in: address) }
      if character == "/", previous == "/" { throw .addressEmptyPart(at: index, in: address) }
      previous = character
      index += 1
    }
    if previous == "/" { throw .addressEmptyPart(at: index - 1, in: address) }
  }

  /// Makes one part of an address from any text: forbidden characters and `/` become `_`, and so does an empty text.
  static func part(_ text: String) -> String {
    text.isEmpty ? "_" : String(text.map { $0 == "/" || isForbidden($0) ? "_" : $0 })
  }
}
