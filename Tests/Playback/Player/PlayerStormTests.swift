import Glibc
import Realtime
import Synchronization
import System
import TestSounds
import TestSupport
import Testing

@testable import Playback

/// Many commands at difficult moments, while a disk thread reads.
@Suite(.waiting) struct PlayerStormTests {
  let folder = Folder()

  /// A sound whose samples show their place, with small steps: a line that rises to its middle and falls.
  static let length = 3_000_000
  static func line(in folder: Folder) -> String {
    let samples = [Float](count: length) { Float(min($0, length - $0)) / Float(1 << 23) }
    return folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "line.wav")
  }

  @Test func `after a storm of every command on a running thread the last one holds`() throws {
    var settings = PlayerSettings()
    settings.loop = .forever
    let rig = try PlayerRig([Self.line(in: folder)], settings: settings, isRealTime: true)
    rig.player.start()
    var state: UInt64 = 7
    func chance(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<3000 {
      switch chance(6) {
      case 0: rig.player.perform(.rate(Double(chance(16) + 5) / 10))
      case 1: rig.player.perform(.pitch(chance(2) == 0 ? .kept : .varispeed))
      case 2: rig.player.perform(.volume(Float(chance(11)) / 10, fade: 0))
      default: rig.player.perform(.seek(Double(chance(62_000)) / 1000))
      }
      rig.play(128, by: 128, streams: false)
    }
    for command in [.rate(1), .volume(1, fade: 0), .play] as [PlayerCommand] { rig.player.perform(command) }
    // A disk thread that is not scheduled leaves silence before the sound.
    let wrong = lastOf { () -> Int? in
      rig.player.perform(.seek(20))
      rig.player.fill()
      let end = Int((rig.play(20_000)[0][19_999] * Float(1 << 23)).rounded())
      return end == 960_000 + 19_999 ? nil : end
    }
    #expect(wrong == nil)
    #expect(rig.recorded[0].allSatisfy { $0.isFinite })
  }

  @Test func `a disk that stalls is counted and silent, and leaves no click`() throws {
    let gate = Latch(resets: .afterWait)
    let sine = [Float](count: 200_000) { Float(sin(Double($0) * 0.05)) }
    let path = folder.write(Wave.bytes(sine, channels: 1, rate: 48000), "sine.wav")
    let stall = Stall(gate)
    let rig = try PlayerRig([path], isRealTime: true) { path throws(AudioError) in
      StallingReader(try openAudio(path), stall)
    }
    rig.player.start()
    #expect(poll { rig.player.crossfade.side(0).filled >= 60_000 })
    stall.stalls.store(true, ordering: .relaxed)
    rig.play(100_000, streams: false)
    #expect(rig.player.snapshot.underruns == 1)
    #expect(rig.player.snapshot.missingSamples > 30_000)
    #expect(rig.recorded[0].suffix(10_000).allSatisfy { $0 == 0 })
    stall.stalls.store(false, ordering: .relaxed)
    gate.set()
    rig.player.fill()
    rig.play(60_000)
    // The difference to the file: no second difference above -60 dBFS.
    #expect(rig.recorded[0].bends.max()! < 0.0025 + 0.001)
    #expect(rig.recorded[0].suffix(1000).contains { $0 != 0 })
    #expect(rig.player.snapshot.currentTime == Double(rig.player.crossfade.heard!.position) / 48000)
  }
}

/// Whether the disk gives nothing at the moment.
private final class Stall: @unchecked Sendable {
  let gate: Latch
  let stalls = Atomic<Bool>(false)
  init(_ gate: Latch) { self.gate = gate }
}

/// A file on a disk that stalls.
private final class StallingReader: AudioReader {
  private let reader: any AudioReader
  private let stall: Stall
  init(_ reader: any AudioReader, _ stall: Stall) {
    self.reader = reader
    self.stall = stall
  }
  var path: String { reader.path }
  var format: AudioFormat { reader.format }
  var nonFinite: Int { reader.nonFinite }
  var fault: AudioError? { reader.fault }
  var tags: AudioTags { reader.tags }
  var position: Int64 { reader.position }
  func cover() -> CoverPicture? { nil }
  func rewind() throws(AudioError) { try reader.rewind() }
  func seek(to frame: Int64) throws(AudioError) { try reader.seek(to: frame) }
  func reopened() throws(AudioError) -> any AudioReader { try reader.reopened() }
  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    if stall.stalls.load(ordering: .relaxed) { stall.gate.wait(until: .after(seconds: 20)) }
    return reader.read(count, into: destination)
  }
}
