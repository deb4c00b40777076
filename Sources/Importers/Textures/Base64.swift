/// Base64 as files of many years have it: with line breaks, and with or without `=` at the end (RFC 4648).
enum Base64 {
  /// The bytes; nil where a character is none of base64's.
  static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount / 4 * 3)
    var (bits, held) = (UInt32(0), 0)
    var isOver = false
    for character in text {
      let six: UInt32
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): six = UInt32(character) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): six = UInt32(character) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): six = UInt32(character) + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): six = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): six = 63
      case UInt8(ascii: "="):
        isOver = true
        continue
      case 9, 10, 13, 32: continue
      default: return nil
      }
      if isOver { return nil }
      bits = bits << 6 | six
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    // One character by itself is less than a byte.
    return held == 6 ? nil : bytes
  }
}
