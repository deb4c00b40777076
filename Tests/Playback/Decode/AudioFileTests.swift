import Foundation
import Glibc
import System
import TestSounds
import Testing

@testable import Playback

@Suite struct AudioFileTests {
  let folder = Folder()

  @Test(arguments: Wave.Coding.allCases)
  func `a wave file gives its exact samples`(_ coding: Wave.Coding) throws {
    let samples = noise(3 * 5000)
    let path = folder.write(Wave.bytes(samples, channels: 3, rate: 44100, as: coding), "a.wav")
    let file = try AudioFile(path: path)
    #expect(file.format.channels == 3)
    #expect(file.format.rate == 44100)
    #expect(file.format.frames == 5000)
    #expect(file.format.framesAreExact)
    #expect(file.format.duration == 5000 / 44100.0)
    #expect(file.format.warning == nil)
    #expect(file.format.description.hasPrefix("WAV (Microsoft), "))
    let read = all(of: file, pieces: [1, 777, 4096])
    for index in 0..<3 { #expect(read[index] == channel(index, of: samples, channels: 3)) }
    #expect(file.fault == nil)
    #expect(file.nonFinite == 0)
  }

  @Test(arguments: ["a.flac", "a.aiff", "a.au", "a.w64", "a.caf"])
  func `a lossless file of another program gives its exact samples`(_ name: String) throws {
    let samples = noise(2 * 30_000)
    let wave = folder.write(Wave.bytes(samples, channels: 2, as: .pcm16), "a.wav")
    try run("sox", wave, folder[name])
    let file = try AudioFile(path: folder[name])
    #expect(file.format.frames == 30_000)
    let read = all(of: file)
    #expect(read[0] == channel(0, of: samples, channels: 2))
    #expect(read[1] == channel(1, of: samples, channels: 2))
    #expect(file.fault == nil)
  }

  @Test(arguments: [
    ("a.ogg", "libvorbis", 44100), ("a.opus", "libopus", 48000), ("a.mp3", "libmp3lame", 44100),
  ])
  func `a lossy file has its exact length and gives the same samples again`(
    _ name: String, _ codec: String, _ rate: Int
  ) throws {
    let wave = folder.write(Wave.bytes(noise(2 * 100_003), channels: 2, rate: rate, as: .pcm16), "a.wav")
    try run("ffmpeg", "-v", "error", "-i", wave, "-c:a", codec, folder[name])
    let file = try AudioFile(path: folder[name])
    #expect(file.format.rate == rate)
    let read = all(of: file)
    #expect(read[0].count == 100_003)
    #expect(read[0].contains { abs($0) > 0.1 })
    #expect(file.fault == nil)
    try file.rewind()
    #expect(all(of: file, pieces: [313]) == read)
  }

  @Test func `a file of one channel and one of 1024 give their exact samples`() throws {
    for channels in [1, 1024] {
      let samples = noise(channels * 300)
      let file = try AudioFile(path: folder.write(Wave.bytes(samples, channels: channels), "a.wav"))
      let read = all(of: file, pieces: [100])
      for index in 0..<channels { #expect(read[index] == channel(index, of: samples, channels: channels)) }
    }
  }

  @Test func `samples that are infinite or not a number become 0 and are counted, and denormals stay`() throws
  {
    let tiny = Float.leastNonzeroMagnitude
    let samples: [Float] = [.nan, 0.5, .infinity, -tiny, -.infinity, 3e38, tiny, -.signalingNaN]
    let file = try AudioFile(path: folder.write(Wave.bytes(samples, channels: 2), "a.wav"))
    let read = all(of: file)
    #expect(read == [[0, 0, 0, tiny], [0.5, -tiny, 3e38, 0]])
    #expect(file.nonFinite == 4)
  }

  @Test(arguments: [Float.infinity, -.infinity, .nan, -.nan], [1, 2, 3])
  func `a single infinite sample or one that is not a number is found at any place`(
    _ bad: Float, _ channels: Int
  ) throws {
    var samples = noise(channels * 200)
    for place in [0, 17, channels * 200 - 1] {
      samples[place] = bad
      let file = try AudioFile(path: folder.write(Wave.bytes(samples, channels: channels), "a.wav"))
      samples[place] = 0
      #expect(all(of: file)[place % channels] == channel(place % channels, of: samples, channels: channels))
      #expect(file.nonFinite == 1)
    }
  }

  @Test func `a missing file, a folder, a pipe and an empty file are refused, each by its name`() throws {
    #expect(fault(opening: folder["none.wav"])?.code == .missing)
    #expect(fault(opening: folder.write([1], "file") + "/below.wav")?.code == .missing)
    #expect(fault(opening: "")?.code == .missing)
    #expect(fault(opening: "a\0b")?.code == .unreadable)
    #expect(fault(opening: folder.path)?.code == .folder)
    #expect(fault(opening: "/dev/zero")?.code == .notAFile)
    mkfifo(folder["pipe"], 0o600)
    #expect(fault(opening: folder["pipe"])?.code == .notAFile)
    #expect(fault(opening: folder.write([], "empty.wav"))?.code == .empty)
    #expect(fault(opening: folder.write(Wave.bytes([], channels: 2), "silent.wav"))?.code == .empty)
    let text = try #require(fault(opening: folder.write(Array("visgraph: 1\nnodes:\n".utf8), "text.wav")))
    #expect(text.code == .notAudio)
    #expect(text.path == folder["text.wav"])
    #expect(!text.reason.isEmpty)
  }

  @Test func `a file without read permission is refused with the system's reason`() throws {
    let path = folder.write(Wave.bytes([0], channels: 1), "a.wav")
    chmod(path, 0)
    // Root may read everything. The user for file access (setfsuid) belongs to this thread, and is restored at once.
    let before = setfsuid(65534)
    let refused = fault(opening: path)
    setfsuid(UInt32(before))
    #expect(refused == AudioError(.unreadable, path: path, reason: "Permission denied"))
  }

  @Test func `more channels or higher rates than can be played are refused`() {
    for channels in [0, 1025, 2000] {
      let bytes = Wave.bytes(noise(4 * max(1, channels)), channels: channels)
      #expect(fault(opening: folder.write(bytes, "a.wav"))?.code == .channels)
    }
    for rate in [1, 999, 768_001, 4_000_000] {
      let bytes = Wave.bytes(noise(4), channels: 1, rate: rate)
      #expect(fault(opening: folder.write(bytes, "a.wav"))?.code == .rate)
    }
    #expect(fault(opening: folder.write(Wave.bytes(noise(4), channels: 1, rate: 1000), "a.wav")) == nil)
  }

  @Test func `a refused file is closed, and closed only once`() throws {
    // Other tests have files open at the same time, so only descriptors of this file are counted.
    for bytes in [Array("no sound at all".utf8), Wave.bytes([], channels: 2), Wave.bytes([0], channels: 0)] {
      let path = folder.write(bytes, "a.wav")
      for _ in 0..<20 { _ = fault(opening: path) }
      #expect(descriptors(of: path) == 0)
      let file = try RegularFile(path: path)
      for _ in 0..<20 { _ = try? OpenedFile(of: file) }
      #expect(descriptors(of: path) == 1)
    }
  }

  @Test func `a freed file has closed its descriptor`() throws {
    let path = folder.write(Wave.bytes(noise(10), channels: 1), "a.wav")
    var file: AudioFile? = try AudioFile(path: path)
    #expect(descriptors(of: path) == 2)
    _ = all(of: try #require(file))
    for _ in 0..<5 { try file?.rewind() }
    #expect(descriptors(of: path) == 2)
    file = nil
    #expect(descriptors(of: path) == 0)
  }

  @Test func `a truncated wave file plays the existing samples and reports the missing ones`() throws {
    let samples = noise(2 * 1000)
    let whole = Wave.bytes(samples, channels: 2)
    let file = try AudioFile(path: folder.write(Array(whole.prefix(44 + 600 * 8)), "a.wav"))
    #expect(
      file.format.warning
        == AudioError(.truncated, path: folder["a.wav"], reason: "4800 bytes of sound, 8000 in the header"))
    #expect(all(of: file)[1] == channel(1, of: Array(samples.prefix(1200)), channels: 2))
  }

  @Test func `a wave file written into a pipe has no length in its header and is complete`() throws {
    let samples = noise(2 * 1000)
    for stated: UInt32 in [0xFFFF_FFFF, 0x7FFF_FFFF] {
      let file = try AudioFile(path: folder.write(Wave.bytes(samples, channels: 2, stated: stated), "a.wav"))
      #expect(file.format.warning == nil)
      #expect(all(of: file)[0] == channel(0, of: samples, channels: 2))
      #expect(file.fault == nil)
    }
  }

  @Test func `a truncated FLAC file plays the existing samples and ends with a fault`() throws {
    let samples = noise(2 * 60_000)
    try run("sox", folder.write(Wave.bytes(samples, channels: 2, as: .pcm16), "a.wav"), folder["a.flac"])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder["a.flac"])))
    let path = folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), "cut.flac")
    let file = try AudioFile(path: path)
    #expect(file.format.frames == 60_000)
    let read = all(of: file)
    #expect((20_000..<37_000).contains(read[0].count))
    #expect(read[0] == Array(channel(0, of: samples, channels: 2).prefix(read[0].count)))
    #expect(file.fault?.code == .read || file.fault?.code == .truncated)
    try file.rewind()
    #expect(file.fault == nil)
    #expect(all(of: file) == read)
  }

  @Test func `a streamed FLAC file of unknown length is read to its end`() throws {
    let samples = noise(2 * 10_000)
    let wave = folder.write(Wave.bytes(samples, channels: 2, as: .pcm16), "a.wav")
    try run("sh", "-c", "ffmpeg -v error -i '\(wave)' -f flac - > '\(folder["a.flac"])'")
    let file = try AudioFile(path: folder["a.flac"])
    #expect(file.format.frames == nil)
    #expect(file.format.duration == nil)
    #expect(file.format.warning == nil)
    #expect(all(of: file)[0] == channel(0, of: samples, channels: 2))
    #expect(file.fault == nil)
  }

  @Test func `a truncated Ogg file plays the existing samples and reports that its end is missing`() throws {
    let wave = folder.write(Wave.bytes(noise(2 * 441_000), channels: 2, rate: 44100, as: .pcm16), "a.wav")
    try run("ffmpeg", "-v", "error", "-i", wave, "-c:a", "libvorbis", folder["a.ogg"])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder["a.ogg"])))
    let file = try AudioFile(path: folder.write(Array(bytes.prefix(bytes.count / 2)), "cut.ogg"))
    #expect(file.format.warning?.code == .truncated)
    #expect(all(of: file)[0].count > 150_000)
  }

  @Test func `broken bytes anywhere in a file never crash`() throws {
    let samples = noise(2 * 3000)
    let wave = folder.write(Wave.bytes(samples, channels: 2, as: .pcm16), "a.wav")
    for name in ["a.flac", "a.aiff", "a.caf", "a.au"] { try run("sox", wave, folder[name]) }
    try run("ffmpeg", "-v", "error", "-i", wave, folder["a.mp3"])
    try run("ffmpeg", "-v", "error", "-i", wave, "-c:a", "libvorbis", folder["a.ogg"])
    var state: UInt64 = 3
    for name in ["a.wav", "a.flac", "a.aiff", "a.caf", "a.au", "a.mp3", "a.ogg"] {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder[name])))
      for _ in 0..<40 {
        var broken = bytes
        for _ in 0..<8 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          broken[Int(state >> 33) % min(broken.count, 400)] = UInt8(truncatingIfNeeded: state >> 20)
        }
        guard let file = try? AudioFile(path: folder.write(broken, "broken")) else { continue }
        let read = all(of: file, limit: 100_000)
        #expect(read.allSatisfy { $0.allSatisfy(\.isFinite) })
      }
    }
  }
}

/// The user whose permissions count when this thread opens files; glibc has the function, its Swift module does not.
@_silgen_name("setfsuid") @discardableResult
private func setfsuid(_ user: UInt32) -> Int32

/// Open descriptors of this process for a file.
private func descriptors(of path: String) -> Int {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return names.count {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
  }
}
