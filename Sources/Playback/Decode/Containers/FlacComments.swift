import System

/// The Vorbis comments of a FLAC file (RFC 9639, 8.6); names are not case-sensitive. [any]
struct FlacComments {
  private var values: [String: String] = [:]

  /// The most bytes of comments that are read.
  private static let most = 1 << 20

  /// Reads the comment block; nil without one.
  init?(of file: RegularFile) {
    var place = DecoderChoice.afterTags(of: file)
    guard file.bytes(at: place, count: 4).has("fLaC") else { return nil }
    place += 4
    for _ in 0..<100 {
      let head = file.bytes(at: place, count: 4)
      guard let size = head.big(1, 3) else { return nil }
      if head[0] & 0x7F == 4 {
        read(file.bytes(at: place + 4, count: min(Int(size), FlacComments.most)))
        return
      }
      if head[0] & 0x80 != 0 { return nil }
      place += 4 + Int64(size)
    }
    return nil
  }

  private mutating func read(_ bytes: [UInt8]) {
    guard let vendor = bytes.little(0, 4), vendor < bytes.count else { return }
    var place = 8 + Int(vendor)
    // The stated number of comments is not trusted.
    for _ in 0..<1000 {
      guard let size = bytes.little(place, 4), size <= bytes.count, place + 4 + Int(size) <= bytes.count
      else { return }
      let text = String(decoding: bytes[place + 4..<place + 4 + Int(size)], as: UTF8.self)
      place += 4 + Int(size)
      guard let equals = text.firstIndex(of: "=") else { continue }
      values[text[..<equals].uppercased()] = String(text[text.index(after: equals)...])
    }
  }

  /// The value of a comment, by its name in upper case.
  subscript(name: String) -> String? { values[name] }
}
