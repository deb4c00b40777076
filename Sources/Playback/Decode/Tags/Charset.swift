import CUchardet
import Glibc

/// A character set for texts that state none, guessed by uchardet from all of them together. [any]
///
/// Texts whose letters are mostly ASCII are taken as Windows-1252, because a guess from one or two accents is more
/// often wrong. Otherwise all texts are guessed together, because a single title is too short.
struct Charset: Equatable, Sendable {
  /// Windows-1252; bytes without a character in it become control characters.
  static let western = Charset(name: nil)

  /// iconv's name; nil for Windows-1252.
  private(set) var name: String?

  private init(name: String?) { self.name = name }

  /// Guesses from the texts that are not UTF-8, at most 1000 of them.
  init(guessedFrom texts: some Sequence<[UInt8]>) {
    self = .western
    let foreign = texts.lazy.map { Array($0.prefix(TagText.most)) }
      .filter { String(validating: $0, as: UTF8.self) == nil }.prefix(1000)
    // Splits paths at slashes as well: no set uses that byte within a character.
    let words = foreign.flatMap { text in
      text.split { [0x20, 0x22, 0x2C, 0x2F, 0x3D].contains($0) }.filter { $0.contains { $0 >= 0x80 } }
    }
    guard let guess = Charset.detected(Array(words.joined(separator: [0x20]))) else { return }
    let other = words.reduce(0) { $0 + $1.count { $0 >= 0x80 } }
    let isLatin = other < 3 || other < words.reduce(0) { $0 + $1.count(where: Charset.isLetter) }
    // Among Latin sets only the Central European one is distinguished, and only if Windows-1252 would have symbols
    // within words.
    guard isLatin ? Charset.isCentral(guess, words) : Charset.others.contains(guess) else { return }
    let charset = Charset(name: Charset.wider[guess] ?? guess)
    if foreign.allSatisfy({ charset.strictText($0) != nil }) { self = charset }
  }

  /// Decodes a text. One that is not valid in this set is decoded as Windows-1252.
  func text(_ bytes: [UInt8]) -> String {
    strictText(bytes) ?? (name == nil ? Charset.westernText(bytes) : Charset.western.text(bytes))
  }

  /// uchardet's guess, if it has one. It needs some hundred bytes, so short texts are repeated.
  private static func detected(_ text: [UInt8]) -> String? {
    let text = text.map(CChar.init(bitPattern:)) + [0x20]
    guard text.count > 1, let detector = uchardet_new() else { return nil }
    defer { uchardet_delete(detector) }
    for _ in 0..<1 + 512 / text.count { _ = uchardet_handle_data(detector, text, text.count) }
    uchardet_data_end(detector)
    return uchardet_get_charset(detector).map { String(cString: $0) }
  }

  /// Decodes a text that is valid in this set, except for an incomplete character at its end; nil otherwise.
  private func strictText(_ bytes: [UInt8]) -> String? {
    guard let name, let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
      return nil
    }
    defer { iconv_close(converter) }
    // A byte gives at most one character, of at most four bytes in UTF-8.
    var (source, target) = (bytes.map(CChar.init(bitPattern:)), [CChar](repeating: 0, count: 4 * bytes.count))
    var (left, room) = (source.count, target.count)
    let isValid = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (from, into) = (source.baseAddress, target.baseAddress)
        // EINVAL: a character at the end of the kept bytes is incomplete, which is accepted.
        guard iconv(converter, &from, &left, &into, &room) != -1 || errno == EINVAL else { return false }
        // In sets with combining marks, iconv holds the last letter back until it is flushed.
        return iconv(converter, nil, nil, &into, &room) != -1
      }
    }
    guard isValid else { return nil }
    return String(decoding: target[..<(target.count - room)].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

// MARK: - Character sets that are distinguished

extension Charset {
  /// The guesses of uchardet that are believed where other letters prevail: for short texts, it guesses one of the
  /// many Latin sets too readily.
  private static let others: Set = [
    "WINDOWS-1251", "KOI8-R", "ISO-8859-5", "MAC-CYRILLIC", "IBM855", "IBM866", "ISO-8859-7", "WINDOWS-1253",
    "ISO-8859-8", "WINDOWS-1255", "ISO-8859-6", "WINDOWS-1256", "TIS-620", "ISO-8859-11", "SHIFT_JIS",
    "EUC-JP", "GB18030", "BIG5", "EUC-TW", "EUC-KR", "UHC",
  ]

  /// Supersets of the guessed sets, as programs on Windows use them.
  private static let wider = ["SHIFT_JIS": "CP932", "BIG5": "BIG5-HKSCS", "ISO-8859-2": "WINDOWS-1250"]

  /// Whether the guess is Central European, and a letter is followed by a byte that is a letter there and a symbol in
  /// Windows-1252: ź, Ł, Ą, Ż, ł, ą, Ľ, ľ, ż.
  private static func isCentral(_ guess: String, _ words: [ArraySlice<UInt8>]) -> Bool {
    guard ["ISO-8859-2", "WINDOWS-1250"].contains(guess) else { return false }
    return words.contains { word in
      zip(word, word.dropFirst()).contains { before, byte in
        isLetter(before) && [0x9F, 0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBC, 0xBE, 0xBF].contains(byte)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }

  private static func westernText(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "?")
    }
    return String(text)
  }

  /// Windows-1252 at 0x80…0x9F, where ISO 8859-1 has control characters (unicode.org, CP1252.TXT).
  private static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
