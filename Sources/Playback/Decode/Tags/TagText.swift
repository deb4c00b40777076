/// The title, artist and album of a file as bytes, before their character set is known. [any]
struct TagBytes: Equatable {
  /// The title.
  var title: [UInt8]?
  /// Who plays it.
  var artist: [UInt8]?
  /// What it is from.
  var album: [UInt8]?

  /// Those that there are.
  var all: [[UInt8]] { [title, artist, album].compactMap { $0 } }

  /// Takes the texts of an ID3 tag that states no true character set in place of what a library has made of them.
  mutating func take(_ old: ID3Texts) {
    title = old.texts.title ?? title
    artist = old.texts.artist ?? artist
    album = old.texts.album ?? album
  }

  /// The texts as they can be shown. What is not UTF-8 in them is in one character set, guessed from all of them.
  var texts: (title: String?, artist: String?, album: String?) {
    let charset = Charset(guessedFrom: all)
    func text(_ bytes: [UInt8]?) -> String? { bytes.flatMap { tagText($0, in: charset) } }
    return (text(title), text(artist), text(album))
  }
}

/// A tag as it can be shown: UTF-8, one line, of a bounded length; nil where nothing is left. [any]
///
/// Bytes that are not UTF-8 are taken as of the character set. Controls and what turns the direction of writing become
/// spaces.
func tagText(_ bytes: some Collection<UInt8>, in charset: Charset = .western) -> String? {
  let bytes = Array(bytes.prefix(TagText.most))
  var text = String.UnicodeScalarView()
  for scalar in (String(validating: TagText.whole(bytes), as: UTF8.self) ?? charset.text(bytes))
    .unicodeScalars
  {
    text.append(TagText.isUnsafe(scalar) ? " " : scalar)
  }
  let words = String(text).split(separator: " ", omittingEmptySubsequences: true)
  return words.isEmpty ? nil : words.joined(separator: " ")
}

/// The bytes of a C string as far as a tag is kept.
func tagBytes(_ string: UnsafePointer<CChar>) -> [UInt8] {
  var count = 0
  while count < TagText.most, string[count] != 0 { count += 1 }
  return UnsafeBufferPointer(start: string, count: count).map(UInt8.init(bitPattern:))
}

/// How tags are kept. [any]
enum TagText {
  /// Bytes of a tag that are kept.
  static let most = 1024

  /// The bytes without a character of UTF-8 cut off at the end.
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
