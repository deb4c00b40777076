/// Decodes the bytes of a terminal into keys (ECMA-48, xterm). Sequences of other keys (function keys, the brackets of
/// a bracketed paste) are skipped.
struct KeyDecoder {
  /// `csi`: after `ESC [` (control sequence introducer). `ss3`: after `ESC O` (single shift three).
  private enum State { case ground, escape, csi, ss3, linuxFunctionKey }
  private var state = State.ground
  /// The bytes between `ESC [` and the end of the sequence.
  private var parameters: [UInt8] = []
  /// The first bytes of a character that is not complete.
  private var pendingUTF8: [UInt8] = []

  /// Whether a sequence has begun and not ended.
  var isWaiting: Bool { state != .ground }

  /// Decodes bytes that follow those of the last call.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { keys += take(byte) }
    return keys
  }

  /// Ends an incomplete sequence after the timeout: ESC alone was the Escape key. `ESC [` was Alt and a bracket, which
  /// have no function.
  mutating func timedOut() -> [Key] {
    defer { state = .ground }
    return state == .escape ? [.escape] : []
  }

  private mutating func take(_ byte: UInt8) -> [Key] {
    if byte < 0x80 { pendingUTF8 = [] }
    switch (state, byte) {
    case (.escape, 0x1B): return [.escape]
    case (_, 0x1B): state = .escape
    case (.escape, UInt8(ascii: "[")):
      state = .csi
      parameters = []
    case (.escape, UInt8(ascii: "O")): state = .ss3
    // Alt with another key has no function.
    case (.escape, _): state = .ground
    case (.linuxFunctionKey, _): state = .ground
    case (.ss3, _):
      state = .ground
      return Self.named(byte).map { [$0] } ?? []
    // The Linux console sends F1 to F5 as `ESC [ [` and a letter.
    case (.csi, UInt8(ascii: "[")) where parameters.isEmpty: state = .linuxFunctionKey
    case (.csi, 0x40...0x7E):
      state = .ground
      return (byte == UInt8(ascii: "~") ? Self.numbered(parameters) : Self.named(byte)).map { [$0] } ?? []
    case (.csi, _): if parameters.count < 32 { parameters.append(byte) }
    case (.ground, 0x08), (.ground, 0x7F): return [.backspace]
    case (.ground, 0x09): return [.tab]
    case (.ground, 0x0A), (.ground, 0x0D): return [.enter]
    case (.ground, 1...26): return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case (.ground, 0x20...0x7E): return [.character(Character(Unicode.Scalar(byte)))]
    case (.ground, 0x80...): return appendUTF8(byte)
    case (.ground, _): break
    }
    return []
  }

  /// The key of a sequence that ends in a letter. Numbers before the letter, which state modifier keys, are ignored.
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

  /// The key of a sequence with a number that ends in `~`.
  private static func numbered(_ parameters: [UInt8]) -> Key? {
    switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "3": .delete
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  private mutating func appendUTF8(_ byte: UInt8) -> [Key] {
    if byte >= 0xC0 { pendingUTF8 = [] }
    pendingUTF8.append(byte)
    let length = pendingUTF8[0] >= 0xF0 ? 4 : pendingUTF8[0] >= 0xE0 ? 3 : 2
    guard pendingUTF8.count >= length else { return [] }
    defer { pendingUTF8 = [] }
    return String(validating: pendingUTF8, as: UTF8.self)?.first.map { [.character($0)] } ?? []
  }
}

/// A key that was pressed.
enum Key: Equatable, Sendable {
  case character(Character)
  /// Control and a small letter.
  case control(Character)
  case up, down, left, right
  case home, end, pageUp, pageDown
  case enter, escape, tab, backspace, delete

  /// The name on the pages of help. `isFull`: the terminal shows arrows.
  func name(isFull: Bool) -> String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .up: isFull ? "↑" : "up"
    case .down: isFull ? "↓" : "down"
    case .left: isFull ? "←" : "left"
    case .right: isFull ? "→" : "right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    }
  }
}
