import System

/// Recognizes files that are not decoded, by their first bytes, for the error message. [any]
enum FileKind {
  /// A clause for the message; nil for unknown bytes.
  static func words(of file: RegularFile) -> String? {
    let start = DecoderChoice.afterTags(of: file)
    let head = file.bytes(at: start, count: 512)
    if head.isEmpty { return start > 0 ? "there is nothing after its tag" : nil }
    for (name, places) in codings where places.contains(where: { head.starts($0.bytes, at: $0.place) }) {
      return "its coding \(name) is not decoded"
    }
    for (name, places) in others where places.contains(where: { head.starts($0.bytes, at: $0.place) }) {
      return "it is \(name)"
    }
    if let coding = eAC3(head) { return coding }
    if FrameCoding.mpeg.header(head) != nil { return "it ends within its first frame of MPEG audio" }
    if head.allSatisfy({ $0 == 0 }) { return "it begins with zeros, and nothing that is known follows" }
    if AudioCueSheet.isBeginning(head) {
      return "it is a CUE sheet; its tracks are '\(file.path)#1' and so on"
    }
    return text(head)
  }

  /// Bytes at an offset of the file (magic number).
  private typealias Sign = (place: Int, bytes: [UInt8])

  private static func sign(_ letters: String, at place: Int = 0) -> Sign { (place, Array(letters.utf8)) }

  /// Codecs and containers of sound that are not decoded.
  private static let codings: [(name: String, signs: [Sign])] = [
    ("Monkey's Audio (APE)", [sign("MAC ")]), ("Musepack", [sign("MP+"), sign("MPCK")]),
    ("TAK", [sign("tBaK")]),
    ("Shorten", [sign("ajkg")]), ("OptimFROG", [sign("OFR ")]), ("AMR", [sign("#!AMR")]),
    ("DSDIFF", [sign("FRM8")]),
    ("RealAudio", [sign(".ra\u{7F}"), (0, [0x2E, 0x72, 0x61, 0xFD]), sign(".RMF")]),
    (
      "DTS",
      [
        (0, [0x7F, 0xFE, 0x80, 0x01]), (0, [0xFE, 0x7F, 0x01, 0x80]), (0, [0x1F, 0xFF, 0xE8, 0x00]),
        (0, [0xFF, 0x1F, 0x00, 0xE8]),
      ]
    ),
    ("Dolby TrueHD", [(4, [0xF8, 0x72, 0x6F, 0xBA])]), ("MLP", [(4, [0xF8, 0x72, 0x6F, 0xBB])]),
  ]

  /// Files that are not sound.
  private static let others: [(name: String, signs: [Sign])] = [
    ("a picture (PNG)", [(0, [0x89, 0x50, 0x4E, 0x47])]), ("a picture (JPEG)", [(0, [0xFF, 0xD8, 0xFF])]),
    ("a picture (GIF)", [sign("GIF8")]), ("a picture (WebP)", [sign("WEBP", at: 8)]),
    ("a film (AVI)", [sign("AVI ", at: 8)]), ("a film (Flash)", [sign("FLV\u{01}")]),
    ("a film (MPEG)", [(0, [0x00, 0x00, 0x01, 0xBA])]), ("a document (PDF)", [sign("%PDF")]),
    ("an archive (ZIP)", [sign("PK\u{03}\u{04}")]), ("an archive (7z)", [(0, [0x37, 0x7A, 0xBC, 0xAF])]),
    ("an archive (RAR)", [sign("Rar!")]), ("packed (gzip)", [(0, [0x1F, 0x8B])]),
    ("MIDI: notes, and no sound", [sign("MThd")]),
    ("a module of a tracker", [sign("Extended Module: "), sign("IMPM"), sign("SCRM", at: 44)]),
    ("a program", [sign("\u{7F}ELF"), sign("MZ")]), ("a playlist", [sign("#EXTM3U"), sign("[playlist]")]),
  ]

  /// E-AC-3 has the sync word of AC-3; `bsid` distinguishes them (ATSC A/52, E.2.3.1).
  private static func eAC3(_ head: [UInt8]) -> String? {
    guard head.count >= 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    return (11...16).contains(head[5] >> 3)
      ? "its coding E-AC-3 is not decoded" : "it ends within its first frame of AC-3"
  }

  private static func text(_ head: [UInt8]) -> String? {
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
    let start = String(decoding: head.prefix(200), as: UTF8.self).lowercased()
    if start.contains("file \""), start.contains("track 0") {
      return "it is a CUE sheet: name the file that it divides"
    }
    return start.contains("<html") || start.contains("<!doctype") ? "it is a web page" : "it is text"
  }
}

extension Array where Element == UInt8 {
  /// Whether these bytes are at an offset.
  func starts(_ bytes: [UInt8], at place: Int) -> Bool {
    place + bytes.count <= count && self[place..<place + bytes.count].elementsEqual(bytes)
  }
}

/// The header of a Windows Media (ASF) file. [any]
enum WindowsMedia {
  /// Whether its sound is encrypted: decoding it would give noise.
  static func isProtected(_ file: RegularFile) -> Bool {
    let head = file.bytes(at: 0, count: 1 << 16)
    return head.indices.contains { place in
      [0xFB, 0x14].contains(head[place]) && marks.contains { head.starts($0, at: place) }
    }
  }

  /// GUIDs of the objects that only an encrypted file has: Content Encryption and Extended Content Encryption.
  private static let marks: [[UInt8]] = [
    [0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC, 0x6E],
    [0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C, 0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9, 0x28, 0x9C],
  ]
}
