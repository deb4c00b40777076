/// A key that was pressed.
enum Key: Equatable, Sendable {
  /// A character, as typed.
  case character(Character)
  /// Control and a small letter.
  case control(Character)
}

/// Takes keys out of what a terminal sends; sequences of other keys (arrows, function keys, pastes' frames) are skipped.
struct KeyDecoder {
  private enum State { case plain, escape, sequence, oneMore }
  private var state = State.plain
  private var rest: [UInt8] = []

  /// The keys in some bytes, which follow those of the last call.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      switch (state, byte) {
      case (_, 0x1B): state = .escape
      case (.escape, UInt8(ascii: "[")): state = .sequence
      case (.escape, UInt8(ascii: "O")): state = .oneMore
      case (.escape, _), (.oneMore, _): state = .plain
      case (.sequence, 0x40...0x7E): state = .plain
      case (.sequence, _): break
      case (.plain, 1...26): keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
      case (.plain, 0x20...0x7E): keys.append(.character(Character(Unicode.Scalar(byte))))
      case (.plain, 0x80...): keys += other(byte)
      case (.plain, _): break
      }
    }
    // A lone escape is a key of its own, not the beginning of what comes next.
    if state == .escape { state = .plain }
    return keys
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
