import CGuard

import Testing

@testable import Playback
@testable import Realtime

@Suite struct CrossfadeReaderTests {
  @Test(arguments: [1, 32, 127, 1000, 4096])
  func `a track is played exactly, from its first sample to its last`(size: Int) {
    let rig = CrossfadeRig(channels: 2)
    let sound = CrossfadeRig.ramp(5000, from: 1)
    rig.offer(sound)
    rig.buffer.play()
    #expect(rig.play(6000, by: size) == sound + Array(repeating: 0, count: 1000))
    #expect(rig.buffer.endings == 1)
    #expect(rig.reader.pointee.finish() == (true, 1))
    #expect(rig.reader.pointee.finish() == (false, 0))
    #expect(rig.isClean)
  }

  @Test func `before the start the output is silent and no position moves`() {
    let rig = CrossfadeRig()
    rig.offer(CrossfadeRig.ramp(1000, from: 1))
    #expect(rig.play(500) == Array(repeating: 0, count: 500))
    #expect(rig.buffer.heard?.position == 0)
    #expect(!rig.buffer.sounds)
  }

  @Test(arguments: [1, 64, 1000])
  func `playing starts at a sample of the timeline`(size: Int) {
    let rig = CrossfadeRig()
    let sound = CrossfadeRig.ramp(300, from: 1)
    rig.offer(sound)
    rig.buffer.play(at: 777)
    #expect(
      rig.play(1500, by: size) == Array(repeating: 0, count: 777) + sound + Array(repeating: 0, count: 423))
  }

  @Test func `pausing falls along the ramp and resuming rises along it, without losing a sample`() {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.buffer.play()
    #expect(rig.play(1000) == Array(repeating: 1, count: 1000))
    rig.buffer.pause()
    let falling = rig.play(200)
    #expect(falling[0] == 1)
    #expect(falling[100...] == ArraySlice(repeating: 0, count: 100))
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(rig.buffer.heard?.position == 1100)
    #expect(!rig.buffer.sounds)
    rig.buffer.play()
    let rising = rig.play(200)
    #expect(rising[0] == 0)
    #expect(Array(rising[100...]) == Array(repeating: 1, count: 100))
    #expect(rig.buffer.heard?.position == 1300)
    // The falling and the rising ramp add up to the whole.
    for i in 0..<100 { #expect(falling[i] + rising[i] == 1) }
  }

  @Test func `when another generation is requested the old one falls silent at once and is not heard again`()
    throws
  {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 100_000), ends: false)
    rig.buffer.play()
    _ = rig.play(1000)
    rig.buffer.invalidate(before: 2)
    let recorded = rig.play(1000)
    #expect(recorded[0] == 1)
    #expect(recorded[100...].allSatisfy { $0 == 0 })
    #expect(rig.buffer.heard == nil)
    // Both sides are free again. The next one starts with the ramp, or at full level if it is a beginning.
    rig.offer(CrossfadeRig.ramp(5000, from: 1), isBeginning: true)
    rig.offer(CrossfadeRig.ramp(5000, from: 1), isBeginning: true)
    #expect(rig.play(50) == CrossfadeRig.ramp(50, from: 1))
    #expect(rig.isClean)
  }

  @Test func `a seek whose samples are ready crossfades from the old place to the new`() {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 100_000), ends: false)
    rig.buffer.play()
    _ = rig.play(1000)
    rig.offer(Array(repeating: 1, count: 50_000), isBeginning: true, calls: true)
    // Both sides have the same sound, so the crossfade changes nothing.
    #expect(rig.play(1000) == Array(repeating: 1, count: 1000))
    #expect(rig.buffer.heard?.generation == 2)
    #expect(rig.buffer.heard?.position == 1000)
    #expect(rig.buffer.freeSide != nil)
  }

  @Test(arguments: [1, 32, 127, 1000])
  func `a splice goes on at its sample without a seam`(size: Int) {
    let rig = CrossfadeRig(fade: 100)
    let sound = (0..<20_000).map { Float($0 % 977) / 1000 }
    rig.offer(sound, ends: false)
    rig.buffer.play()
    var recorded = rig.play(1000, by: size)
    rig.offer(Array(sound[1500...]), splice: 1500, isBeginning: false)
    recorded += rig.play(3000, by: size)
    #expect(rig.buffer.heard?.generation == 2)
    #expect(rig.buffer.heard?.position == 2500)
    for i in 0..<4000 where i < 1500 || i >= 1600 { #expect(recorded[i] == sound[i]) }
    for i in 1500..<1600 { #expect(abs(recorded[i] - sound[i]) < 1e-6) }
  }

  @Test func `a splice that comes too late skips the samples that were played`() {
    let rig = CrossfadeRig(fade: 100)
    let sound = (0..<20_000).map { Float($0 % 977) / 1000 }
    rig.offer(sound, ends: false)
    rig.buffer.play()
    _ = rig.play(2000)
    rig.offer(Array(sound[1500...]), splice: 1500, isBeginning: false)
    let recorded = rig.play(1000)
    #expect(Array(recorded[100...]) == Array(sound[2100..<3000]))
  }

  @Test func `an offer can be taken back until the callback has taken it`() {
    let rig = CrossfadeRig()
    #expect(rig.buffer.takeBack() == nil)
    let side = rig.offer(CrossfadeRig.ramp(100))
    #expect(rig.buffer.takeBack() == side)
    #expect(rig.play(10) == Array(repeating: 0, count: 10))
    rig.offer(CrossfadeRig.ramp(100, from: 1))
    rig.buffer.play()
    #expect(rig.play(10) == CrossfadeRig.ramp(10, from: 1))
    #expect(rig.buffer.takeBack() == nil)
  }

  @Test func `a generation older than the requested one is not taken`() {
    let rig = CrossfadeRig()
    rig.buffer.play()
    rig.offer(Array(repeating: 1, count: 100))
    rig.buffer.invalidate(before: 5)
    #expect(rig.play(300) == Array(repeating: 0, count: 300))
    #expect(rig.buffer.takeBack() != nil)
  }

  @Test
  func `an underrun is counted, fades out before the samples run out, and comes back along the ramp`()
    throws
  {
    let rig = CrossfadeRig(fade: 100)
    let side = try #require(rig.offer(Array(repeating: 1, count: 3000), ends: false))
    rig.buffer.play()
    var recorded = rig.play(4000)
    let steps = zip(recorded, recorded.dropFirst()).map { abs($0 - $1) }
    #expect(try #require(steps.max()) < 0.016)
    #expect(rig.buffer.underruns.count == 1)
    let position = try #require(rig.buffer.heard?.position)
    #expect(position >= 2600 && position <= 3000)
    rig.feed(side, Array(repeating: 1, count: rig.buffer.enough), ends: false)
    recorded = rig.play(300)
    #expect(recorded[0] == 0)
    #expect(recorded[100...].allSatisfy { $0 == 1 })
    // No sample was skipped.
    #expect(rig.buffer.heard?.position == position + 300)
    #expect(rig.buffer.underruns.count == 1)
  }

  @Test func `an end that is reported late is an end`() throws {
    let rig = CrossfadeRig(fade: 100)
    let side = try #require(rig.offer(Array(repeating: 1, count: 20_000), ends: false))
    rig.buffer.play()
    _ = rig.play(15_000)
    rig.feed(side, [], ends: true)
    let recorded = rig.play(6000)
    #expect(recorded[..<5000].allSatisfy { $0 == 1 })
    #expect(recorded[5000...].allSatisfy { $0 == 0 })
    #expect(rig.buffer.endings == 1)
    #expect(rig.buffer.underruns.count == 0)
  }

  @Test(arguments: [1, 100, 333])
  func `the volume changes along a straight line, at any cycle length`(size: Int) {
    let rig = CrossfadeRig(fade: 10)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.buffer.play()
    _ = rig.play(100, by: size)
    rig.buffer.volume(to: 0.5, in: 4000, isLinear: true)
    let recorded = rig.play(4100, by: size)
    for i in 0..<4000 { #expect(abs(recorded[i] - (1 - 0.5 * Float(i + 1) / 4000)) < 1e-6) }
    #expect(recorded[4000...].allSatisfy { $0 == 0.5 })
    rig.buffer.volume(to: 1, in: 0)
    let back = rig.play(20, by: size)
    #expect(back[9...].allSatisfy { $0 == 1 })
  }

  @Test func `the balance acts on the first two channels`() {
    let rig = CrossfadeRig(channels: 2, fade: 10)
    rig.offer(Array(repeating: 1, count: 1000))
    rig.buffer.play()
    _ = rig.play(10)
    rig.buffer.balance(left: 1, right: 0.25)
    #expect(rig.play(100)[10...].allSatisfy { $0 == 0.25 })
  }

  @Test func `when the callback runs again sound starts from silence`() {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.buffer.play()
    _ = rig.play(500)
    rig.buffer.beginAgain()
    let recorded = rig.play(200)
    #expect(recorded[0] == 0)
    #expect(recorded[100...].allSatisfy { $0 == 1 })
  }

  @Test func `the ramp has no corner, and two crossing ramps add up to one`() {
    let fade = FadeTable(length: 480)
    defer { fade.free() }
    var up = Array(repeating: Float(1), count: 481)
    var down = Array(repeating: Float(0), count: 481)
    let ones = Array(repeating: Float(1), count: 481)
    up.withUnsafeMutableBufferPointer { fade.apply(to: $0.baseAddress!, 481, from: 0, step: 1) }
    down.withUnsafeMutableBufferPointer { down in
      ones.withUnsafeBufferPointer {
        fade.addFalling($0.baseAddress!, to: down.baseAddress!, 481, from: 480)
      }
    }
    #expect(up.first == 0 && up.last == 1)
    for i in 0...480 { #expect(up[i] + down[i] == 1) }
    // The second difference bounds a click: below -90 dBFS.
    for i in 1..<480 { #expect(abs(up[i - 1] - 2 * up[i] + up[i + 1]) < 3.2e-5) }
  }

  @Test func `after many generations in a row the newest one plays`() {
    let rig = CrossfadeRig(fade: 100)
    rig.buffer.play()
    var last = 0
    for round in 1...2000 {
      if rig.buffer.freeSide == nil { _ = rig.buffer.takeBack() }
      if rig.offer(Array(repeating: Float(round), count: 5000), ends: false, calls: true) != nil {
        last = round
      }
      let recorded = rig.play(round * 7919 % 301, by: 64)
      #expect(recorded.allSatisfy { $0 >= 0 && $0 <= Float(round) })
    }
    #expect(rig.play(300).last == Float(last))
    #expect(rig.isClean)
  }
}
