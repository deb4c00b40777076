import Foundation
import System
import Testing

@testable import Playback

/// Containers that are read without a library.
@Suite struct ContainerTests {
  let folder = Folder()

  // MARK: - MovieTrack

  @Test func `an edit that differs by rounding only is the track's own length`() {
    // 1024 samples of priming. The movie counts milliseconds, and 132,137 samples are 2996.3 of them.
    let track = MovieTrack(unitsPerSecond: 44100, length: 133_161, start: 1024, heard: 2997)
    #expect(track.heard(movie: 1000, rate: 44100) == (1024, 133_161))
    let shorter = MovieTrack(unitsPerSecond: 44100, length: 133_161, start: 1024, heard: 2996)
    #expect(shorter.heard(movie: 1000, rate: 44100) == (1024, 133_161))
  }

  @Test func `an edit that is shorter cuts the end off`() {
    let track = MovieTrack(unitsPerSecond: 44100, length: 50_000, start: 2112, heard: 40_000)
    #expect(track.heard(movie: 44100, rate: 44100) == (2112, 42_112))
  }

  @Test func `units of half the rate count twice, and a track without edits is played whole`() {
    let track = MovieTrack(unitsPerSecond: 22050, length: 50_000, start: 1024, heard: 0)
    #expect(track.heard(movie: 1000, rate: 44100) == (2048, 100_000))
    #expect(MovieTrack(unitsPerSecond: 44100, length: 99).heard(movie: 600, rate: 44100) == (0, 99))
    #expect(MovieTrack(unitsPerSecond: 44100).heard(movie: 600, rate: 44100) == (0, nil))
  }

  @Test func `impossible numbers of samples are ignored`() throws {
    let most = UInt64(Int64.max)
    let late = MovieTrack(unitsPerSecond: 200_000, length: 1, start: most / 44100, heard: most / 44100)
    #expect(late.heard(movie: 1, rate: 44100) == (46_116_860_184_274, 0))
    #expect(
      MovieTrack(unitsPerSecond: 1, length: 1, start: most, heard: most).heard(movie: 1, rate: 1) == (0, 1))
    let packets = Handmade.caf(
      "aac ", rate: 44100, channels: 2, bytesPerPacket: 0, framesPerPacket: 1024, data: [1],
      table: (.max, 1024, 96, [1]))
    #expect(CafTable(of: try RegularFile(path: folder.write(packets, "a")))?.count == nil)
  }

  @Test func `the boxes of a movie are found, with their numbers`() throws {
    _ = try folder.encoded("a.m4a", ["-c:a", "aac"], frames: 50_000)
    let tracks = try #require(MovieTracks(of: try RegularFile(path: folder["a.m4a"])))
    #expect(tracks.unitsPerSecond == 1000)
    let track = try #require(tracks.tracks.first)
    #expect(track.isSound && track.id == 1 && track.unitsPerSecond == 44100)
    #expect(track.start == 1024 && track.length == 51_024 && track.packets == 50)
  }

  @Test func `more tracks or packets than a real file has are refused`() throws {
    let header = Handmade.box("mvhd", [UInt8](repeating: 0, count: 100))
    func movie(_ tracks: Int, _ packets: UInt32) throws -> MovieTracks? {
      let times: [UInt8] =
        [0, 0, 0, 0] + Handmade.big(UInt32(1)) + Handmade.big(packets) + Handmade.big(UInt32(1024))
      let track = Handmade.box(
        "trak", Handmade.box("mdia", Handmade.box("minf", Handmade.box("stbl", Handmade.box("stts", times)))))
      let all = (0..<tracks).flatMap { _ in track }
      return MovieTracks(of: try RegularFile(path: folder.write(Handmade.box("moov", header + all), "a")))
    }
    #expect(try movie(1, 2_700_000) != nil)
    #expect(try movie(1, 2_700_001) == nil)
    #expect(try movie(2, 1_500_000) == nil)
    #expect(try movie(32, 1) != nil)
    #expect(try movie(33, 1) == nil)
  }

  @Test func `boxes nested without end, and boxes of size 0, end the search`() throws {
    var nest: [UInt8] = []
    for _ in 0..<2000 { nest = Handmade.box("trak", nest) }
    _ = MovieTracks(of: try RegularFile(path: folder.write(Handmade.box("moov", nest), "nest")))
    let empty =
      Array(repeatElement(Handmade.box("free", []), count: 50_000).joined()) + [0, 0, 0, 3, 1, 2, 3, 4]
    #expect(MovieTracks(of: try RegularFile(path: folder.write(empty, "empty")))?.tracks.isEmpty == true)
  }

  // MARK: - The others

  @Test func `the tag of iTunes is read, and a malformed one is not`() {
    let gap = ITunesGap(" 00000000 00000840 000001CA 00000000003F31F6 00000000")
    #expect(gap?.start == 2112 && gap?.count == 4_141_558)
    for text in [
      "", "0 0 0", " 0 840 1CA 0", " 0 FFFFFFFF 0 100", " 0 840 0 -5", "x y z w",
      " 0 840 0 FFFFFFFFFFFFFFFFFF",
    ] {
      #expect(ITunesGap(text) == nil)
    }
  }

  @Test func `a packet table gives the playable samples, and without one the data size does`() throws {
    let made = Handmade.caf(
      "aac ", rate: 44100, channels: 2, bytesPerPacket: 0, framesPerPacket: 1024, data: [1],
      table: (5000, 1024, 96, [1]))
    let table = try #require(CafTable(of: try RegularFile(path: folder.write(made, "a"))))
    #expect(table.start == 1024 && table.count == 5000 && !table.isOfWholePackets)
    let plain = Handmade.caf(
      "ilbc", rate: 8000, channels: 1, bytesPerPacket: 38, framesPerPacket: 160,
      data: [UInt8](repeating: 0, count: 100))
    #expect(CafTable(of: try RegularFile(path: folder.write(plain, "b")))?.count == 320)
  }

  @Test func `chunks that lead past the end, and a thousand of them, end the search`() throws {
    let file = try RegularFile(
      path: folder.write(Array("RIFFxxxxWAVEdata".utf8) + [255, 255, 255, 255, 1, 2], "a"))
    #expect(Chunks(of: file, from: 12, order: .little).map(\.count) == [2])
    let many = Array(repeatElement(Array("abcd".utf8) + [0, 0, 0, 0], count: 5000).joined())
    #expect(
      Array(Chunks(of: try RegularFile(path: folder.write(many, "b")), from: 0, order: .big)).count == 1000)
    let wide = Array("abcd".utf8) + [UInt8](repeating: 255, count: 8)
    #expect(
      Chunks(of: try RegularFile(path: folder.write(wide + [7], "c")), from: 0, order: .wide).map(\.count)
        == [1])
  }

  @Test func `the header of a bare AAC frame is distinguished from others`() {
    let header = ADTSHeader([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC])
    #expect(header?.size == 371 && header?.samples == 1024 && header?.rate == 44100)
    // MP3, another layer, a forbidden rate, a frame shorter than its header, too few bytes.
    #expect(ADTSHeader([0xFF, 0xFB, 0x90, 0x64, 0, 0, 0]) == nil)
    #expect(ADTSHeader([0xFF, 0xF3, 0x50, 0x80, 0x2E, 0x7F, 0xFC]) == nil)
    #expect(ADTSHeader([0xFF, 0xF1, 0x7C, 0x80, 0x2E, 0x7F, 0xFC]) == nil)
    #expect(ADTSHeader([0xFF, 0xF1, 0x50, 0x80, 0x00, 0x7F, 0xFC]) == nil)
    #expect(ADTSHeader([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F]) == nil)
  }

  @Test func `a page of Ogg is read only with the right checksum`() throws {
    let path = try folder.encoded("a.ogg", ["-c:a", "libvorbis"])
    let page = try #require(OggPage(of: try RegularFile(path: path), at: 0))
    #expect(page.isFirst && !page.isLast && !page.isContinued && page.parts.count == 1 && page.endsWhole)
    var bytes = try folder.bytes("a.ogg")
    bytes[30] ^= 1
    #expect(OggPage(of: try RegularFile(path: folder.write(bytes, "b.ogg")), at: 0) == nil)
  }

  @Test func `nested false Ogg pages are soon given up`() throws {
    // Headers of 27 bytes in a row, each claiming 255 segments: a real page far behind them is not searched for.
    let head = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [255]
    let lies = Array(repeatElement(head, count: 10_000).joined())
    let path = try folder.encoded("a.ogg", ["-c:a", "libvorbis"])
    let page = try #require(OggPage(of: try RegularFile(path: path), at: 0))
    func next(_ bytes: [UInt8]) throws -> Int64? {
      let file = try RegularFile(path: folder.write(bytes + page.bytes, "b"))
      return OggPage.next(in: file, from: 1, most: bytes.count + page.size)?.place
    }
    #expect(try next(lies) == nil)
    #expect(try next([UInt8](repeating: 79, count: 100_000)) == 100_000)
    #expect(try next(Array(lies.prefix(135))) == 135)
  }

  @Test func `files are recognized by their content`() throws {
    func route(_ bytes: [UInt8]) throws -> DecoderChoice {
      DecoderChoice(of: try RegularFile(path: folder.write(bytes, "a")))
    }
    let caf = {
      Handmade.caf($0, rate: 8000, channels: 1, bytesPerPacket: 2, framesPerPacket: 1, data: [1, 2])
    }
    #expect(try route(caf("lpcm")) == .sndfile)
    #expect(try route(caf("ulaw")) == .sndfile)
    for coding in ["aac ", "alac", "ima4", "ilbc", "opus"] {
      #expect(try route(caf(coding)) == .ffmpeg(.caf))
    }
    #expect(try route(Handmade.box("ftyp", Array("M4A ".utf8))) == .ffmpeg(.movie))
    #expect(try route(Array("#!iLBC20\n".utf8)) == .ffmpeg(.ilbc))
    #expect(try route(Array("fLaC".utf8)) == .sndfile)
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC]
    #expect(try route(frame) == .frames(.adts, from: 0))
    #expect(
      try route(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 0, 0] + frame)
        == .frames(.adts, from: 15))
    #expect(try route([1]) == .sndfile)
  }

  @Test func `tags are one line of valid text of limited length`() {
    #expect(tagText(Array("Ün titre".utf8)) == "Ün titre")
    #expect(tagText([0x63, 0x61, 0x66, 0xE9]) == "café")
    #expect(tagText(Array("a\n\u{1B}[31mb\u{202E}c\t d".utf8)) == "a [31mb c d")
    #expect(tagText(Array(" \0 ".utf8)) == nil)
    #expect(tagText([UInt8]()) == nil)
    let long = tagText(Array(String(repeating: "é", count: 5000).utf8))!
    #expect(long.utf8.count == 1024 && long.allSatisfy { $0 == "é" })
    let odd = tagText(Array(("a" + String(repeating: "é", count: 5000)).utf8))!
    #expect(odd.utf8.count == 1023)
  }

  @Test func `channels are named only if every one of them has a place`() {
    #expect(
      SpeakerNames.names(ffmpeg: [0, 1, 2, 3, 9, 10]) == [
        "Left", "Right", "Centre", "LFE", "Left surround", "Right surround",
      ])
    #expect(SpeakerNames.names(ffmpeg: [0, 700]).isEmpty)
    #expect(SpeakerNames.names(vorbis: 6).first == "Left" && SpeakerNames.names(vorbis: 6).last == "LFE")
    #expect(SpeakerNames.names(flac: 6)[3] == "LFE")
    #expect(SpeakerNames.completed([], channels: 2) == ["Left", "Right"])
    #expect(SpeakerNames.completed(["Centre"], channels: 1).isEmpty)
    #expect(SpeakerNames.completed([], channels: 5).isEmpty)
  }

  #if FFmpeg
    @Test func `a scaled number is rounded to the nearest, and one too large is nil`() {
      #expect(scaled(1, by: 44100, over: 1000) == 44)
      #expect(scaled(-1, by: 44100, over: 1000) == -44)
      #expect(scaled(3, by: 1, over: 2) == 2)
      #expect(scaled(.max, by: 2, over: 1) == nil)
      #expect(scaled(.max, by: 48000, over: 48000) == .max)
      #expect(scaled(5, by: 1, over: 0) == nil)
      // The quotient is the largest of 64 bits, and is rounded up.
      #expect(scaled(4_504_149_450_301_441, by: 8191, over: 2) == nil)
    }
  #endif
}
