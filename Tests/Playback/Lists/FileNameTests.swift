import Foundation
import Glibc
import System
import TestSounds
import Testing

@testable import Playback

/// Files whose names are not UTF-8.
@Suite struct FileNameTests {
  let folder = Folder()

  /// A name in ISO 8859-1.
  private let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".wav".utf8)

  /// Writes a file with that name.
  private func write(_ samples: [Float]) throws {
    let plain = folder.write(Wave.bytes(samples, channels: 1, as: .pcm16), "plain.wav")
    let bytes = Array(folder.path.utf8) + Array("/".utf8) + name + [0]
    #expect(rename(plain, bytes.map { CChar(bitPattern: $0) }) == 0)
  }

  @Test func `a name converted to text and back has the same bytes`() {
    let names: [[UInt8]] = [
      name, [0xFF], [0xC3], [0xC3, 0xA9, 0xE9], [0xF4, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], Array("é".utf8),
      [],
      Array(0x80...0xFF),
    ]
    for name in names { #expect(FileName.bytes(FileName.text(name)) == name) }
    #expect(FileName.text(Array("é".utf8)) == "é")
    #expect(FileName.shown(FileName.text(name)) == "caf\\xE9.wav" && FileName.shown("é") == "é")
  }

  @Test func `both kinds of lists play a name that is not UTF-8, to the sample`() throws {
    let samples = noise(48_000)
    try write(samples)
    for list in ["a.m3u", "a.m3u8"] {
      folder.write(Array("#EXTM3U\n".utf8) + name + [0x0A], list)
      let (tracks, skipped) = listedTracks(of: [folder[list]])
      #expect(skipped.isEmpty && tracks.map(\.name) == ["caf\\xE9"])
      #expect(try PlayerRig(tracks.map(\.path)).play(48_000)[0] == samples)
    }
    folder.write(Array("[playlist]\nFile1=".utf8) + name + Array("\nNumberOfEntries=1\n".utf8), "a.pls")
    #expect(listedTracks(of: [folder["a.pls"]]).tracks.map(\.name) == ["caf\\xE9"])
  }

  @Test func `a list in Windows-1252 leads to a file in UTF-8`() throws {
    folder.write(Wave.bytes(noise(100), channels: 1), "café.wav")
    folder.write(name + [0x0A], "a.m3u")
    let (tracks, skipped) = listedTracks(of: [folder["a.m3u"]])
    #expect(skipped.isEmpty && tracks.map(\.path) == [folder["café.wav"]])
  }

  @Test func `a name without a file is shown with its bytes`() {
    folder.write(name + [0x0A], "a.m3u")
    #expect(
      listedTracks(of: [folder["a.m3u"]]).skipped.map(\.message).first?.contains("caf\\xE9.wav") == true)
  }
}
