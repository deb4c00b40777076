import Foundation
import TestSounds
import TestSupport
import Testing

@testable import Playback

/// The path of a seed file of the fuzzer.
func seed(_ name: String) -> String {
  projectFolder.appending(path: "tools/fuzz.d/seeds/audio/\(name)").path
}

/// The bytes of a seed file of the fuzzer.
func seedBytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: seed(name)))) }

/// The fault of opening a file, whatever decoder would open it.
func refusal(of path: String) -> AudioError? {
  do throws(AudioError) {
    _ = try openAudio(path)
    return nil
  } catch {
    return error
  }
}

#if FFmpeg

  /// Files that other programs write in unusual ways, and formats that libsndfile does not have.
  @Suite struct ForeignFileTests {
    let folder = Folder()

    // MARK: - Files that libsndfile refuses

    @Test(arguments: ["bw64.wav", "rf64-odd-chunk.wav"])
    func `BW64, and RF64 with a chunk of an odd size, give their exact samples`(_ name: String) throws {
      let file = try openAudio(seed(name))
      #expect(file.format.rate == 48000 && file.format.frames == 4800 && file.format.framesAreExact)
      #expect(file.format.codec == "pcm_s16")
      // The samples are the last chunk of the file.
      let bytes = try seedBytes(name).suffix(9600)
      let wanted = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        Float(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)) / 32768
      }
      #expect(all(of: file) == [wanted])
      for place in [4799, 1, 3000, 0] {
        try file.seek(to: Int64(place))
        #expect(all(of: file)[0] == Array(wanted[place...]))
      }
    }

    @Test func `a CAF file whose data has no stated end gives its exact samples`() throws {
      let samples = noise(2 * 5000)
      let wave = folder.write(Wave.bytes(samples, channels: 2, as: .pcm16), "a.wav")
      try run("sh", "-c", "ffmpeg -v error -i '\(wave)' -c:a pcm_s16be -f caf - > '\(folder["a.caf"])'")
      let file = try openAudio(folder["a.caf"])
      #expect(file.format.frames == 5000)
      #expect(all(of: file)[1] == channel(1, of: samples, channels: 2))
      #expect(file.fault == nil)
    }

    @Test func `a wave file whose sizes were never filled in gives the recorded samples`() throws {
      let samples = noise(2 * 5000)
      var bytes = Wave.bytes(samples, channels: 2, as: .pcm16)
      for place in [4, 40] { bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0]) }
      let file = try openAudio(folder.write(bytes, "a.wav"))
      let wanted = channel(0, of: samples, channels: 2)
      #expect(all(of: file)[0] == wanted)
      // After the end the last decoded frame is no longer held, and is decoded again.
      for place in [4999, 4000, 0, 4999] {
        try file.seek(to: Int64(place))
        #expect(all(of: file)[0] == Array(wanted[place...]))
      }
      // A file without samples is empty, as before.
      let empty = try #require(refusal(of: folder.write(Array(bytes.prefix(44)), "empty.wav")))
      #expect(empty.code == .empty)
    }

    @Test func `FLAC with too many comments, after a tag or after zeros gives its samples`()
      throws
    {
      let sound = try decodedByFFmpeg(seed("flac-4000000000-comments.flac"), folder, rate: 32000)
      #expect(sound.count == 16_384)
      #expect(all(of: try openAudio(seed("flac-4000000000-comments.flac"))) == [sound])
      let samples = noise(30_000)
      let wave = folder.write(Wave.bytes(samples, channels: 1, as: .pcm16), "a.wav")
      try run("sox", wave, folder["a.flac"])
      let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 15] + Array("TIT2\0\0\0\u{5}\0\0\0Tone".utf8)
      for gap in [0, 1, 500, 100_000] {
        let bytes = tag + [UInt8](repeating: 0, count: gap) + (try folder.bytes("a.flac"))
        #expect(all(of: try openAudio(folder.write(bytes, "b.flac"))) == [samples])
      }
    }

    // MARK: - MP3 that does not begin at once

    @Test(arguments: [
      "mp3-zeros-first.mp3", "mp3-half-a-frame-first.mp3", "mp3-gap-behind-the-tag.mp3",
      "mp3-large-picture.mp3",
    ])
    func `MP3 begins at its first frame, whatever precedes it`(_ name: String) throws {
      let plain = try openAudio(seed("mp3-plain.mp3"))
      let sound = all(of: plain)
      #expect(sound[0].count == 13_248 && plain.format.duration == 0.552)
      let file = try openAudio(seed(name))
      #expect(file.format.duration == 0.552 && file.format.framesAreExact && file.format.warning == nil)
      #expect(all(of: file) == sound)
      #expect(file.fault == nil && file.breaks.count == 0)
      try file.seek(to: 7001)
      #expect(all(of: file)[0] == Array(sound[0][7001...]))
    }

    @Test func `an incomplete frame is refused with the reason`() throws {
      let refused = try #require(refusal(of: seed("mp3-one-frame-cut.mp3")))
      #expect(refused.code == .notAudio && refused.reason == "it ends within its first frame of MPEG audio")
    }

    // MARK: - Codings

    @Test(arguments: [
      ("coding-ac3.ac3", "ac3", 44100, 4608, "AC-3", Float(1e-6)),
      ("coding-tta.tta", "tta", 44100, 4410, "TTA", 0),
      ("coding-wavpack.wv", "wavpack", 44100, 4410, "WavPack", 0),
      ("coding-wma.wma", "wmav2", 44100, 4096, "ASF, Windows Media Audio 2", 1e-6),
      // Its page states that the last 143 of 1600 samples are not to be played.
      ("coding-speex.spx", "speex", 16000, 1457, "OGG (OGG Container format), Speex", 1e-6),
    ])
    func `codecs for which Linux has programs are played as FFmpeg decodes them`(
      _ name: String, _ codec: String, _ rate: Int, _ frames: Int, _ words: String, _ tolerance: Float
    ) throws {
      let file = try openAudio(seed(name))
      #expect(file.format.codec == codec && file.format.rate == rate && file.format.channels == 1)
      #expect(file.format.description == words)
      let sound = all(of: file)[0]
      #expect(sound.count == frames)
      if file.format.framesAreExact { #expect(file.format.frames == Int64(frames)) }
      let reference = try decodedByFFmpeg(seed(name), folder, rate: rate).prefix(frames)
      #expect(zip(sound, reference).allSatisfy { abs($0 - $1) <= tolerance })
      #expect(sound.contains { abs($0) > 0.05 } && file.fault == nil && file.breaks.count == 0)
      for place in [frames - 100, 1, frames / 2] {
        try file.seek(to: Int64(place))
        #expect(all(of: file)[0].count == frames - place)
      }
    }

    @Test(arguments: [("a.wv", "wavpack"), ("a.tta", "tta")])
    func `WavPack and TTA seek to any place to the bit, by their index`(_ name: String, _ coder: String)
      throws
    {
      let path = try folder.encoded(name, ["-c:a", coder], frames: 400_000)
      let file = try openAudio(path)
      let sound = all(of: file)
      #expect(sound.map(\.count) == [400_000, 400_000] && file.format.frames == 400_000)
      for place in [399_999, 123_456, 7, 250_000, 46_080, 46_079] {
        try file.seek(to: Int64(place))
        #expect(
          all(of: file, pieces: [500], limit: 500)[1] == Array(sound[1][place..<min(400_000, place + 500)]))
      }
    }

    @Test func `DSD of a constant density has that level, and its silence is silence`() throws {
      // A byte with three of four bits set is half of full scale.
      for (byte, height) in [(UInt8(0xEE), Float(0.5)), (0x69, 0), (0x88, -0.5)] {
        let path = folder.write(Handmade.dsf(rate: 2_822_400, blocks: 8, byte: byte), "a.dsf")
        let file = try openAudio(path)
        #expect(file.format.codec == "dsd" && file.format.rate == 352_800)
        let sound = all(of: file)[0]
        #expect(sound.count == 8 * 4096 && file.format.frames == 32_768)
        #expect(sound[1000...].allSatisfy { abs($0 - height) < 0.001 })
      }
    }

    @Test func `protected Windows Media is refused, and not played as noise`() throws {
      var bytes = try seedBytes("coding-wma.wma")
      bytes.replaceSubrange(
        200..<216,
        with: [
          0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC, 0x6E,
        ])
      #expect(refusal(of: folder.write(bytes, "a.wma"))?.reason == "it is protected (DRM)")
    }

    // MARK: - Refused files, by their names

    /// The first bytes of files, and the reason with which they are refused.
    private static let unknown: [([UInt8], String)] = [
      (bytes("MAC \u{1}\u{2}"), "its coding Monkey's Audio (APE) is not decoded"),
      (bytes("MPCKSH"), "its coding Musepack is not decoded"),
      (bytes("FRM8....DSD "), "its coding DSDIFF is not decoded"),
      (bytes("tBaK"), "its coding TAK is not decoded"),
      (bytes("ajkg"), "its coding Shorten is not decoded"),
      (bytes("#!AMR\n"), "its coding AMR is not decoded"),
      ([0x7F, 0xFE, 0x80, 0x01, 1], "its coding DTS is not decoded"),
      ([0x0B, 0x77, 0x01, 0xBF, 0x3F, 0x86, 0], "its coding E-AC-3 is not decoded"),
      (bytes("PK\u{3}\u{4}"), "it is an archive (ZIP)"),
      ([0x89, 0x50, 0x4E, 0x47], "it is a picture (PNG)"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0], "it is a picture (JPEG)"),
      (bytes("%PDF-1.7"), "it is a document (PDF)"),
      (bytes("MThd\0\0"), "it is MIDI: notes, and no sound"),
      (bytes("RIFF....AVI "), "it is a film (AVI)"),
      (bytes("<!DOCTYPE html>"), "it is a web page"),
      (bytes("visgraph: 1\n"), "it is text"),
      (
        bytes("FILE \"a.wav\" WAVE\n  TRACK 01 AUDIO\n"), "it is a CUE sheet; its tracks are 'a#1' and so on"
      ),
      ([0, 0, 0, 0], "it begins with zeros, and nothing that is known follows"),
      ([1, 2, 3, 4], "nothing in it is known"),
      (bytes("RIFF\0\0\0\0WAVEfmt "), "its head is damaged"),
      (bytes("caff\0\u{1}\0\0desc"), "its head is damaged"),
    ]

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: unknown)
    func `an unsupported format is refused by its name`(_ bytes: [UInt8], _ reason: String) throws {
      let refused = try #require(refusal(of: folder.write(bytes, "a")))
      #expect(refused.code == .notAudio)
      #expect(refused.reason.replacing(folder.path + "/", with: "") == reason)
    }

    @Test func `a truncated FLAC file states how much exists, and one with only a header is empty`()
      throws
    {
      let cut = try openAudio(seed("flac-cut.flac"))
      #expect(all(of: cut)[0].count == 8192)
      #expect(cut.fault?.code == .truncated && cut.fault?.reason == "8192 samples of 16384")
      let bare = try #require(refusal(of: seed("flac-nothing-but-the-head.flac")))
      #expect(bare.code == .empty && bare.reason == "nothing follows its head, which says 16384 samples")
    }
  }
#endif
