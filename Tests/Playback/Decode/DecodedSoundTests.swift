import TestSounds
import Testing

@testable import Playback

@Suite struct DecodedSoundTests {
  private let folder = Folder()

  private func sound(
    _ samples: [Float], channels: Int, rate: Int = 48000, to host: Int = 48000, most: Int = 64,
    longest: Double = 30, bytes: Int = 1 << 30
  ) throws -> DecodedSound {
    let path = folder.write(Wave.bytes(samples, channels: channels, rate: rate), "sound.wav")
    return try DecodedSound(path: path, rate: host, channels: most, longest: longest, bytes: bytes)
  }

  private func samples(_ sound: DecodedSound) -> [[Float]] {
    (0..<sound.channels).map { Array(UnsafeBufferPointer(start: sound.samples[$0], count: sound.count)) }
  }

  @Test func `a file at the host's rate is kept to the bit, at any length`() throws {
    for count in [1, 8191, 8192, 8193, 50_000, 1_100_000] {
      var samples = noise(2 * count)
      samples[0] = -0.0
      let sound = try sound(samples, channels: 2)
      #expect(sound.count == count && sound.fault == nil)
      let kept = self.samples(sound)
      for number in 0..<2 {
        #expect(
          kept[number].map(\.bitPattern) == channel(number, of: samples, channels: 2).map(\.bitPattern))
      }
      #expect(sound.bytes == 8 * count)
    }
  }

  @Test func `a file of another rate has the samples of the resampler`() throws {
    let samples = noise(10_000)
    let sound = try sound(samples, channels: 1, rate: 44_100)
    let file = try AudioFile(path: folder["sound.wav"])
    let expected = all(of: try Resampler(file, from: 44_100, to: 48_000, path: ""))
    #expect(sound.count == 10_884)
    #expect(self.samples(sound) == expected)
  }

  @Test func `more channels than wanted are mixed down in turn`() throws {
    let samples: [Float] = [1, 10, 100, 1000, 10_000, 2, 20, 200, 2000, 20_000]
    let two = try self.samples(sound(samples, channels: 5, most: 2))
    // The three odd channels, and the even ones.
    let third = 1 / Float(3)
    let left = [1, 2].map { (x: Float) in x * third + 100 * x * third + 10_000 * x * third }
    #expect(two == [left, [505, 1010]])
    #expect(
      try self.samples(sound(samples, channels: 5, most: 5)).map { $0[1] } == [2, 20, 200, 2000, 20_000])
  }

  @Test func `a sound that is too long or too large is refused`() throws {
    #expect(try sound(noise(4800), channels: 1, longest: 0.1).count == 4800)
    #expect(throws: DecodedSound.Refusal.tooLong) { try sound(noise(4801), channels: 1, longest: 0.1) }
    #expect(try sound(noise(200), channels: 2, bytes: 800).count == 100)
    #expect(throws: DecodedSound.Refusal.tooLarge) { try sound(noise(202), channels: 2, bytes: 800) }
    #expect(throws: DecodedSound.Refusal.tooLarge) { try sound(noise(200), channels: 2, bytes: -1) }
  }

  @Test func `a missing file is refused with its fault`() throws {
    let path = folder["none.wav"]
    #expect(
      throws: DecodedSound.Refusal.file(
        AudioError(.missing, path: path, reason: "No such file or directory"))
    ) {
      try DecodedSound(path: path, rate: 48000, channels: 2, longest: 30, bytes: 1 << 20)
    }
  }

  @Test func `of a file shorter than stated the existing samples are kept, and the fault is reported`() throws
  {
    let whole = Wave.bytes(noise(2000), channels: 1)
    let path = folder.write(Array(whole.dropLast(4000)), "cut.wav")
    let sound = try DecodedSound(path: path, rate: 48000, channels: 2, longest: 30, bytes: 1 << 20)
    #expect(sound.count == 1000)
    #expect(sound.fault?.code == .truncated)
  }

  @Test func `a file with other bytes is another file`() throws {
    let path = folder.write([1, 2, 3], "a")
    let before = try #require(FileIdentity(path: path))
    #expect(FileIdentity(path: path) == before)
    folder.write([1, 2, 3, 4], "a")
    #expect(FileIdentity(path: path) != before)
    #expect(FileIdentity(path: folder["b"]) == nil)
  }
}
