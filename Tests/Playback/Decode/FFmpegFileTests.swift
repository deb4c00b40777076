import Foundation
import Glibc
import TestSounds
import Testing

@testable import Playback

#if FFmpeg

  /// Containers and codecs that only FFmpeg reads, for which programs write no seek points or an incomplete table.
  @Suite struct FFmpegFileTests {
    let folder = Folder()

    // MARK: - Playable samples

    @Test func `AAC in CAF begins and ends as its packet table says`() throws {
      let adts = try folder.encoded("a.aac", ["-c:a", "aac", "-aac_pns", "0"])
      let whole = all(of: try openAudio(adts))
      let frames = Handmade.frames(ofADTS: try folder.bytes("a.aac"))
      let caf = Handmade.caf(
        "aac ", rate: 44100, channels: 2, bytesPerPacket: 0, framesPerPacket: 1024,
        data: frames.flatMap { $0 },
        cookie: Handmade.cookie(ofAAC: [0x12, 0x10]),
        table: (60_000, 1024, frames.count * 1024 - 61_024, frames.map(\.count)))
      let file = try openAudio(folder.write(caf, "a.caf"))
      #expect(file.format.frames == 60_000)
      #expect(file.format.codec == "aac")
      let read = all(of: file)
      #expect(read.map(\.count) == [60_000, 60_000])
      #expect(read[0] == Array(whole[0][1024..<61_024]))
      for place in [0, 1, 40_000, 59_999, 12_345] {
        try file.seek(to: Int64(place))
        let piece = all(of: file, pieces: [100], limit: 100)[1]
        #expect(piece == Array(read[1][place..<min(60_000, place + 100)]))
      }
    }

    @Test func `iLBC has its length in CAF and by itself, and its first frame is silent`() throws {
      var state: UInt64 = 7
      func packets(_ count: Int, of size: Int) -> [UInt8] {
        (0..<count * size).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(truncatingIfNeeded: state >> 40)
        }
      }
      let made = [
        (
          Handmade.caf(
            "ilbc", rate: 8000, channels: 1, bytesPerPacket: 38, framesPerPacket: 160,
            data: packets(50, of: 38)
          ), 160, 8000
        ),
        (
          Handmade.caf(
            "ilbc", rate: 8000, channels: 1, bytesPerPacket: 50, framesPerPacket: 240,
            data: packets(50, of: 50)
          ), 240, 12_000
        ),
        (Array("#!iLBC20\n".utf8) + packets(50, of: 38), 160, 8000),
        (Array("#!iLBC30\n".utf8) + packets(50, of: 50), 240, 12_000),
      ]
      for (bytes, first, frames) in made {
        let file = try openAudio(folder.write(bytes, "a"))
        #expect(file.format.codec == "ilbc" && file.format.rate == 8000 && file.format.channelNames.isEmpty)
        let read = all(of: file)[0]
        #expect(read.count == frames)
        #expect(read[..<first].allSatisfy { $0 == 0 })
        #expect(read[first..<2 * first].contains { abs($0) > 0.001 })
        for place in [1, 5000, 300] {
          try file.seek(to: Int64(place))
          #expect(all(of: file, pieces: [500], limit: 500)[0] == Array(read[place..<place + 500]))
        }
      }
    }

    @Test func `AAC with spectral band replication has twice the samples, each at its place`() throws {
      let path = try folder.encoded("a.m4a", ["-c:a", "aac", "-aac_pns", "0"], rate: 22050)
      let core = all(of: try openAudio(path))
      var bytes = try folder.bytes("a.m4a")
      // The configuration ends in "SBR: no"; this makes it "yes, to 44,100 Hz".
      let sign = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x56, 0xE5, 0x00]) })
      bytes[sign + 2] = 0xA0
      let file = try openAudio(folder.write(bytes, "high.m4a"))
      #expect(file.format.rate == 44100)
      #expect(file.format.codec == "he-aac")
      let read = all(of: file)
      // SBR has a delay of 962 samples, and the last packet lacks some of them.
      #expect((119_100...120_000).contains(read[0].count))
      #expect(file.format.frames == Int64(read[0].count))
      #expect(file.fault == nil)
      // Nothing is replicated here, so every second sample is that of the core.
      let worst = (1000..<59_000).map { abs(read[0][2 * $0] - core[0][$0]) }.max()!
      #expect(worst < 0.05)
      try file.seek(to: 77_777)
      #expect(all(of: file, pieces: [500], limit: 500)[0] == Array(read[0][77_777..<78_277]))
    }

    @Test func `the tag of iTunes states the playable samples`() throws {
      let path = try folder.encoded("a.m4a", ["-c:a", "aac", "-aac_pns", "0"])
      let plain = all(of: try openAudio(path))
      let tag = " 00000000 00000840 000001CA 000000000000C350 00000000"
      try run(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-c", "copy", "-movflags", "use_metadata_tags", "-metadata",
          "iTunSMPB=\(tag)", folder["tagged.m4a"],
        ])
      let file = try openAudio(folder["tagged.m4a"])
      #expect(file.format.frames == 50_000)
      let read = all(of: file)
      // 2112 samples are skipped; in the other file, 1024.
      #expect(read[0] == Array(plain[0][1088..<51_088]))
    }

    @Test(arguments: [
      ("a.m4a", "aac"), ("a.m4a", "alac"), ("a.caf", "alac"), ("a.ogg", "libvorbis"),
    ])
    func `a rewound file and one opened anew give the same samples again`(_ name: String, _ coder: String)
      throws
    {
      let file = try openAudio(try folder.encoded(name, ["-c:a", coder]))
      let first = all(of: file)
      #expect(first[0].count == 60_000)
      try file.rewind()
      #expect(all(of: file, pieces: [313]) == first)
      #expect(all(of: try file.reopened(), pieces: [4096]) == first)
      unlink(folder[name])
      try file.rewind()
      #expect(all(of: file, pieces: [99]) == first)
    }

    // MARK: - Channels

    @Test(arguments: [
      ("a.m4a", "aac"), ("a.m4a", "alac"), ("a.caf", "alac"), ("a.flac", "flac"), ("a.ogg", "libvorbis"),
      ("a.opus", "libopus"), ("a.wav", "pcm_s16le"), ("a.caf", "pcm_s16le"),
    ])
    func `six channels have their names`(_ name: String, _ coder: String) throws {
      let file = try openAudio(
        try folder.encoded(
          name, ["-c:a", coder, "-channel_layout", "5.1"], frames: 48000, channels: 6, rate: 48000))
      #expect(file.format.channels == 6)
      #expect(file.format.channelNames.prefix(1) == ["Left"])
      #expect(Set(file.format.channelNames.prefix(4)).isSuperset(of: ["Left", "Right", "Centre"]))
      #expect(file.format.channelNames.contains("LFE"))
      #expect(file.format.channelNames.count == 6)
    }

    @Test func `one channel has no name, and channels without places have none`() throws {
      #expect(
        try openAudio(try folder.encoded("a.m4a", ["-c:a", "alac"], channels: 1)).format.channelNames.isEmpty)
      let wave = folder.write(Wave.bytes(noise(5 * 100), channels: 5), "a.wav")
      #expect(try openAudio(wave).format.channelNames.isEmpty)
    }

    // MARK: - Pictures

    @Test(arguments: [("a.m4a", "alac"), ("a.mp3", "libmp3lame"), ("a.flac", "flac")])
    func `an embedded picture is read unchanged`(_ name: String, _ coder: String) throws {
      let picture = folder["picture.jpg"]
      try run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "1", picture)
      let path = try folder.encoded(
        name,
        [
          "-i", picture, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic",
          "-c:a",
          coder,
        ])
      let file = try openAudio(path)
      #expect(file.tags.hasCover)
      let cover = try #require(file.cover())
      #expect(cover.mediaType == "image/jpeg")
      #expect(cover.bytes == (try folder.bytes("picture.jpg")))
      let bare = try openAudio(try folder.encoded("bare-" + name, ["-c:a", coder]))
      #expect(!bare.tags.hasCover && bare.cover() == nil)
    }

    @Test func `the picture of an Opus file is read unchanged`() throws {
      let picture = folder["picture.jpg"]
      try run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "1", picture)
      let source = folder.write(Wave.bytes(noise(2 * 48000), channels: 2, as: .pcm16), "a.wav")
      try run("opusenc", "--quiet", "--picture", picture, source, folder["a.opus"])
      let file = try openAudio(folder["a.opus"])
      #expect(file.tags.hasCover)
      #expect(file.cover()?.bytes == (try folder.bytes("picture.jpg")))
    }

    // MARK: - Broken and hostile files

    @Test(arguments: [("a.m4a", "alac"), ("a.m4a", "aac"), ("a.flac", "flac"), ("a.ogg", "libvorbis")])
    func `samples after a broken place are played at their place`(_ name: String, _ coder: String) throws {
      let path = try folder.encoded(name, ["-c:a", coder], frames: 400_000)
      let sound = all(of: try openAudio(path))
      var bytes = try folder.bytes(name)
      let middle = bytes.count / 2
      for index in middle..<middle + 3000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 73) }
      let file = try openAudio(folder.write(bytes, "broken-" + name))
      let read = all(of: file)
      #expect(read[0].count == 400_000)
      #expect(file.fault == nil)
      if coder != "aac" { #expect(file.breaks.count > 0) }
      if file.breaks.count > 0 {
        #expect((100_000..<300_000).contains(Int(file.breaks.position)))
        #expect(file.breaks.fault?.code == .read)
      }
      #expect(Array(read[0][..<100_000]) == Array(sound[0][..<100_000]))
      let worst = (330_000..<400_000).map { abs(read[0][$0] - sound[0][$0]) }.max()!
      #expect(worst < (coder == "aac" ? 0.9 : 1e-6))
    }

    @Test func `a truncated M4A with a complete table plays the existing samples and ends with a fault`()
      throws
    {
      let path = try folder.encoded("a.m4a", ["-c:a", "alac", "-movflags", "faststart"], frames: 400_000)
      let sound = all(of: try openAudio(path))
      let bytes = try folder.bytes("a.m4a")
      let file = try openAudio(folder.write(Array(bytes.prefix(bytes.count / 2)), "cut.m4a"))
      let read = all(of: file)
      #expect((150_000..<250_000).contains(read[0].count))
      #expect(read[0] == Array(sound[0].prefix(read[0].count)))
      #expect(file.fault != nil)
      try file.seek(to: 1000)
      #expect(file.fault == nil)
      #expect(all(of: file, pieces: [100], limit: 100)[0] == Array(sound[0][1000..<1100]))
    }

    @Test func `a movie that refers to another file reads nothing of it`() throws {
      let secret = try folder.encoded("secret.mov", ["-c:a", "pcm_s16le"])
      var bytes = try folder.bytes("secret.mov")
      // The data reference of the track states "not in this file", and a path.
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("url ".utf8)) })
      bytes[place + 7] = 0
      let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("mdat".utf8)) })
      bytes.replaceSubrange(data + 12..<data + 1000, with: [UInt8](repeating: 0, count: 988))
      _ = secret
      if let file = try? openAudio(folder.write(bytes, "pointing.mov")) { _ = all(of: file, limit: 1000) }
      for playlist in [
        "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.aac\n", "ffconcat version 1.0\nfile secret.mov\n",
      ] {
        #expect(throws: AudioError.self) { try openAudio(folder.write(Array(playlist.utf8), "a.m4a")) }
      }
    }

    @Test func `tables larger than any real file's are refused`() throws {
      let path = try folder.encoded("a.m4a", ["-c:a", "alac"])
      _ = path
      var bytes = try folder.bytes("a.m4a")
      let table = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stts".utf8)) })
      bytes.replaceSubrange(table + 12..<table + 16, with: [0x7F, 0xFF, 0xFF, 0xFF])
      let refused = try #require(fault(opening: folder.write(bytes, "large.m4a")))
      #expect(refused.code == .notAudio)
    }

    @Test func `an unsupported codec is refused by its name`() throws {
      let path = try folder.encoded("a.m4a", ["-c:a", "ac3", "-f", "mp4"])
      let refused = try #require(fault(opening: path))
      #expect(refused.code == .notAudio)
      #expect(refused.reason == "its coding ac3 is not decoded")
    }

    @Test func `a file without sound is refused`() throws {
      try run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "5", folder["a.mp4"])
      #expect(fault(opening: folder["a.mp4"])?.code == .notAudio)
    }

    private func fault(opening path: String) -> AudioError? {
      do throws(AudioError) {
        _ = try openAudio(path)
        return nil
      } catch {
        return error
      }
    }
  }
#endif
