import CUchardet
import Glibc

/// The character set of texts that state none, guessed from all of them together by uchardet. [any]
///
/// A text is taken as western (Windows-1252) while most of its letters are ASCII: a guess from one or two accents would be
/// wrong more often than that. Where other letters prevail, the texts decide together, as one title is too short.
struct Charset: Equatable, Sendable {
  /// Windows-1252, which has a character for every byte here.
  static let western = Charset(name: nil)

  /// As iconv knows it; nil for the western one.
  private(set) var name: String?

  private init(name: String?) { self.name = name }

  /// Guesses from the texts that are not UTF-8, the first thousand of them.
  init(guessedFrom texts: some Sequence<[UInt8]>) {
    self = .western
    let foreign = texts.lazy.map { Array($0.prefix(TagText.most)) }
      .filter { String(validating: $0, as: UTF8.self) == nil }.prefix(1000)
    // The folders of a path are words of their own; no set has the slash for a part of another character.
    let words = foreign.flatMap { text in
      text.split { [0x20, 0x22, 0x2C, 0x2F, 0x3D].contains($0) }.filter { $0.contains { $0 >= 0x80 } }
    }
    guard let guess = Charset.detected(Array(words.joined(separator: [0x20]))) else { return }
    let other = words.reduce(0) { $0 + $1.count { $0 >= 0x80 } }
    let isLatin = other < 3 || other < words.reduce(0) { $0 + $1.count(where: Charset.isLetter) }
    // Of Latin letters only those of central Europe are told apart, and only where the western reading has signs in words.
    guard isLatin ? Charset.isCentral(guess, words) : Charset.others.contains(guess) else { return }
    let charset = Charset(name: Charset.wider[guess] ?? guess)
    if foreign.allSatisfy({ charset.strictText($0) != nil }) { self = charset }
  }

  /// A text of this character set; what it does not have becomes a replacement character.
  func text(_ bytes: [UInt8]) -> String {
    strictText(bytes) ?? (name == nil ? Charset.westernText(bytes) : Charset.western.text(bytes))
  }

  /// What uchardet takes a text for; nil where it cannot tell. Short texts are repeated, as it wants some hundred bytes.
  private static func detected(_ text: [UInt8]) -> String? {
    let text = text.map(CChar.init(bitPattern:)) + [0x20]
    guard text.count > 1, let detector = uchardet_new() else { return nil }
    defer { uchardet_delete(detector) }
    for _ in 0..<1 + 512 / text.count { _ = uchardet_handle_data(detector, text, text.count) }
    uchardet_data_end(detector)
    return uchardet_get_charset(detector).map { String(cString: $0) }
  }

  /// A text that is wholly of this character set, but for a character cut off at the end; nil otherwise.
  private func strictText(_ bytes: [UInt8]) -> String? {
    guard let name, let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
      return nil
    }
    defer { iconv_close(converter) }
    // A byte is at most one character, and that at most four bytes of UTF-8.
    var (source, target) = (bytes.map(CChar.init(bitPattern:)), [CChar](repeating: 0, count: 4 * bytes.count))
    var (left, room) = (source.count, target.count)
    let isValid = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (from, into) = (source.baseAddress, target.baseAddress)
        // At the end of what is kept of a text a character may be cut off.
        guard iconv(converter, &from, &left, &into, &room) != -1 || errno == EINVAL else { return false }
        // Sets in which a sign may follow that belongs to a letter keep the last letter back until they are asked.
        return iconv(converter, nil, nil, &into, &room) != -1
      }
    }
    guard isValid else { return nil }
    return String(decoding: target[..<(target.count - room)].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

// MARK: - What is told apart

extension Charset {
  /// What uchardet is believed where Latin letters are few: it takes a short text too easily for one of the many Latin sets.
  private static let others: Set = [
    "WINDOWS-1251", "KOI8-R", "ISO-8859-5", "MAC-CYRILLIC", "IBM855", "IBM866", "ISO-8859-7", "WINDOWS-1253",
    "ISO-8859-8", "WINDOWS-1255", "ISO-8859-6", "WINDOWS-1256", "TIS-620", "ISO-8859-11", "SHIFT_JIS",
    "EUC-JP", "GB18030", "BIG5", "EUC-TW", "EUC-KR", "UHC",
  ]

  /// Sets that hold the one that is guessed and more, as programs on Windows write it.
  private static let wider = ["SHIFT_JIS": "CP932", "BIG5": "BIG5-HKSCS", "ISO-8859-2": "WINDOWS-1250"]

  /// Whether it is guessed to be of central Europe, and a letter is followed by what is a letter there and in Windows-1252 a
  /// sign: ź, Ł, Ą, Ż, ł, ą, Ľ, ľ, ż.
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

  /// What Windows-1252 has where ISO 8859-1 has nothing to print (unicode.org, CP1252.TXT).
  private static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
