import Foundation
import TestSounds
import TestSupport
import Testing

@testable import Playback
@testable import System

/// Tags at the start and the end of files, and in chunks, that state ISO 8859-1 and have another character set.
@Suite(.waiting) struct ID3TextsTests {
  let folder = Folder()
  private static let texts = ["Группа крови", "Кино", "Звезда по имени Солнце"]

  /// A syncsafe integer: seven bits in each of four bytes.
  private static func safe(_ count: Int) -> [UInt8] {
    stride(from: 21, through: 0, by: -7).map { UInt8(count >> $0 & 0x7F) }
  }

  /// An ID3v2 tag with these texts, each with its byte for the encoding.
  private static func tag(_ version: UInt8, _ texts: [[UInt8]], flags: UInt8 = 0, head: [UInt8] = [])
    -> [UInt8]
  {
    let names = version == 2 ? ["TT2", "TP1", "TAL"] : ["TIT2", "TPE1", "TALB"]
    var frames = head
    for (name, text) in zip(names, texts) {
      let size =
        version == 2
        ? [0, UInt8(text.count >> 8), UInt8(text.count & 255)]
        : version == 3 ? Handmade.big(UInt32(text.count)) : safe(text.count)
      frames += Array(name.utf8) + size + (version == 2 ? [] : [0, 0]) + text
    }
    if flags & 0x80 != 0 {
      // Unsynchronization: a zero follows each 0xFF.
      frames = frames.flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
    }
    return Array("ID3".utf8) + [version, 0, flags] + safe(frames.count) + frames
  }

  /// The tags that are reported for a file.
  private func tags(_ bytes: [UInt8], _ name: String) throws -> [String?] {
    let tags = try openAudio(folder.write(bytes, name)).tags
    return [tags.title, tags.artist, tags.album]
  }

  private static func old(_ charset: String = "CP1251") throws -> [[UInt8]] {
    try texts.map { try OldText.bytes($0, in: charset) }
  }

  @Test func `ID3v2 of every version in Windows-1251 is read, with and without unsynchronization`() throws {
    let sound = try seedBytes("mp3-plain.mp3")
    // The я at the end is 0xFF, which a zero follows if the tag is unsynchronized.
    let texts = try ["Моя земля", "Кино", "Звезда по имени Солнце"].map {
      [0] + (try OldText.bytes($0, in: "CP1251"))
    }
    let extended: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 0, 0, 0]
    let tags = [
      Self.tag(2, texts), Self.tag(3, texts), Self.tag(4, texts), Self.tag(2, texts, flags: 0x80),
      Self.tag(3, texts, flags: 0x80), Self.tag(3, texts, flags: 0x40, head: extended),
      Self.tag(4, texts, flags: 0x40, head: [0, 0, 0, 6, 1, 0]),
    ]
    for (number, tag) in tags.enumerated() {
      #expect(
        try self.tags(tag + sound, "\(number).mp3") == ["Моя земля", "Кино", "Звезда по имени Солнце"],
        "number \(number)")
    }
  }

  @Test func `ID3v1 at the end is read`() throws {
    let texts = try Self.old()
    let fields = texts.map { $0.prefix(30) + [UInt8](repeating: 0, count: max(0, 30 - $0.count)) }
    let tag = Array("TAG".utf8) + fields.joined() + Array("1988".utf8) + [UInt8](repeating: 0, count: 31)
    #expect(tag.count == 128)
    #expect(try tags(try seedBytes("mp3-plain.mp3") + tag, "a.mp3") == Self.texts)
  }

  @Test func `text stated as UTF-16 or UTF-8 is read as such, with accents`() throws {
    let sound = try seedBytes("mp3-plain.mp3")
    let texts = ["Señorita", "Motörhead", "Été"]
    let wide: [[UInt8]] = texts.map { text in
      [1, 0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    #expect(try tags(Self.tag(3, wide) + sound, "16.mp3") == texts)
    #expect(try tags(Self.tag(4, texts.map { [3] + Array($0.utf8) }) + sound, "8.mp3") == texts)
    // Text stated as ISO 8859-1 that is UTF-8, as some programs write it.
    #expect(try tags(Self.tag(3, Self.texts.map { [0] + Array($0.utf8) }) + sound, "0.mp3") == Self.texts)
  }

  @Test func `WAV has the tags in a chunk, or as INFO without a stated character set`() throws {
    let texts = try Self.old()
    let wave = Wave.bytes([Float](repeating: 0, count: 4800), channels: 1, as: .pcm16)
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      Array(name.utf8) + Handmade.big(UInt32(contents.count)).reversed() + contents
        + (contents.count % 2 == 1 ? [0] : [])
    }
    func with(_ chunk: [UInt8]) -> [UInt8] {
      var bytes = wave + chunk
      bytes.replaceSubrange(4..<8, with: Handmade.big(UInt32(bytes.count - 8)).reversed())
      return bytes
    }
    #expect(try tags(with(chunk("id3 ", Self.tag(3, texts.map { [0] + $0 }))), "a.wav") == Self.texts)
    let info = zip(["INAM", "IART", "IPRD"], texts).flatMap { chunk($0, $1 + [0]) }
    #expect(try tags(with(chunk("LIST", Array("INFO".utf8) + info)), "b.wav") == Self.texts)
  }

  @Test func `tags that are truncated, state wrong sizes or are noise are ignored`() throws {
    let sound = try seedBytes("mp3-plain.mp3")
    let whole = Self.tag(4, try Self.old().map { [0] + $0 })
    var random = RandomStream(seed: 7)
    for round in 0..<600 {
      var tag = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        tag[Int.random(in: 3..<tag.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 3 == 0 { tag.removeLast(Int.random(in: 1..<tag.count - 10, using: &random)) }
      let file = try RegularFile(folder.write(tag + sound, "\(round % 8).mp3"))
      _ = ID3Texts(of: file)
    }
    #expect(try tags(whole + sound, "a.mp3") == Self.texts)
  }
}
