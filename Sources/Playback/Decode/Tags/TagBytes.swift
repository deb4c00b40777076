/// Title, artist and album of a file as bytes, before their character set is known. [any]
struct TagBytes: Equatable {
  var title: [UInt8]?
  var artist: [UInt8]?
  var album: [UInt8]?

  /// The texts that are present.
  var all: [[UInt8]] { [title, artist, album].compactMap { $0 } }

  /// The texts for display. Those that are not UTF-8 are in one character set, guessed from all of them.
  var texts: (title: String?, artist: String?, album: String?) {
    let charset = Charset(guessedFrom: all)
    func text(_ bytes: [UInt8]?) -> String? { bytes.flatMap { tagText($0, in: charset) } }
    return (text(title), text(artist), text(album))
  }
}

/// A tag for display: one line of bounded length; nil if nothing is left. [any]
///
/// Bytes that are not UTF-8 are decoded by `charset`. Control characters and those that change the direction of
/// writing become spaces.
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
