/// The bytes of a C string, at most `TagText.most`.
func tagBytes(_ string: UnsafePointer<CChar>) -> [UInt8] {
  var count = 0
  while count < TagText.most, string[count] != 0 { count += 1 }
  return UnsafeBufferPointer(start: string, count: count).map(UInt8.init(bitPattern:))
}

/// Limits of tags. [any]
enum TagText {
  /// The most bytes of a tag.
  static let most = 1024

  /// The bytes without an incomplete UTF-8 character at the limit.
  static func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == most else { return bytes }
    let lead = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
    let wanted =
      lead == bytes.count ? 0 : bytes[lead] < 0x80 ? 1 : bytes[lead] < 0xE0 ? 2 : bytes[lead] < 0xF0 ? 3 : 4
    return bytes.count - lead < wanted ? Array(bytes[..<lead]) : bytes
  }

  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 127...159, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
