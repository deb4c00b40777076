import System
import Testing

@testable import Playback

@Suite struct ListReadingTests {
  private let limits = ListLimits()

  @Test func `M3U gives paths with their titles and lengths`() {
    let text = """
      #EXTM3U
      #EXTINF:123,Artist - Title
      a.mp3
      # a comment
      #EXTINF:-1 tvg-name="x, y",Live
        b c.flac\t

      d.ogg
      """
    let list = M3uList.read(Array(text.utf8), called: "l.m3u", kind: .m3u, limits)
    #expect(
      list.entries == [
        ListEntry(location: "a.mp3", title: "Artist - Title", length: 123, line: 3),
        ListEntry(location: "b c.flac", title: "Live", length: nil, line: 6),
        ListEntry(location: "d.ogg", title: nil, length: nil, line: 8),
      ])
    #expect(list.faults.isEmpty)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end in any of the three ways and are counted`(end: String) {
    let text = ["\u{FEFF}#EXTM3U", "", "a", "", "b"].joined(separator: end)
    let list = M3uList.read(Array(text.utf8), called: "l", kind: .m3u, limits)
    #expect(list.entries.map(\.location) == ["a", "b"])
    #expect(list.entries.map(\.line) == [3, 5])
  }

  @Test func `names that are no UTF-8 keep their bytes, and titles are Windows-1252`() {
    let name: [UInt8] = Array("caf".utf8) + [0xE9, 0x80]
    let bytes = Array("#EXTINF:3,".utf8) + name + [0x0A] + name + Array("\nok".utf8)
    for kind in [ListKind.m3u, .m3u8] {
      let list = M3uList.read(bytes, called: "l", kind: kind, limits)
      #expect(list.entries.map { FileName.bytes($0.location) } == [name, Array("ok".utf8)])
      #expect(list.entries.first?.title == "café€" && list.faults.isEmpty)
      #expect(FileName.shown(list.entries[0].location) == "caf\\xE9\\x80")
    }
  }

  @Test func `the index of a stream is refused in one sentence`() {
    let text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9.9,\none.ts\n#EXTINF:9.9,\ntwo.ts\n#EXT-X-ENDLIST\n"
    let list = M3uList.read(Array(text.utf8), called: "l.m3u8", kind: .m3u8, limits)
    #expect(list.entries.isEmpty && list.faults.map(\.code) == [.stream])
    #expect(
      list.faults[0].message
        == "'l.m3u8' is the index of a stream (HLS), not a list of files: only files are played; save the stream "
        + "as one file first")
  }

  @Test func `UTF-16 with its byte order mark is read`() {
    let wide = [0xFEFF] + Array("#EXTM3U\r\nä.mp3\r\n".utf16)
    let little = wide.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let big = wide.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for bytes in [little, big] {
      #expect(M3uList.read(bytes, called: "l", kind: .m3u, limits).entries.map(\.location) == ["ä.mp3"])
    }
  }

  @Test func `entries of PLS may come in any order`() {
    let text = """
      [playlist]
      Title2=Second
      File2=b.mp3
      NumberOfEntries=2
      nonsense
      Length1=12
      file1 = a.mp3
      Version=2
      """
    let list = PlsList.read(Array(text.utf8), called: "l.pls", limits)
    #expect(
      list.entries == [
        ListEntry(location: "a.mp3", title: nil, length: 12, line: 7),
        ListEntry(location: "b.mp3", title: "Second", length: nil, line: 3),
      ])
    #expect(
      list.faults.map(\.message) == [
        "l.pls:5: 'nonsense' is no line of such a list (it has no =): it is left out"
      ])
  }

  @Test func `XSPF gives locations, titles and lengths`() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/">
        <title>All</title>
        <trackList>
          <track><location>http://example.org/a.mp3</location><location> a%20b.mp3 </location>
            <title>A &amp; B</title><duration>1500</duration></track>
          <track><title>Nowhere</title></track>
          <track><location>file:///c.mp3</location><extension><title>no</title></extension></track>
        </trackList>
      </playlist>
      """
    let list = XspfList.read(Array(text.utf8), called: "l.xspf", limits)
    #expect(
      list.entries == [
        ListEntry(location: "a%20b.mp3", title: "A & B", length: 1.5, line: 5, isAddress: true),
        ListEntry(location: "file:///c.mp3", title: nil, length: nil, line: 8, isAddress: true),
      ])
    #expect(
      list.faults.map(\.message) == [
        "l.xspf:7: 'Nowhere' is no line of such a list (it has no location): it is left out"
      ])
  }

  @Test func `a simple base of XSPF precedes relative locations`() {
    let text = """
      <playlist xml:base="file:///music/list.xspf"><trackList><track><location>a.mp3</location></track>\
      <track><location>/b.mp3</location></track></trackList></playlist>
      """
    let list = XspfList.read(Array(text.utf8), called: "l", limits)
    #expect(list.entries.map(\.location) == ["file:///music/a.mp3", "/b.mp3"])
  }

  @Test func `truncated XSPF keeps the entries before the end`() {
    let text = "<playlist><trackList>\n<track><location>a</location></track>\n<track><loc"
    let list = XspfList.read(Array(text.utf8), called: "l.xspf", limits)
    #expect(list.entries.map(\.location) == ["a"])
    #expect(list.faults.map(\.code) == [.format])
    #expect(list.faults.map(\.line) == [3])
  }

  @Test func `XSPF that declares entities is refused`() {
    let bomb = """
      <!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <playlist><trackList><track><location>&b;</location></track></trackList></playlist>
      """
    let list = XspfList.read(Array(bomb.utf8), called: "l.xspf", limits)
    #expect(list.entries.isEmpty)
    #expect(list.faults.map(\.code) == [.hostile])
    let outside = "<!DOCTYPE p [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><playlist>&a;</playlist>"
    #expect(XspfList.read(Array(outside.utf8), called: "l", limits).faults.map(\.code) == [.hostile])
  }

  @Test func `XSPF beyond the limits is refused`() {
    let deep = "<playlist>" + String(repeating: "<a>", count: 100_000)
    #expect(XspfList.read(Array(deep.utf8), called: "l", limits).faults.map(\.code) == [.hostile])
    let long = "<playlist><trackList><track><location>" + String(repeating: "a", count: 9000)
    #expect(XspfList.read(Array(long.utf8), called: "l", limits).faults.map(\.code) == [.tooLarge])
    let wide = "<playlist " + (0..<500_001).map { "a\($0)=''" }.joined(separator: " ") + "/>"
    #expect(XspfList.read(Array(wide.utf8), called: "l", limits).faults.map(\.code) == [.hostile])
    #expect(XspfList.read(Array("<html></html>".utf8), called: "l", limits).faults.map(\.code) == [.format])
    #expect(XspfList.read([], called: "l", limits).faults.map(\.code) == [.format])
  }

  @Test func `more tracks than the limit end a list with a fault`() {
    var small = limits
    small.tracks = 2
    let lines = Array("a\nb\nc\nd\n".utf8)
    let m3u = M3uList.read(lines, called: "l", kind: .m3u, small)
    #expect(m3u.entries.count == 2)
    #expect(m3u.faults.map(\.line) == [3])
    let pls = PlsList.read(Array("File1=a\nFile2=b\nFile3=c".utf8), called: "l", small)
    #expect(pls.entries.count == 2)
    #expect(pls.faults.map(\.code) == [.tooMany])
    let track = "<track><location>a</location></track>"
    let text = "<playlist><trackList>\(track)\(track)\(track)</trackList></playlist>"
    let xspf = XspfList.read(Array(text.utf8), called: "l", small)
    #expect(xspf.entries.count == 2)
    #expect(xspf.faults.map(\.code) == [.tooMany])
  }

  @Test func `a line that is too long is skipped`() {
    let long = String(repeating: "x", count: 8193)
    let list = M3uList.read(Array("a\n\(long)\nb".utf8), called: "l", kind: .m3u, limits)
    #expect(list.entries.map(\.location) == ["a", "b"])
    #expect(list.faults.map(\.line) == [2])
    #expect(PlsList.read(Array("File1=\(long)".utf8), called: "l", limits).faults.map(\.code) == [.tooLarge])
  }

  @Test func `any bytes are read to their end`() {
    var seed: UInt64 = 1
    func dice(_ most: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % most
    }
    let seeds = [
      "#EXTM3U\n#EXTINF:1,a\nfile:///a%20b\n", "[playlist]\nFile1=a\nTitle1=b\n",
      "<playlist><trackList><track><location>a</location></track></trackList></playlist>",
    ].map { Array($0.utf8) }
    for turn in 0..<3000 {
      var bytes = seeds[turn % 3]
      for _ in 0...dice(4) {
        switch dice(3) {
        case 0: bytes[dice(bytes.count)] = UInt8(dice(256))
        case 1: bytes.insert(UInt8(dice(256)), at: dice(bytes.count))
        default: bytes.remove(at: dice(bytes.count))
        }
      }
      _ = M3uList.read(bytes, called: "l", kind: .m3u8, limits)
      _ = PlsList.read(bytes, called: "l", limits)
      _ = XspfList.read(bytes, called: "l", limits)
    }
  }
}
