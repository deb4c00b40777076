import System
import TestSounds
import Testing

@testable import Playback

#if FFmpeg

  /// Files of which a part could be lost without a report.
  @Suite struct SilentLossTests {
    let folder = Folder()

    // MARK: - Chains

    @Test(arguments: [("ogg-two-links.ogg", 8000, 8000), ("opus-two-links.opus", 48000, 48000)])
    func `all links of a chained Ogg file are played without a seam`(
      _ name: String, _ rate: Int, _ frames: Int
    ) throws {
      let bytes = try seedBytes(name)
      // The second link begins with the second page that is marked as a first one.
      let starts = bytes.indices.filter { bytes.has("OggS", at: $0) && bytes[$0 + 5] & 2 != 0 }
      try #require(starts.count == 2)
      let parts = try [bytes[..<starts[1]], bytes[starts[1]...]].map {
        all(of: try openAudio(folder.write(Array($0), "part")))[0]
      }
      let file = try openAudio(seed(name))
      #expect(file.format.rate == rate && file.format.frames == Int64(frames) && file.format.framesAreExact)
      #expect(file.format.warning == nil)
      let sound = all(of: file)[0]
      #expect(sound == parts[0] + parts[1] && sound.count == frames)
      for place in [frames - 1, 1, frames / 2, frames / 2 - 1, frames / 2 + 1, frames / 4] {
        try file.seek(to: Int64(place))
        #expect(file.position == Int64(place))
        let read = all(of: file)[0]
        #expect(read.count == frames - place)
        if name.hasSuffix("ogg") { #expect(read == Array(sound[place...])) }
      }
      try file.rewind()
      #expect(all(of: file)[0] == sound)
      #expect(all(of: try file.reopened())[0] == sound)
    }

    @Test func `links with the same serial number are distinguished, and so are three of them`() throws {
      let bytes = try seedBytes("ogg-two-links.ogg")
      let sound = all(of: try openAudio(seed("ogg-two-links.ogg")))[0]
      let file = try openAudio(folder.write(bytes + bytes, "a.ogg"))
      #expect(all(of: file)[0] == sound + sound)
      let one = try folder.encoded("one.ogg", ["-c:a", "libvorbis"])
      let single = all(of: try openAudio(one))
      let twice = try folder.bytes("one.ogg")
      let three = try openAudio(folder.write(twice + twice + twice, "b.ogg"))
      #expect(three.format.frames == 180_000 && all(of: three)[1] == single[1] + single[1] + single[1])
    }

    @Test func `links that do not fit the first are skipped, and their length is reported`() throws {
      let first = try seedBytes("ogg-two-links.ogg")
      _ = try folder.encoded("other.ogg", ["-c:a", "libvorbis"], frames: 22_050)
      let file = try openAudio(folder.write(first + (try folder.bytes("other.ogg")) + first, "a.ogg"))
      #expect(file.format.frames == 16_000)
      #expect(
        file.format.warning?.reason
          == "1 of the 5 streams in it, 0.5 s, cannot be heard with the first and are left out")
      #expect(all(of: file)[0].count == 16_000)
    }

    // MARK: - Movies

    @Test func `fragments after a table with packets of its own are played`() throws {
      let file = try openAudio(seed("mp4-first-fragment-in-moov.mp4"))
      #expect(file.format.rate == 8000 && file.format.duration == 2.128 && file.format.framesAreExact)
      let sound = all(of: file)[0]
      #expect(sound.count == 17_024 && file.fault == nil)
      #expect(sound[16_000...].contains { abs($0) > 0.05 })
      try file.seek(to: 12_345)
      #expect(all(of: file)[0] == Array(sound[12_345...]))
    }

    @Test(arguments: ["frag_keyframe", "frag_keyframe+empty_moov", "frag_keyframe+default_base_moof"])
    func `a fragmented film has the length of all its fragments`(_ flags: String) throws {
      let path = try folder.encoded(
        "a.mp4", ["-c:a", "aac", "-aac_pns", "0", "-movflags", flags, "-frag_duration", "300000"],
        frames: 132_137)
      let plain = all(
        of: try openAudio(try folder.encoded("b.mp4", ["-c:a", "aac", "-aac_pns", "0"], frames: 132_137)))
      let file = try openAudio(path)
      let sound = all(of: file)
      #expect(file.format.frames == Int64(sound[0].count) && file.format.framesAreExact && file.fault == nil)
      // FFmpeg writes no edits into such a film, so the encoder's priming is played.
      #expect(sound[0].count == 1024 + 132_137 && Array(sound[0][1024...]) == plain[0])
    }

    @Test func `an empty edit is silence, and the sound follows it`() throws {
      let file = try openAudio(seed("m4a-pause-first.m4a"))
      #expect(file.format.duration == 1.5 && file.format.rate == 8000)
      let sound = all(of: file)[0]
      #expect(sound.count == 12_000 && file.fault == nil)
      #expect(sound[..<2976].allSatisfy { $0 == 0 })
      // FFmpeg decodes from 0.372 s on, and the tone begins at its sample 1022.
      #expect(sound.firstIndex { abs($0) > 0.01 } == 2976 + 1022)
      for place in [0, 2000, 2975, 2976, 5000, 11_999] {
        try file.seek(to: Int64(place))
        #expect(all(of: file)[0] == Array(sound[place...]))
      }
    }

    // MARK: - FLAC

    private func flac(_ name: String, rate: Int = 44100, frames: Int = 60_000) throws -> [UInt8] {
      _ = try folder.encoded(name, ["-c:a", "flac"], frames: frames, channels: 1, rate: rate)
      return try folder.bytes(name)
    }

    /// The same file with another number of samples in its header.
    private func headed(_ bytes: [UInt8], _ frames: Int) throws -> [UInt8] {
      var bytes = bytes
      let wide = try #require(bytes.big(18, 8))
      bytes.replaceSubrange(18..<26, with: Handmade.big((wide >> 36) << 36 | UInt64(frames)))
      return bytes
    }

    @Test func `FLAC whose header states too few samples is played to its end`() throws {
      let bytes = try flac("a.flac")
      let sound = all(of: try openAudio(folder["a.flac"]))
      #expect(sound[0].count == 60_000)
      for frames in [1, 30_000, 59_999] {
        let file = try openAudio(folder.write(try headed(bytes, frames), "b.flac"))
        #expect(file.format.frames == 60_000 && file.format.framesAreExact)
        #expect(all(of: file) == sound && file.fault == nil)
        try file.seek(to: 45_678)
        #expect(all(of: file)[0] == Array(sound[0][45_678...]))
      }
      let more = try openAudio(folder.write(try headed(bytes, 90_000), "c.flac"))
      #expect(all(of: more) == sound && more.fault?.reason == "60000 samples of 90000")
    }

    @Test func `FLAC whose rate changes ends there, and reports the rest`() throws {
      let first = try flac("a.flac")
      let second = try flac("b.flac", rate: 48000)
      let sound = all(of: try openAudio(folder["a.flac"]))
      let frames = try #require(FlacStream(of: try RegularFile(path: folder["b.flac"]))).soundStart
      for head in [0, 120_000] {
        let file = try openAudio(
          folder.write(try headed(first, head) + Array(second[Int(frames)...]), "c.flac"))
        #expect(all(of: file) == sound)
        #expect(
          file.fault
            == AudioError(
              .truncated, path: folder["c.flac"],
              reason: "after sample 60000 it goes on with 1 channel at 48000 Hz, which is left out"))
      }
    }

    @Test func `the last frame of FLAC gives the end of the stream`() throws {
      let bytes = try flac("a.flac")
      let stream = try #require(FlacStream(of: try RegularFile(path: folder["a.flac"])))
      #expect(stream.frames == 60_000 && stream.rate == 44100 && stream.channels == 1)
      let wanted = FlacStream.End(frames: 60_000, rate: 44100, channels: 1)
      #expect(stream.end(of: try RegularFile(path: folder["a.flac"])) == wanted)
      let tagged = folder.write(bytes + Array("TAG".utf8) + [UInt8](repeating: 32, count: 125), "b.flac")
      #expect(stream.end(of: try RegularFile(path: tagged)) == wanted)
      // A truncated or changed frame gives no end.
      let cut = folder.write(Array(bytes.dropLast(20)), "c.flac")
      #expect(stream.end(of: try RegularFile(path: cut)) == nil)
      var changed = bytes
      changed[bytes.count - 30] ^= 1
      #expect(stream.end(of: try RegularFile(path: folder.write(changed, "d.flac"))) == nil)
      for coder in [["sox"], ["flac"]] {
        let wave = folder.write(Wave.bytes(noise(2 * 33_333), channels: 2, as: .pcm16), "w.wav")
        if coder == ["sox"] {
          try run("sox", wave, folder["e.flac"])
        } else {
          try run("flac", "--silent", "-f", "-o", folder["e.flac"], wave)
        }
        let file = try RegularFile(path: folder["e.flac"])
        #expect(
          FlacStream(of: file)?.end(of: file) == FlacStream.End(frames: 33_333, rate: 48000, channels: 2))
      }
    }

    // MARK: - The player

    @Test func `a place that cannot be decoded is reported by the player, which plays on`() throws {
      let path = try folder.encoded("a.m4a", ["-c:a", "alac"], frames: 100_000, channels: 1, rate: 48000)
      var bytes = try folder.bytes("a.m4a")
      let middle = bytes.count / 2
      for index in middle..<middle + 3000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 73) }
      _ = path
      let rig = try PlayerRig([folder.write(bytes, "b.m4a")])
      rig.play(110_000)
      let faults = rig.player.events(after: 0).compactMap { event -> AudioError? in
        if case .decodeError(let fault, _) = event.event { fault } else { nil }
      }
      #expect(
        !faults.isEmpty && faults.allSatisfy { $0.code == .read && $0.reason.hasPrefix("after sample ") })
      #expect(rig.player.events(after: 0).last?.event == .finished(successfully: true))
      #expect(!rig.player.gaveNothing)
    }

    @Test func `a file that ends before its first sample plays nothing, and reports the reason`() throws {
      var bytes = try flac("a.flac")
      let start = Int(try #require(FlacStream(of: try RegularFile(path: folder["a.flac"]))).soundStart)
      for index in start..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 73) & 0x7F }
      let rig = try PlayerRig([folder.write(bytes, "b.flac")])
      #expect(rig.player.gaveNothing)
      #expect(rig.player.snapshot.fault?.reason == "0 samples of 60000")
    }
  }
#endif
