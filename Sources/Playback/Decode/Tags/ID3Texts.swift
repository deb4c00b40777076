import System

/// Title, artist and album of a file's ID3 tags that claim ISO 8859-1 but are in a local character set. Texts in UTF-8
/// and UTF-16 are left to the libraries. [any]
///
/// Reads ID3v2.2 to 2.4 (id3.org, informal standards) at the beginning of a file or in a chunk of WAV and AIFF, and
/// ID3v1 at the end.
struct ID3Texts: Equatable {
  /// The texts as bytes.
  private(set) var texts = TagBytes()

  /// Bytes of a tag that are read: texts come before pictures, or after one that is as large as this.
  private static let most = 1 << 20

  /// Reads the texts; nil if none has a byte beyond ASCII.
  init?(of file: RegularFile) {
    let place = SoundTags.id3Chunk(of: file, head: file.bytes(at: 0, count: 4))?.start ?? 0
    let size = SoundTags.id3(file.bytes(at: place, count: 10))
    if size > 0 {
      takeFrames(file.bytes(at: place, count: Int(min(size, Int64(ID3Texts.most)))))
    } else {
      takeFixed(file.bytes(at: file.size - 128, count: 128))
    }
    guard texts.all.contains(where: { $0.contains { $0 >= 0x80 } }) else { return nil }
  }

  // MARK: - ID3v2

  private mutating func takeFrames(_ tag: [UInt8]) {
    let (version, flags) = (tag[3], tag[5])
    guard [2, 3, 4].contains(version) else { return }
    var frames = Array(tag[10...])
    if flags & 0x80 != 0, version < 4 { frames = ID3Texts.synchronized(frames) }
    var place = 0
    // In 2.2 this flag marks a compressed tag, whose format was never defined.
    if flags & 0x40 != 0 {
      guard version > 2, let size = ID3Texts.number(frames, at: 0, isSafe: version == 4) else { return }
      place = version == 3 ? size + 4 : size
    }
    let width = version == 2 ? 6 : 10
    while place >= 0, place + width <= frames.count, frames[place] != 0 {
      let size =
        version == 2
        ? frames.big(place + 3, 3).map(Int.init)
        : ID3Texts.number(frames, at: place + 4, isSafe: version == 4)
      guard let size, size >= 0, place + width + size <= frames.count else { return }
      let isPlain = version == 2 || isText(frames[place + 9], version)
      if isPlain, size > 1, frames[place + width] == 0 {
        let text = frames[(place + width + 1)..<(place + width + size)]
        let isUnsynchronized = version == 4 && frames[place + 9] & 0x02 != 0
        let name = frames[place..<place + (version == 2 ? 3 : 4)]
        take(
          isUnsynchronized ? ID3Texts.synchronized(Array(text)) : Array(text),
          String(decoding: name, as: UTF8.self))
      }
      place += width + size
    }
  }

  /// Whether a frame is neither compressed nor encrypted, and has no extra fields before its text.
  private func isText(_ flags: UInt8, _ version: UInt8) -> Bool {
    version == 3 ? flags & 0xE0 == 0 : flags & 0x4D == 0
  }

  private mutating func take(_ text: [UInt8], _ name: String) {
    // In 2.4 a frame may have several values, separated by zeros.
    let first = Array(text.prefix { $0 != 0 })
    switch name {
    case "TIT2", "TT2": texts.title = texts.title ?? first
    case "TPE1", "TP1": texts.artist = texts.artist ?? first
    case "TALB", "TAL": texts.album = texts.album ?? first
    default: break
    }
  }

  /// The size of a frame. In 2.4 it has 7 bits per byte (syncsafe), but some programs write 8.
  private static func number(_ bytes: [UInt8], at place: Int, isSafe: Bool) -> Int? {
    guard let number = bytes.big(place, 4) else { return nil }
    guard isSafe, bytes[place..<place + 4].allSatisfy({ $0 < 0x80 }) else { return Int(number) }
    return bytes[place..<place + 4].reduce(0) { $0 << 7 | Int($1) }
  }

  /// Undoes unsynchronisation: removes the zero after each 0xFF.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes where !(byte == 0 && result.last == 0xFF) { result.append(byte) }
    return result
  }

  // MARK: - ID3v1

  private mutating func takeFixed(_ tag: [UInt8]) {
    guard tag.count == 128, tag.has("TAG") else { return }
    func text(_ place: Int) -> [UInt8]? {
      let text = tag[place..<place + 30].prefix { $0 != 0 }
      return text.isEmpty ? nil : Array(text)
    }
    texts = TagBytes(title: text(3), artist: text(33), album: text(63))
  }
}

extension TagBytes {
  /// Replaces what a library has decoded by the texts of an ID3 tag that states no true character set.
  mutating func take(_ old: ID3Texts) {
    title = old.texts.title ?? title
    artist = old.texts.artist ?? artist
    album = old.texts.album ?? album
  }
}
