import Foundation
import Glibc
import Realtime
import Testing

@testable import Playback

@Suite struct FileStreamTests {
  let folder = Folder()

  private func wave(_ samples: [Float], rate: Int = 48000, channels: Int = 1) -> String {
    folder.write(Wave.bytes(samples, channels: channels, rate: rate), "a.wav")
  }

  @Test(arguments: [1, 32, 127, 1000, 4096, 8192])
  func `a stream filled before each cycle gives the file's exact samples and end`(_ cycle: Int) throws {
    let samples = noise(2 * 40_009)
    let stream = try FileStream(path: wave(samples, channels: 2), loop: .times(2), hostRate: 48000, depth: 0)
    stream.prime()
    let played = play(stream, cycle: cycle) { stream.fill() }
    for index in 0..<2 {
      let once = channel(index, of: samples, channels: 2)
      #expect(played[index] == once + once)
    }
    #expect(stream.reader.end == 80_018)
    #expect(stream.reader.position == 80_018)
    let facts = stream.facts
    #expect(facts.framesDecoded == 80_018)
    #expect(facts.plays == 2)
    #expect(facts.firstPlayEnd == 40_009)
    #expect(facts.end == 80_018)
    #expect(facts.endedEarly == nil)
    #expect(facts.underruns == 0)
    #expect(stream.statedLength == 40_009)
  }

  @Test func `the end is known no later than the last sample is there`() throws {
    for count in [16_383, 16_384, 16_385, 32_768] {
      let stream = try FileStream(path: wave(noise(count)), hostRate: 48000, depth: 0)
      let reader = stream.reader
      while !reader.isEnded {
        stream.fill()
        let there = reader.request(64)
        reader.consume(there)
        if reader.position == Int64(count) { #expect(reader.end == Int64(count)) }
      }
      #expect(reader.position == Int64(count))
      #expect(stream.facts.underruns == 0)
    }
  }

  @Test func `at another rate a stream has its exact length, loops included`() throws {
    let samples = noise(30_001)
    let path = wave(samples, rate: 44100)
    let stream = try FileStream(path: path, loop: .times(3), hostRate: 48000)
    let played = play(stream, cycle: 100) { stream.fill() }[0]
    #expect(Int64(played.count) == Resampler.length(of: 90_003, from: 44100, to: 48000))
    #expect(stream.facts.firstPlayEnd == Resampler.length(of: 30_001, from: 44100, to: 48000))
    #expect(stream.statedLength == stream.facts.firstPlayEnd)
    // The same as a file that holds the sound three times: the filter hears no seam.
    let long = folder.write(Wave.bytes(samples + samples + samples, channels: 1, rate: 44100), "long.wav")
    let once = try FileStream(path: long, hostRate: 48000, depth: 0.1)
    #expect(play(once, cycle: 8192) { once.fill() }[0] == played)
  }

  @Test(arguments: [44100, 48000])
  func `the stream's own thread gives the same samples as filling by hand`(_ rate: Int) throws {
    let path = wave(noise(200_000), rate: rate)
    let byHand = try FileStream(path: path, loop: .times(2), hostRate: 48000)
    let expected = play(byHand) { byHand.fill() }
    let stream = try FileStream(path: path, loop: .times(2), hostRate: 48000, depth: 0)
    stream.prime()
    #expect(stream.reader.available == 16_383)
    #expect(stream.start())
    let played = play(stream, cycle: 1024) {
      #expect(stream.waitUntilAvailable(1024, timeout: .seconds(20)))
    }
    #expect(played == expected)
    #expect(stream.facts.underruns == 0)
    stream.stop()
  }

  @Test func `the thread fills the ring by itself, without being woken`() throws {
    let stream = try FileStream(path: wave(noise(100)), loop: .forever, hostRate: 48000, depth: 0)
    stream.start()
    let reader = stream.reader
    let deadline = ContinuousClock.now + .seconds(20)
    var taken = 0
    while taken < 200_000, ContinuousClock.now < deadline {
      let there = reader.available
      reader.consume(there)
      taken += there
      sched_yield()
    }
    #expect(taken >= 200_000)
  }

  @Test func `a stopped stream waits for nobody, and works by hand again`() throws {
    let stream = try FileStream(path: wave(noise(100)), loop: .forever, hostRate: 48000, depth: 0)
    stream.start()
    stream.start()
    let before = ContinuousClock.now
    stream.stop()
    stream.stop()
    stream.wake()
    #expect(ContinuousClock.now - before < .seconds(5))
    stream.reader.consume(stream.reader.available)
    #expect(stream.waitUntilAvailable(5000, timeout: .zero))
    #expect(stream.reader.available >= 5000)
    #expect(stream.waitUntilAvailable(.max, timeout: .zero))
    #expect(stream.reader.available == 16_383)
    stream.start()
    #expect(stream.waitUntilAvailable(.max, timeout: .seconds(20)))
  }

  @Test func `a wait ends at its deadline when the disk gives nothing`() throws {
    let stuck = StuckReader()
    let gate = stuck.gate
    let stream = try FileStream(stuck, hostRate: 48000)
    stream.start()
    let before = ContinuousClock.now
    #expect(!stream.waitUntilAvailable(1, timeout: .milliseconds(30)))
    #expect(ContinuousClock.now - before >= .milliseconds(30))
    #expect(stream.facts == StreamFacts())  // asking does not wait for the disk either
    gate.ring()
    #expect(stream.waitUntilAvailable(1, timeout: .seconds(20)))
    #expect(stream.reader.end == 0)
    stream.stop()
  }

  @Test func `streams that are never stopped end by themselves`() throws {
    let path = wave(noise(100))
    for _ in 0..<50 {
      let stream = try FileStream(path: path, loop: .forever, hostRate: 48000, depth: 0)
      stream.start()
    }
  }

  @Test func `what is wrong with a file shows in the facts`() throws {
    let samples: [Float] = [0.5, .nan, 0.25, .infinity]
    let whole = Wave.bytes(samples + noise(1000), channels: 1)
    let path = folder.write(Array(whole.prefix(44 + 16)), "a.wav")
    let stream = try FileStream(path: path, hostRate: 48000)
    #expect(stream.facts.fault?.code == .truncated)
    #expect(play(stream) { stream.fill() } == [[0.5, 0, 0.25, 0]])
    #expect(stream.facts.nonFinite == 2)
    #expect(stream.facts.endedEarly == nil)
  }

  @Test func `a file cut short while it plays ends the stream where it ends, with the fault`() throws {
    let samples = noise(300_000)
    for rate in [48000, 44100] {
      let path = wave(samples, rate: rate)
      let stream = try FileStream(path: path, hostRate: 48000, depth: 0)
      stream.prime()
      truncate(path, 44 + 4 * 200_000)
      let played = play(stream) { stream.fill() }
      #expect(Int64(played[0].count) == Resampler.length(of: 200_000, from: rate, to: 48000))
      let facts = stream.facts
      #expect(facts.endedEarly?.code == .truncated)
      #expect(facts.endedEarly?.reason == "200000 samples of 300000")
      #expect(facts.shortPlays == 1)
      #expect(facts.end == Int64(played[0].count))
    }
  }

  @Test func `underruns are counted by the reader and told by the stream`() throws {
    let stream = try FileStream(path: wave(noise(1000)), hostRate: 48000)
    #expect(stream.reader.request(100) == 0)
    #expect(stream.facts.underruns == 1)
    #expect(stream.facts.missingSamples == 100)
  }

  @Test func `a host rate that makes no sense is refused`() throws {
    let path = wave(noise(4))
    for rate in [-1, 0, 999, 1_000_000] {
      #expect(throws: AudioFault(.rate, path: path, reason: "the host runs at \(rate) Hz")) {
        _ = try FileStream(path: path, hostRate: rate)
      }
    }
    for depth in [-1, .nan, 0] {
      #expect(try FileStream(path: path, hostRate: 48000, depth: depth).prime() == ())
    }
  }

  @Test func `a long file takes the memory of its ring and no more`() throws {
    // Twenty minutes of silence that takes no room on the disk.
    let frames = 1200 * 48000
    let path = folder.write(
      Wave.header(channels: 2, rate: 48000, as: .float, dataBytes: UInt32(frames * 8)), "long.wav")
    truncate(path, off_t(44 + frames * 8))
    let stream = try FileStream(path: path, hostRate: 48000)
    let before = residentBytes()
    let reader = stream.reader
    while !reader.isEnded {
      stream.fill()
      reader.consume(reader.request(256))
    }
    #expect(reader.position == Int64(frames))
    #expect(stream.facts.underruns == 0)
    // Other tests allocate meanwhile; the file has 460 MB.
    #expect(residentBytes() - before < 250_000_000)
  }
}

/// Memory of this process that is in use, in bytes.
private func residentBytes() -> Int {
  let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
}

/// A disk that gives nothing until somebody rings.
private final class StuckReader: AudioReader {
  let gate = Bell()
  let path = "stuck"
  let format = AudioFormat(channels: 1, rate: 48000, frames: nil, description: "")
  let nonFinite = 0
  let fault: AudioFault? = nil

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    gate.wait(nanoseconds: 20_000_000_000)
    return 0
  }
  let tags = AudioTags()
  let position: Int64 = 0
  func cover() -> CoverPicture? { nil }
  func rewind() throws(AudioFault) {}
  func seek(to frame: Int64) throws(AudioFault) {}
  func reopened() throws(AudioFault) -> any AudioReader { StuckReader() }
}
