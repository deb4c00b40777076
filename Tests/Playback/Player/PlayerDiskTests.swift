import Glibc
import Realtime
import TestSounds
import Testing

@testable import Playback

/// Very long files, and files that change while they play.
@Suite struct PlayerDiskTests {
  let folder = Folder()

  private func wave(_ samples: [Float], _ name: String = "a.wav", rate: Int = 48000) -> String {
    folder.write(Wave.bytes(samples, channels: 1, rate: rate), name)
  }

  // MARK: - Ten hours

  private static let hours10 = 36_000 * 48_000

  /// A stereo file of 16 bits and ten hours that takes little disk space: silence, and 4000 samples of noise at each
  /// place.
  private func longFile(_ places: [Int], _ sound: [Int16]) throws -> String {
    func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let data = UInt64(Self.hours10) * 4
    var header = Array("RF64".utf8) + little(UInt32.max) + Array("WAVEds64".utf8) + little(UInt32(28))
    header += little(data + 72) + little(data) + little(UInt64(Self.hours10)) + little(UInt32(0))
    header += Array("fmt ".utf8) + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(2))
    header += little(UInt32(48000)) + little(UInt32(192_000)) + little(UInt16(4)) + little(UInt16(16))
    header += Array("data".utf8) + little(UInt32.max)
    let path = folder.write(header, "long.wav")
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(ftruncate(file, off_t(header.count) + off_t(data)) == 0)
    for place in places {
      let written = sound.withUnsafeBytes {
        pwrite(file, $0.baseAddress, $0.count, off_t(header.count + 4 * place))
      }
      try #require(written == 2 * sound.count)
    }
    return path
  }

  @Test func `ten hours play and seek to the sample, in the memory of a minute`() throws {
    let sound = noise(8000).map { Int16($0 * 32768) }
    let expected = (0..<2).map { channel in
      stride(from: channel, to: 8000, by: 2).map { Float(sound[$0]) / 32768 }
    }
    let places = [0, 48_000 * 3600 + 17, 48_000 * 25_000 + 12_345, Self.hours10 - 4000]
    let path = try longFile(places, sound)
    let before = resident()
    let rig = try PlayerRig([path], channels: 2)
    #expect(rig.player.snapshot.duration == 36_000)
    #expect(rig.play(4000) == expected)
    for place in places.dropFirst() {
      // Starts 1000 samples earlier, so that the ramp has ended.
      rig.player.perform(.seek(Double(place - 1000) / 48000))
      let recorded = rig.play(5000)
      #expect(recorded.map { Array($0[1000...]) } == expected)
      #expect(rig.player.snapshot.currentTime == Double(place + 4000) / 48000)
    }
    rig.play(1000)
    #expect(rig.player.snapshot.isOver)
    #expect(rig.player.events(after: 1).last?.event == .finished(successfully: true))
    // Other tests run in the same process; ten hours would be 14 GB.
    #expect(resident() - before < 1 << 30)
  }

  /// Resident memory of the process, in bytes.
  private func resident() -> Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 200)
    let count = read(file, &text, text.count)
    let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  // MARK: - Files that change

  @Test
  func `a file cut short while it plays is played as far as it goes, and its end is reported as broken`()
    throws
  {
    let samples = noise(300_000)
    let path = wave(samples)
    let rig = try PlayerRig([path])
    rig.play(5000)
    truncate(path, 44 + 4 * 150_000)
    rig.play(200_000)
    #expect(Array(rig.recorded[0][..<150_000]) == Array(samples[..<150_000]))
    #expect(rig.recorded[0][150_000...].allSatisfy { $0 == 0 })
    let events = rig.player.events(after: 1).map(\.event)
    #expect(events.last == .finished(successfully: false))
    if case .decodeError(let fault, let at)? = events.first {
      #expect([.truncated, .read].contains(fault.code) && fault.path == path)
      #expect(at == 150_000 / 48000.0)
    } else {
      Issue.record("no decode error: \(events)")
    }
    #expect(rig.player.hasBrokenOff)
  }

  @Test func `a deleted file plays on, and a seek in it is reported and is no end`() throws {
    let samples = noise(300_000)
    let path = wave(samples)
    let rig = try PlayerRig([path])
    rig.play(5000)
    unlink(path)
    #expect(rig.play(100_000)[0] == Array(samples[5000..<105_000]))
    rig.player.perform(.seek(1))
    let recorded = rig.play(5000)[0]
    #expect(recorded[480...].allSatisfy { $0 == 0 })
    let events = rig.player.events(after: 1).map(\.event)
    #expect(events.last == .finished(successfully: false))
    #expect(rig.player.snapshot.fault?.code == .missing)
    #expect(rig.player.hasBrokenOff)
    // The file is back, and so is its sound.
    _ = wave(samples)
    rig.player.perform(.play)
    #expect(rig.play(1000)[0] == Array(samples[..<1000]))
  }

  @Test func `a replaced file plays on as it was, and after a seek as it is`() throws {
    let old = noise(300_000)
    let new = noise(300_000, seed: 9)
    let path = wave(old)
    let rig = try PlayerRig([path])
    rig.play(5000)
    rename(wave(new, "new.wav"), path)
    #expect(rig.play(100_000)[0] == Array(old[5000..<105_000]))
    rig.player.perform(.seek(1))
    #expect(Array(rig.play(5000)[0][480...]) == Array(new[48_480..<53_000]))
    #expect(rig.player.events(after: 1).isEmpty)
  }

  @Test func `of a list of ten thousand files the only existing one is played`() throws {
    let samples = noise(3000)
    let files = (0..<10_000).map { folder["none-\($0).wav"] } + [wave(samples)]
    let rig = try PlayerRig(files)
    #expect(rig.play(4000)[0] == samples + Array(repeating: 0, count: 1000))
    #expect(rig.player.errors == 10_000)
    #expect(rig.player.snapshot.track == 10_000)
    #expect(rig.player.events(after: 0).count == 256)
  }
}
