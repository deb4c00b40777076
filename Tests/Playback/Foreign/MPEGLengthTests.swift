import Glibc
import TestSounds
import Testing

@testable import Playback

#if FFmpeg

  /// The length of MPEG audio is that of its frames, whatever its header states.
  @Suite struct MPEGLengthTests {
    let folder = Folder()

    /// A second of music as MP3, and the place of its number of frames.
    private func music(_ more: [String] = []) throws -> (bytes: [UInt8], place: Int) {
      _ = try folder.encoded(
        "a.mp3", ["-c:a", "libmp3lame", "-b:a", "96k", "-id3v2_version", "0"] + more, frames: 44_100)
      let bytes = try folder.bytes("a.mp3")
      let mark = try #require(bytes.indices.first { bytes.has("Info", at: $0) || bytes.has("Xing", at: $0) })
      return (bytes, mark + 8)
    }

    private func samples(_ bytes: [UInt8]) throws -> (file: any AudioReader, sound: [[Float]]) {
      let file = try openAudio(folder.write(bytes, "b.mp3"))
      return (file, all(of: file))
    }

    @Test func `a header that states no frames, half of them or twice as many changes nothing`() throws {
      let (bytes, place) = try music()
      let right = try samples(bytes)
      #expect(right.sound[0].count == 44_100 && right.file.format.frames == 44_100)
      let frames = Int(try #require(bytes.big(place, 4)))
      for wrong in [0, 1, frames / 2, 2 * frames, 0xFFFF_FFFF] {
        var lying = bytes
        lying.replaceSubrange(place..<place + 4, with: Handmade.big(UInt32(wrong)))
        let read = try samples(lying)
        #expect(read.sound == right.sound, "a head of \(wrong) frames")
        #expect(read.file.format.frames == 44_100 && read.file.format.framesAreExact)
        #expect(read.file.fault == nil && read.file.format.warning == nil)
      }
    }

    @Test func `variable bit rates without a header are played to their end`() throws {
      _ = try folder.encoded(
        "a.mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"],
        frames: 44_100)
      let read = try samples(try folder.bytes("a.mp3"))
      #expect(read.sound[0].count == 40 * 1152 && read.file.format.frames == 40 * 1152)
      #expect(read.file.format.framesAreExact && read.file.fault == nil)
    }

    @Test func `a frame that can no longer be read is a read error, not the end`() throws {
      let (bytes, _) = try music()
      let path = folder.write(bytes, "b.mp3")
      let file = try openAudio(path)
      try #require(truncate(path, off_t(bytes.count / 2)) == 0)
      let count = all(of: file)[0].count
      #expect((15_000..<25_000).contains(count))
      #expect(
        file.fault
          == AudioError(
            .read, path: path, reason: "after sample \(count): the system cannot read it, or it leads too far"
          ))
    }

    @Test func `a truncated file plays the existing samples and states how many exist`() throws {
      let (bytes, _) = try music()
      let whole = try samples(bytes).sound
      let read = try samples(Array(bytes.prefix(bytes.count * 6 / 10)))
      let count = read.sound[0].count
      #expect((22_000..<27_000).contains(count) && read.file.format.frames == Int64(count))
      #expect(read.sound[0] == Array(whole[0].prefix(count)))
      #expect(
        read.file.format.warning
          == AudioError(.truncated, path: folder["b.mp3"], reason: "\(count) samples of 44975"))
      // Without a header the original length is unknown, but an incomplete frame is noticed.
      let (bare, _) = try music()
      let sound = Array(bare.dropFirst(try #require(FrameCoding.mpeg.header(bare)).size))
      let cut = try samples(Array(sound.prefix(sound.count / 2 + 100)))
      #expect(cut.file.format.warning?.reason == "its last frame is not all there")
    }

    @Test func `concatenated files are played one after the other, with or without tags between them`() throws
    {
      let (bytes, _) = try music()
      let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 15] + Array("TIT2\0\0\0\u{5}\0\0\0Tone".utf8)
      for between in [[], tag, Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)] {
        let read = try samples(bytes + between + bytes)
        // 40 frames, then the header frame of the second file, which is silent, and 40 more.
        #expect(read.sound[0].count == 81 * 1152 - 1980)
        #expect(read.file.breaks.count == 0 && read.file.fault == nil)
      }
    }

    @Test func `frames after bytes that are no frames are played, and the gap is reported`()
      throws
    {
      let (bytes, _) = try music()
      let whole = try samples(bytes).sound
      let junk = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 73) & 0x7F }
      let header = try #require(FrameCoding.mpeg.header(bytes))
      var middle = 0
      for _ in 0..<20 { middle += try #require(FrameCoding.mpeg.header(bytes, at: middle)).size }
      #expect(header.samples == 1152)
      let read = try samples(Array(bytes[..<middle]) + junk + Array(bytes[middle...]))
      #expect(read.file.breaks.count == 1 && read.file.breaks.fault?.code == .read)
      #expect(read.sound == whole && read.file.fault == nil)
    }

    @Test func `frames of another rate after the first ones are skipped, and that is reported`() throws {
      let (bytes, _) = try music()
      _ = try folder.encoded(
        "c.mp3", ["-c:a", "libmp3lame", "-ar", "48000", "-id3v2_version", "0"], frames: 44_100)
      let read = try samples(bytes + (try folder.bytes("c.mp3")))
      #expect(read.sound[0].count == 44_100)
      #expect(
        read.file.format.warning?.reason
          == "after sample 44100 it goes on as mp3 at 48000 Hz, which is left out")
    }

    @Test func `a long file with a matching header is not counted before it is played, and ends at its end`()
      throws
    {
      let path = try folder.encoded(
        "long.mp3", ["-c:a", "libmp3lame", "-b:a", "320k"], frames: 44_100 * 40 + 17)
      let file = try openAudio(path)
      #expect(file.format.frames == 44_100 * 40 + 17 && !file.format.framesAreExact)
      #expect(all(of: file, pieces: [8192])[0].count == 44_100 * 40 + 17)
      #expect(file.fault == nil)
      try file.seek(to: 44_100 * 40)
      #expect(all(of: file)[0].count == 17)
      // A look at the format reads no more than it needs.
      #expect(try openAudio(path, glances: true).format.channels == 2)
    }

    @Test
    func `a long file without a header is counted if its frames differ, and divided if they do not`()
      throws
    {
      func many(_ arguments: [String], _ megabytes: Int) throws -> any AudioReader {
        _ = try folder.encoded(
          "a.mp3", ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0"] + arguments)
        let once = try folder.bytes("a.mp3")
        var all: [UInt8] = []
        while all.count <= megabytes << 20 { all += once }
        return try openAudio(folder.write(all, "many.mp3"))
      }
      let equal = try many(["-b:a", "320k"], 17)
      let frames = try #require(equal.format.frames)
      #expect(!equal.format.framesAreExact)
      try equal.seek(to: frames - 2000)
      let rest = all(of: equal)[0].count
      #expect(abs(rest - 2000) <= 2304)
      #expect(try many(["-q:a", "0"], 2).format.framesAreExact)
    }

    @Test(arguments: [("a.mp2", "mp2", 1152), ("a.mp3", "libmp3lame", 576)])
    func `layer 2 and half sample rates have their own frame lengths`(
      _ name: String, _ coder: String, _ samples: Int
    ) throws {
      let path = try folder.encoded(
        name, ["-c:a", coder] + (coder == "mp2" ? [] : ["-ar", "22050", "-write_xing", "0"]), frames: 44_100)
      let file = try openAudio(path)
      let read = all(of: file)[0]
      #expect(read.count % samples == 0 && file.format.frames == Int64(read.count) && file.fault == nil)
      #expect(file.format.codec == (coder == "mp2" ? "mp2" : "mp3"))
    }

    @Test func `the header of an MPEG audio frame is distinguished from others`() {
      func header(_ bytes: UInt8...) -> FrameHeader? { FrameCoding.mpeg.header(bytes) }
      let usual = header(0xFF, 0xFB, 0x90, 0x64)
      #expect(usual?.size == 417 && usual?.samples == 1152 && usual?.rate == 44100 && usual?.bits == 128_000)
      #expect(header(0xFF, 0xFB, 0x92, 0x64)?.size == 418)
      #expect(header(0xFF, 0xF3, 0x44, 0xC4)?.size == 96 && header(0xFF, 0xF3, 0x44, 0xC4)?.rate == 24000)
      #expect(header(0xFF, 0xE3, 0x40, 0xC4)?.rate == 11025)
      #expect(header(0xFF, 0xFF, 0x90, 0x00)?.samples == 384 && header(0xFF, 0xFF, 0x90, 0x00)?.size == 312)
      #expect(header(0xFF, 0xFD, 0x90, 0x00)?.codec == "mp2")
      // AAC, no version, no layer, free and forbidden bit rates, a forbidden rate, too few bytes.
      for wrong: [UInt8] in [
        [0xFF, 0xF1, 0x50, 0x80], [0xFF, 0xEB, 0x90, 0x64], [0xFF, 0xF9, 0x90, 0x64],
        [0xFF, 0xFB, 0x00, 0x64],
        [0xFF, 0xFB, 0xF0, 0x64], [0xFF, 0xFB, 0x9C, 0x64], [0xFF, 0xFB, 0x90], [0xFE, 0xFB, 0x90, 0x64],
      ] { #expect(FrameCoding.mpeg.header(wrong) == nil) }
    }

    @Test func `tags after the sound are not part of it`() throws {
      let (bytes, _) = try music()
      let whole = try samples(bytes).sound
      let footer =
        Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 52, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x80]
        + [UInt8](repeating: 0, count: 8)
      let ape = footer + [UInt8](repeating: 0xFF, count: 20) + footer
      let lyrics = Array("LYRICSBEGININD0000200000021LYRICS200".utf8)
      let first = Array("TAG".utf8) + [UInt8](repeating: 0xFF, count: 125)
      for tail in [ape, first, ape + first, lyrics + first] {
        let read = try samples(bytes + tail)
        #expect(read.sound == whole && read.file.format.warning == nil && read.file.breaks.count == 0)
      }
    }
  }
#endif
