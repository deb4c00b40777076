import Foundation
import TestSounds
import Testing

@testable import Playback

/// Albums in one file, divided by a cue sheet.
@Suite struct AudioCueSheetTests {
  let folder = Folder()

  private func sheet(_ text: String, _ name: String = "album.cue") { folder.write(Array(text.utf8), name) }

  @Test func `a sheet has its tracks, titles and times`() throws {
    let text = """
      REM GENRE Rock\r
      PERFORMER "The Band"\r
      TITLE "The Album"\r
      FILE "a b.wav" WAVE\r
        TRACK 01 AUDIO\r
          TITLE "One"\r
          INDEX 01 00:00:00\r
        TRACK 02 AUDIO\r
          PERFORMER "A Guest"\r
          INDEX 00 03:24:00\r
          INDEX 01 03:25:74\r
        TRACK 03 AUDIO
      """
    let sheet = try #require(AudioCueSheet(Array(text.utf8)))
    #expect(sheet.album == "The Album")
    let second: Int64 = (3 * 60 + 25) * 75 + 74
    #expect(
      sheet.tracks == [
        AudioCueSheet.Track(
          number: 1, file: "a b.wav", title: "One", artist: "The Band", start: 0, end: second),
        AudioCueSheet.Track(
          number: 2, file: "a b.wav", title: nil, artist: "A Guest", start: second, end: nil),
      ])
    #expect(AudioCueSheet(Array("FILE \"a.wav\" WAVE\n TRACK 01 AUDIO\n INDEX 01 0:61:00".utf8)) == nil)
    #expect(AudioCueSheet([]) == nil)
  }

  @Test func `a sheet beside a file with another extension gives two tracks`() throws {
    let whole = all(of: try openAudio(seed("album.flac")))[0]
    #expect(whole.count == 16_000)
    let (tracks, skipped) = listedTracks(of: [seed("album.cue")])
    #expect(skipped.isEmpty && tracks.map(\.name) == ["First", "Second"])
    #expect(tracks.map(\.path) == [seed("album.cue") + "#1", seed("album.cue") + "#2"])
    let parts = try tracks.map { try openAudio($0.path) }
    #expect(parts.map(\.format.duration) == [1, 1] && parts.map(\.tags.title) == ["First", "Second"])
    let sounds = parts.map { all(of: $0)[0] }
    #expect(sounds[0] + sounds[1] == whole && sounds.map(\.count) == [8000, 8000])
    // 440 and 660 periods: as many rising zero crossings.
    func waves(_ sound: [Float]) -> Int { zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 } }
    #expect((439...440).contains(waves(sounds[0])) && (659...660).contains(waves(sounds[1])))
    for place in [7999, 0, 4000] {
      try parts[1].seek(to: Int64(place))
      #expect(parts[1].position == Int64(place) && all(of: parts[1])[0] == Array(sounds[1][place...]))
    }
    try parts[0].rewind()
    #expect(all(of: parts[0])[0] == sounds[0] && parts[0].fault == nil)
  }

  @Test func `a sheet in UTF-16 is read`() {
    folder.write([1], "a.wav")
    let text =
      "\u{FEFF}FILE \"a.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"Él\"\r\n    INDEX 01 00:00:00\r\n"
    for isLittle in [true, false] {
      let bytes = text.utf16.flatMap { unit in
        let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        return isLittle ? pair : pair.reversed()
      }
      let (tracks, skipped) = listedTracks(of: [folder.write(bytes, "a.cue")])
      #expect(skipped.isEmpty && tracks.map(\.title) == ["Él"])
    }
  }

  @Test func `tracks of one file follow each other without a seam`() throws {
    let samples = noise(48_000)
    folder.write(Wave.bytes(samples, channels: 1, as: .pcm16), "album.wav")
    sheet("FILE \"album.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:31\n")
    let files = listedTracks(of: [folder["album.cue"]]).tracks.map(\.path)
    let rig = try PlayerRig(files)
    #expect(rig.play(48_000)[0] == samples)
  }

  @Test func `in a folder the tracks replace their file, and only there`() throws {
    for name in ["a.wav", "b.wav", "c.wav"] {
      folder.write(Wave.bytes(noise(48_000), channels: 1, as: .pcm16), name)
    }
    sheet(
      "FILE \"b.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:40\n", "b.cue")
    sheet("FILE \"c.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n", "c.cue")
    let found = listedTracks(of: [folder.path]).tracks.map { $0.path.dropFirst(folder.path.count + 1) }
    #expect(found == ["a.wav", "b.cue#1", "b.cue#2", "c.wav"])
  }

  @Test func `a sheet embedded in FLAC divides the file if it is named by itself`() throws {
    let wave = folder.write(Wave.bytes(noise(2 * 48_000), channels: 1, as: .pcm16), "a.wav")
    let text =
      "TITLE \"Inside\"\nFILE \"x.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"A\"\nINDEX 01 00:00:00\n"
      + "TRACK 02 AUDIO\nTITLE \"B\"\nINDEX 01 00:01:00\n"
    try run("flac", "--silent", "--tag=CUESHEET=\(text)", "-o", folder["a.flac"], wave)
    let found = listedTracks(of: [folder["a.flac"]]).tracks
    #expect(
      found.map(\.name) == ["A", "B"] && found.map(\.path) == [folder["a.flac#1"], folder["a.flac#2"]])
    let second = try openAudio(found[1].path)
    #expect(second.format.frames == 48_000 && second.tags.album == "Inside")
    #expect(all(of: second)[0] == Array(noise(2 * 48_000)[48_000...]))
    #expect(try PlayerRig(found.map(\.path)).play(2 * 48_000)[0] == noise(2 * 48_000))
  }

  @Test func `a fault in a track has the track's time`() throws {
    let wave = folder.write(Wave.bytes(noise(400_000), channels: 1, as: .pcm16), "a.wav")
    try run("flac", "--silent", "-o", folder["album.flac"], wave)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder["album.flac"])))
    let middle = bytes.count / 2
    for index in middle..<middle + 3000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 73) }
    folder.write(bytes, "album.flac")
    sheet(
      "FILE \"album.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:02:00\n")
    let whole = try openAudio(folder["album.flac"])
    let second = try openAudio(folder["album.cue#2"])
    for file in [whole, second] {
      _ = all(of: file)
      try #require(file.breaks.count > 0)
    }
    #expect(abs(second.breaks.position + 96_000 - whole.breaks.position) < 10_000)
  }

  @Test func `a fault in a sheet is reported`() throws {
    sheet("FILE \"gone.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:01:00\n")
    #expect(listedTracks(of: [folder["album.cue"]]).skipped.map(\.code) == [.missing])
    #expect(refusal(of: folder["album.cue#1"])?.code == .missing)
    #expect(
      refusal(of: folder["album.cue"])?.reason
        == "it is a CUE sheet; its tracks are '\(folder["album.cue"])#1' and so on")
    sheet("TRACK 01 AUDIO\n", "none.cue")
    #expect(listedTracks(of: [folder["none.cue"]]).skipped.map(\.code) == [.format])
    // A file whose name only looks like a track's is that file.
    folder.write(Wave.bytes(noise(100), channels: 1), "a.cue#1")
    #expect(try openAudio(folder["a.cue#1"]).format.frames == 100)
  }
}
