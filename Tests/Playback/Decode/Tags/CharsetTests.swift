import Foundation
import TestSounds
import TestSupport
import Testing

@testable import Playback
@testable import System

/// Texts as old programs wrote them.
enum OldText {
  /// A text in a character set, written by iconv.
  static func bytes(_ text: String, in charset: String) throws -> [UInt8] {
    let folder = Folder()
    let path = folder.write(Array(text.utf8), "a.txt")
    try run("sh", "-c", "iconv -f UTF-8 -t '\(charset)' '\(path)' > '\(folder["b.txt"])'")
    return [UInt8](try Data(contentsOf: URL(filePath: folder["b.txt"])))
  }
}

/// Titles, artists and albums whose character set is not stated.
@Suite struct CharsetTests {
  private static let written: [(String, [String])] = [
    ("CP1252", ["Ace of Spades", "Motörhead", "Ace of Spades"]),
    ("CP1252", ["Jóga", "Björk", "Homogenic"]),
    ("CP1252", ["La vie en rose", "Édith Piaf", "À l’Olympia"]),
    ("CP1252", ["Señorita, ¿qué más?", "Los Niños", "Mañana"]),
    ("CP1252", ["Silent Lucidity", "Queensrÿche", "Empire"]),
    ("CP1252", ["Été", "Naïve", "Là-bas à Noël"]),
    ("CP1252", ["Über den Wolken", "Reinhard Mey", "Für Elise"]),
    ("CP1252", ["“Heroes” – 20 €", "David Bowie", "Heroes"]),
    ("CP1250", ["Długość dźwięku samotności", "Myslovitz", "Miłość w czasach popkultury"]),
    ("CP1251", ["Группа крови", "Кино", "Группа крови"]),
    ("CP1251", ["Пачка сигарет", "Best of 1988 (Remastered)", "The Greatest Hits of Everything"]),
    ("CP1251", ["Обійми", "Океан Ельзи", "Земля"]),
    ("KOI8-R", ["Пачка сигарет", "Кино", "Звезда по имени Солнце"]),
    ("CP1253", ["Ζορμπάς", "Μίκης Θεοδωράκης", "Χρυσή συλλογή"]),
    ("CP1255", ["ירושלים של זהב", "עפרה חזה", "אם ננעלו"]),
    ("CP1256", ["إنت عمري", "أم كلثوم", "الأطلال"]),
    ("TIS-620", ["เมดอินไทยแลนด์", "คาราบาว", "เมดอินไทยแลนด์"]),
    ("CP932", ["夜に駆ける", "宇多田ヒカル", "残酷な天使のテーゼ"]),
    ("CP932", ["丸ノ内サディスティック", "椎名林檎", "無罪モラトリアム"]),
    ("EUC-JP", ["夜に駆ける", "宇多田ヒカル", "残酷な天使のテーゼ"]),
    ("GB18030", ["月亮代表我的心", "邓丽君", "岛国之情歌第四集香港之恋"]),
    ("BIG5", ["月亮代表我的心", "鄧麗君", "島國之情歌第四集香港之戀"]),
    ("EUC-KR", ["난 알아요", "서태지와 아이들", "서태지와 아이들"]),
    ("EUC-KR", ["서른 즈음에", "김광석", "네번째"]),
    ("UTF-8", ["Кино", "Motörhead", "夜に駆ける"]),
  ]

  @Test(arguments: written)
  func `title, artist and album together determine their character set`(_ charset: String, _ texts: [String])
    throws
  {
    let bytes = try texts.map { try OldText.bytes($0, in: charset) }
    let read = TagBytes(title: bytes[0], artist: bytes[1], album: bytes[2]).texts
    #expect([read.title, read.artist, read.album] == texts as [String?])
  }

  @Test func `text that fits no character set is Western, a byte a character, and never fails`() {
    var random = RandomStream(seed: 1)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let charset = Charset(guessedFrom: [bytes])
      #expect(!charset.text(bytes).isEmpty || bytes.isEmpty)
    }
    #expect(Charset(guessedFrom: [[0xFF], [0x80, 0x81, 0xFE]]).text([0x80, 0x81, 0xFE]) == "€\u{81}þ")
    #expect(Charset(guessedFrom: [] as [[UInt8]]) == .western)
  }

  @Test func `a text cut off within a two-byte character loses only that character`() throws {
    let bytes = try OldText.bytes(String(repeating: "夜に駆ける", count: 103), in: "CP932")
    let read = try #require(TagBytes(title: [0x41] + bytes).texts.title)
    #expect(read == "A" + String(String(repeating: "夜に駆ける", count: 103).prefix(511)))
  }

  @Test func `titles and files of lists and sheets in an old character set are read and found`() throws {
    let folder = Folder()
    let name = "Группа крови.wav"
    _ = folder.write(Wave.bytes([Float](repeating: 0, count: 4800), channels: 1, as: .pcm16), name)
    let lists = [
      "a.m3u": "#EXTM3U\n#EXTINF:1,Кино - Группа крови\n\(name)\n",
      "a.pls": "[playlist]\nFile1=\(name)\nTitle1=Кино - Группа крови\nNumberOfEntries=1\n",
      "a.cue":
        "PERFORMER \"Кино\"\nTITLE \"Группа крови\"\nFILE \"\(name)\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"Кино - Группа крови\"\n    INDEX 01 00:00:00\n",
    ]
    for (list, text) in lists {
      _ = folder.write(try OldText.bytes(text, in: "CP1251"), list)
      let found = listedTracks(of: [folder[list]])
      #expect(found.skipped.isEmpty && found.tracks.count == 1, "\(list): \(found)")
      #expect(found.tracks.first?.title == "Кино - Группа крови", "\(list): \(found)")
    }
  }
}
