import Foundation
import Playback
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioFormatCacheTests {
  /// A RIFF WAVE file of 16 bits with so many channels of ten silent samples.
  private func wave(_ channels: Int) -> Data {
    func bytes(_ value: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(value >> (8 * $0) & 255) })
    }
    let sound = Data(count: 20 * channels)
    return Data("RIFF".utf8) + bytes(36 + sound.count, 4) + Data("WAVEfmt ".utf8) + bytes(16, 4) + bytes(1, 2)
      + bytes(channels, 2) + bytes(48_000, 4) + bytes(96_000 * channels, 4) + bytes(2 * channels, 2)
      + bytes(16, 2) + Data("data".utf8) + bytes(sound.count, 4) + sound
  }

  @Test func `a file that has changed is looked at again, one that has gone is missing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    for channels in [1, 1, 3, 2] {
      try wave(channels).write(to: URL(fileURLWithPath: path))
      #expect(try AudioFormatCache.format(of: path).channels == channels)
      #expect(try AudioFormatCache.format(of: path).channels == channels)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: AudioError(.missing, path: path, reason: "No such file or directory")) {
      try AudioFormatCache.format(of: path)
    }
  }
}
