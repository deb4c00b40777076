/// Takes keys out of what a terminal sends, as ECMA-48 and xterm have them; sequences of keys that mean nothing here
/// (function keys, pastes' frames) are skipped.
struct KeyDecoder {
  private enum State { case plain, escape, sequence, single, skipped }
  private var state = State.plain
  private var figures: [UInt8] = []
  private var rest: [UInt8] = []

  /// Milliseconds after which what follows an escape was typed: a key that sends several bytes may come in pieces.
  static let escapePause: Int32 = 30

  /// Whether an escape has come, and nothing yet that says whether it was a key or begins a sequence.
  var isWaiting: Bool { state == .escape }

  /// The keys in some bytes, which follow those of the last call.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { keys += take(byte) }
    return keys
  }

  /// Nothing has followed for a moment: an escape was a key of its own.
  mutating func rested() -> [Key] {
    guard state == .escape else { return [] }
    state = .plain
    return [.escape]
  }

  private mutating func take(_ byte: UInt8) -> [Key] {
    switch (state, byte) {
    case (.escape, 0x1B): return [.escape]
    case (_, 0x1B): state = .escape
    case (.escape, UInt8(ascii: "[")):
      state = .sequence
      figures = []
    case (.escape, UInt8(ascii: "O")): state = .single
    // A letter with Alt means nothing here.
    case (.escape, _), (.skipped, _): state = .plain
    case (.single, _):
      state = .plain
      return Self.named(byte).map { [$0] } ?? []
    // The console of Linux sends its first function keys so.
    case (.sequence, UInt8(ascii: "[")) where figures.isEmpty: state = .skipped
    case (.sequence, 0x40...0x7E):
      state = .plain
      return (byte == UInt8(ascii: "~") ? Self.numbered(figures) : Self.named(byte)).map { [$0] } ?? []
    case (.sequence, _): if figures.count < 32 { figures.append(byte) }
    case (.plain, 0x08), (.plain, 0x7F): return [.backspace]
    case (.plain, 0x09): return [.tab]
    case (.plain, 0x0A), (.plain, 0x0D): return [.enter]
    case (.plain, 1...26): return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case (.plain, 0x20...0x7E): return [.character(Character(Unicode.Scalar(byte)))]
    case (.plain, 0x80...): return other(byte)
    case (.plain, _): break
    }
    return []
  }

  /// The keys whose sequences end in a letter; what stands before it says which other keys are held.
  private static func named(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  /// The keys whose sequences have a number and end in `~`.
  private static func numbered(_ figures: [UInt8]) -> Key? {
    switch String(decoding: figures.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "3": .delete
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  private mutating func other(_ byte: UInt8) -> [Key] {
    if byte >= 0xC0 { rest = [] }
    rest.append(byte)
    let length = rest[0] >= 0xF0 ? 4 : rest[0] >= 0xE0 ? 3 : 2
    guard rest.count >= length else { return [] }
    defer { rest = [] }
    return String(validating: rest, as: UTF8.self)?.first.map { [.character($0)] } ?? []
  }
}

/// A key that was pressed.
enum Key: Equatable, Sendable {
  /// A character, as typed.
  case character(Character)
  /// Control and a small letter.
  case control(Character)
  /// The arrows.
  case up, down, left, right
  /// The keys that move by more.
  case home, end, pageUp, pageDown
  /// The keys that end and mend what was typed.
  case enter, escape, tab, backspace, delete
}
