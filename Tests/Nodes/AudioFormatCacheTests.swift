import Foundation
import Glibc
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
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: AudioError(.missing, path: path, reason: "No such file or directory")) {
      try AudioFormatCache.format(of: path)
    }
  }

  @Test func `a file that has not changed is not opened again`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    /// Writes 20 samples: a file of the same node and size for every number of channels, last changed at `seconds`.
    func write(channels: Int, at seconds: Int) throws {
      let bytes = Wave.bytes([Float](repeating: 0, count: 20), channels: channels, as: .pcm16)
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      let count = pwrite(file, bytes, bytes.count, 0)
      close(file)
      try #require(count == bytes.count)
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
    }
    try write(channels: 2, at: 1_000_000_000)
    #expect(try AudioFormatCache.format(of: path).channels == 2)
    // Only a file that is opened shows that it has other channels now.
    try write(channels: 1, at: 1_000_000_000)
    #expect(try AudioFormatCache.format(of: path).channels == 2)
    try write(channels: 1, at: 1_000_000_001)
    #expect(try AudioFormatCache.format(of: path).channels == 1)
  }
}
