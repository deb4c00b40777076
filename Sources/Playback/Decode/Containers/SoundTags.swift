import System

/// Tags that are not part of the sound, at the end of a file or between concatenated files. [any]
enum SoundTags {
  /// Byte offset of the end of the sound: before ID3v1, Lyrics3 and APE tags.
  static func soundEnd(of file: RegularFile) -> Int64 {
    var end = file.size
    for _ in 0..<8 {
      let before = end
      if file.bytes(at: end - 128, count: 3).has("TAG") { end -= 128 }
      let lyrics = file.bytes(at: end - 15, count: 15)
      if lyrics.has("LYRICS200", at: 6), let size = Int64(String(decoding: lyrics[..<6], as: UTF8.self)),
        size >= 0
      {
        end -= size + 15
      }
      let ape = file.bytes(at: end - 32, count: 32)
      if ape.has("APETAGEX"), let size = ape.little(12, 4), let flags = ape.little(20, 4) {
        // The size includes the footer, but not the header, whose presence bit 31 of the flags states.
        end -= Int64(size) + (flags >> 31 == 1 ? 32 : 0)
      }
      guard end > 0 else { return file.size }
      if end == before { break }
    }
    return end
  }

  /// Bytes of a tag, by its first bytes; 0 if there is none.
  static func size(_ head: [UInt8]) -> Int64 {
    if head.has("ID3") { return id3(head) }
    if head.has("TAG") { return 128 }
    if head.has("APETAGEX"), let size = head.little(12, 4) { return Int64(size) + 32 }
    return 0
  }

  /// The chunk of a WAV or AIFF file with an ID3v2 tag, if there is one.
  static func id3Chunk(of file: RegularFile, head: [UInt8]) -> Chunks.Chunk? {
    guard head.has("RIFF") || head.has("FORM") else { return nil }
    return Chunks(of: file, from: 12, order: head.has("RIFF") ? .little : .big)
      .first { $0.name.uppercased() == "ID3 " }
  }

  /// Bytes of an ID3v2 tag, by its first 10 bytes; 0 if there is none.
  static func id3(_ head: [UInt8]) -> Int64 {
    guard head.count >= 10, head.has("ID3"), head[3] < 0xFF, head[6...9].allSatisfy({ $0 < 0x80 }) else {
      return 0
    }
    let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
  }
}
