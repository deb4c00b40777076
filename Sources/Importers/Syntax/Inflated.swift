import CZlib

/// Decompresses gzip, zlib, and the raw deflate of zip archives, up to a limit. [control]
enum Inflated {
  /// Whether bytes begin as gzip (RFC 1952) or zlib (RFC 1950).
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2 else { return false }
    if bytes[0] == 0x1F && bytes[1] == 0x8B { return true }
    return bytes[0] & 0xF == 8 && bytes[0] >> 4 <= 7 && (Int(bytes[0]) << 8 + Int(bytes[1])) % 31 == 0
  }

  /// Why bytes could not be decompressed.
  enum InflateError: Error {
    /// The data are broken or incomplete.
    case broken
    /// The result exceeds the limit.
    case tooLarge
  }

  /// Decompresses bytes to at most `most` bytes. `isRaw`: deflate (RFC 1951) without a header.
  static func bytes(_ packed: [UInt8], most: Int, isRaw: Bool = false) throws(InflateError) -> [UInt8] {
    var stream = z_stream()
    // 15: a window of 32 KB. +32: gzip or zlib by the header; negative: no header.
    guard
      inflateInit2_(&stream, isRaw ? -15 : 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else {
      throw .broken
    }
    defer { inflateEnd(&stream) }
    var packed = packed
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = packed.count
    let failure: InflateError? = packed.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(count)
      while true {
        let (status, made) = piece.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          let status = inflate(&stream, Z_NO_FLUSH)
          return (status, output.count - Int(stream.avail_out))
        }
        if result.count + made > most { return .tooLarge }
        result.append(contentsOf: piece[..<made])
        if status == Z_STREAM_END { return nil }
        // No output and no input left: the data are incomplete.
        if status != Z_OK || (made == 0 && stream.avail_in == 0) { return .broken }
      }
    }
    if let failure { throw failure }
    return result
  }
}

/// Base64 (RFC 4648), also with line breaks, without `=` at the end, and in its URL-safe alphabet.
enum Base64 {
  /// Decodes base64; nil for an invalid character or length.
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
    // A single character holds less than a byte.
    return held == 6 ? nil : bytes
  }
}
