/// A tag as it can be shown: UTF-8, one line, of a bounded length; nil where nothing is left. [any]
///
/// Bytes that are not UTF-8 are taken as Latin 1, which old tags are written in. Controls and what turns the direction
/// of writing become spaces.
func tagText(_ bytes: some Collection<UInt8>) -> String? {
  let bytes = bytes.prefix(TagText.most)
  let scalars: [Unicode.Scalar]
  if let text = String(validating: TagText.whole(Array(bytes)), as: UTF8.self) {
    scalars = Array(text.unicodeScalars)
  } else {
    scalars = bytes.map { Unicode.Scalar($0) }
  }
  var text = String.UnicodeScalarView()
  for scalar in scalars {
    text.append(TagText.isUnsafe(scalar) ? " " : scalar)
  }
  let words = String(text).split(separator: " ", omittingEmptySubsequences: true)
  return words.isEmpty ? nil : words.joined(separator: " ")
}

/// The same of a C string.
func tagText(_ string: UnsafePointer<CChar>) -> String? {
  var count = 0
  while count < TagText.most, string[count] != 0 { count += 1 }
  return tagText(UnsafeBufferPointer(start: string, count: count).map(UInt8.init(bitPattern:)))
}

private enum TagText {
  /// Bytes of a tag that are kept.
  static let most = 1024

  /// The bytes without a character cut off at the end.
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
