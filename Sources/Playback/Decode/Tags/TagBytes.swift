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
