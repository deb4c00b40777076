import Foundation
import TestSounds
import Testing

@testable import Playback

@Suite struct PlaylistReaderTests {
  let folder = Folder()

  private func file(_ samples: [Float], _ name: String = "a.wav", rate: Int = 48000) -> String {
    folder.write(Wave.bytes(samples, channels: 1, rate: rate), name)
  }

  /// A file read in a loop, and the faults reported for it.
  private final class Looped {
    let reader: PlaylistReader
    private(set) var faults: [AudioError] = []

    init(_ path: String, loop: Loop) throws {
      var settings = PlayerSettings()
      settings.loop = loop
      reader = PlaylistReader(Playlist([path], settings), from: PlaylistPosition(), channels: 1, loopFade: 0)
      {
        path throws(AudioError) in try AudioFile(path: path)
      }
      reader.reportEvent = { [unowned self] _, event in
        if case .decodeError(let fault, _) = event { faults.append(fault) }
      }
      try #require(reader.openFirst() != nil)
      #expect(reader.start(preroll: 0) == 0)
    }
  }

  @Test(arguments: [0, 1, 2, 7])
  func `a file is played the stated number of times without a gap`(_ times: Int) throws {
    let samples = noise(1009)
    let looped = try Looped(file(samples), loop: .times(times))
    let expected = (0..<max(1, times)).flatMap { _ in samples }
    #expect(all(of: looped.reader, pieces: [256, 1, 3000])[0] == expected)
    #expect(looped.reader.fault == nil)
    let buffer = PlanarBuffer(channels: 1, count: 8)
    #expect(looped.reader.read(8, into: buffer.samples) == 0)
  }

  @Test func `a file of one sample loops forever`() throws {
    let looped = try Looped(file([0.25]), loop: .forever)
    #expect(all(of: looped.reader, limit: 5000)[0] == [Float](repeating: 0.25, count: 5000))
  }

  @Test(arguments: [1, 2, 4095, 4096, 4097])
  func `a short file repeats exactly, from memory if necessary`(_ count: Int) throws {
    let samples = noise(count)
    let looped = try Looped(file(samples), loop: .times(5))
    #expect(all(of: looped.reader, pieces: [3, 1000])[0] == samples + samples + samples + samples + samples)
  }

  @Test func `a short truncated file is read anew each time`() throws {
    try run("sox", folder.write(Wave.bytes(noise(6000), channels: 1, as: .pcm16), "a.wav"), folder["a.flac"])
    truncate(folder["a.flac"], 10_500)
    let once = all(of: try AudioFile(path: folder["a.flac"]))[0]
    #expect(once.count == 4096)
    let looped = try Looped(folder["a.flac"], loop: .times(3))
    #expect(all(of: looped.reader)[0] == once + once + once)
    #expect(looped.faults.count == 3)
    #expect(looped.reader.fault != nil)
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg"])
  func `a compressed file repeats exactly the samples of its first play`(_ name: String) throws {
    let wave = folder.write(Wave.bytes(noise(20_011), channels: 1, rate: 44100, as: .pcm16), "a.wav")
    try run("ffmpeg", "-v", "error", "-i", wave, folder[name])
    let once = all(of: try AudioFile(path: folder[name]))[0]
    #expect(once.count == 20_011)
    let looped = try Looped(folder[name], loop: .times(3))
    #expect(all(of: looped.reader, pieces: [257])[0] == once + once + once)
  }

  @Test func `a truncated FLAC file repeats its existing samples`() throws {
    let wave = folder.write(Wave.bytes(noise(60_000), channels: 1, as: .pcm16), "a.wav")
    try run("sox", wave, folder["a.flac"])
    truncate(folder["a.flac"], 70_000)
    let once = all(of: try AudioFile(path: folder["a.flac"]))[0]
    #expect(once.count > 20_000)
    let looped = try Looped(folder["a.flac"], loop: .times(3))
    #expect(all(of: looped.reader)[0] == once + once + once)
    #expect(looped.faults.count == 3)
  }

  @Test func `a file cut short while it plays is played as far as it goes, and again`() throws {
    let samples = noise(100_000)
    let path = folder.write(Wave.bytes(samples, channels: 1), "a.wav")
    let looped = try Looped(path, loop: .times(2))
    #expect(all(of: looped.reader, limit: 1000)[0].count == 1000)
    truncate(path, 44 + 4 * 50_000)
    let rest = all(of: looped.reader)[0]
    #expect(rest == Array(samples[1000..<50_000]) + Array(samples[..<50_000]))
    #expect(looped.faults.count == 1)  // the second round knows the new length
    let last = looped.faults.last?.code
    #expect(last == .truncated || last == .read)
  }

  @Test func `a file emptied while it plays ends the sound`() throws {
    let path = folder.write(Wave.bytes(noise(100_000), channels: 1), "a.wav")
    let looped = try Looped(path, loop: .forever)
    _ = all(of: looped.reader, limit: 1000)
    truncate(path, 0)
    #expect(all(of: looped.reader, limit: 200_000)[0].count < 100_000)
    #expect(looped.reader.fault?.code == .empty)
  }

  @Test func `a deleted file plays on in its loop`() throws {
    let samples = noise(100_000)
    let path = folder.write(Wave.bytes(samples, channels: 1), "a.wav")
    let looped = try Looped(path, loop: .times(2))
    _ = all(of: looped.reader, limit: 1000)
    unlink(path)
    #expect(all(of: looped.reader)[0] == Array(samples[1000...]) + samples)
    #expect(looped.reader.fault == nil)
  }

  @Test func `a file cut short and then deleted or replaced by another ends the sound`() throws {
    let path = folder.write(Wave.bytes(noise(100_000), channels: 1), "a.wav")
    for replacement in [
      nil, Wave.bytes(noise(20), channels: 2), Wave.bytes(noise(20), channels: 1, rate: 8000),
    ] {
      folder.write(Wave.bytes(noise(100_000), channels: 1), "a.wav")
      let looped = try Looped(path, loop: .forever)
      _ = all(of: looped.reader, limit: 1000)
      truncate(path, 44 + 4 * 50_000)
      unlink(path)
      if let replacement { folder.write(replacement, "a.wav") }
      #expect(all(of: looped.reader)[0].count == 49_000)
      #expect(looped.faults.last?.code == (replacement == nil ? .missing : .changed))
      #expect(looped.faults.last?.path == path)
    }
  }
}
