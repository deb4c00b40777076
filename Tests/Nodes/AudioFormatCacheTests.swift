import Foundation
import Playback
import TestSounds
import TestSupport
import Testing

@testable import Nodes

@Suite struct AudioFormatCacheTests {
  /// A 16-bit WAVE file with `channels` channels of ten silent samples.
  private func wave(_ channels: Int) -> Data {
    Data(Wave.bytes([Float](repeating: 0, count: 10 * channels), channels: channels, as: .pcm16))
  }

  @Test func `a changed file is read again, and a removed one is missing`() throws {
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
