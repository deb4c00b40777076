import CGuard

import Synchronization
import Testing

@testable import Playback
@testable import Realtime

@Suite struct DeckVoiceTests {
  @Test(arguments: [1, 32, 127, 1000, 4096])
  func `a track is heard exactly, from its first sample to its last`(size: Int) {
    let rig = DeckRig(channels: 2)
    let sound = DeckRig.ramp(5000, from: 1)
    rig.offer(sound)
    rig.deck.play()
    #expect(rig.play(6000, by: size) == sound + Array(repeating: 0, count: 1000))
    #expect(rig.deck.endings == 1)
    #expect(rig.voice.pointee.finish() == (true, 1))
    #expect(rig.voice.pointee.finish() == (false, 0))
    #expect(rig.isClean)
  }

  @Test func `nothing is heard and nothing moves before it plays`() {
    let rig = DeckRig()
    rig.offer(DeckRig.ramp(1000, from: 1))
    #expect(rig.play(500) == Array(repeating: 0, count: 500))
    #expect(rig.deck.heard?.position == 0)
    #expect(!rig.deck.sounds)
  }

  @Test(arguments: [1, 64, 1000])
  func `it begins at a sample of the timeline`(size: Int) {
    let rig = DeckRig()
    let sound = DeckRig.ramp(300, from: 1)
    rig.offer(sound)
    rig.deck.play(at: 777)
    #expect(
      rig.play(1500, by: size) == Array(repeating: 0, count: 777) + sound + Array(repeating: 0, count: 423))
  }

  @Test func `pausing falls along the ramp and going on rises along it, with no sample left out`() {
    let rig = DeckRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.deck.play()
    #expect(rig.play(1000) == Array(repeating: 1, count: 1000))
    rig.deck.pause()
    let falling = rig.play(200)
    #expect(falling[0] == 1)
    #expect(falling[100...] == ArraySlice(repeating: 0, count: 100))
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(rig.deck.heard?.position == 1100)
    #expect(!rig.deck.sounds)
    rig.deck.play()
    let rising = rig.play(200)
    #expect(rising[0] == 0)
    #expect(Array(rising[100...]) == Array(repeating: 1, count: 100))
    #expect(rig.deck.heard?.position == 1300)
    // What falls and what rises add up to the whole.
    for i in 0..<100 { #expect(falling[i] + rising[i] == 1) }
  }

  @Test func `a turn that is called falls silent at once and nothing of it is heard afterwards`() throws {
    let rig = DeckRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 100_000), ends: false)
    rig.deck.play()
    _ = rig.play(1000)
    rig.deck.call(turn: 2)
    let heard = rig.play(1000)
    #expect(heard[0] == 1)
    #expect(heard[100...].allSatisfy { $0 == 0 })
    #expect(rig.deck.heard == nil)
    // Both lanes are free again; the next begins along the ramp, or whole where it is a beginning.
    rig.offer(DeckRig.ramp(5000, from: 1), isBeginning: true)
    rig.offer(DeckRig.ramp(5000, from: 1), isBeginning: true)
    #expect(rig.play(50) == DeckRig.ramp(50, from: 1))
    #expect(rig.isClean)
  }

  @Test func `a seek that is ready crosses from the old to the new`() {
    let rig = DeckRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 100_000), ends: false)
    rig.deck.play()
    _ = rig.play(1000)
    rig.offer(Array(repeating: 1, count: 50_000), isBeginning: true, calls: true)
    // The same sound on both sides: crossing changes nothing.
    #expect(rig.play(1000) == Array(repeating: 1, count: 1000))
    #expect(rig.deck.heard?.turn == 2)
    #expect(rig.deck.heard?.position == 1000)
    #expect(rig.deck.freeLane != nil)
  }

  @Test(arguments: [1, 32, 127, 1000])
  func `a splice goes on at its sample, as if nothing had happened`(size: Int) {
    let rig = DeckRig(fade: 100)
    let sound = (0..<20_000).map { Float($0 % 977) / 1000 }
    rig.offer(sound, ends: false)
    rig.deck.play()
    var heard = rig.play(1000, by: size)
    rig.offer(Array(sound[1500...]), splice: 1500, isBeginning: false)
    heard += rig.play(3000, by: size)
    #expect(rig.deck.heard?.turn == 2)
    #expect(rig.deck.heard?.position == 2500)
    for i in 0..<4000 where i < 1500 || i >= 1600 { #expect(heard[i] == sound[i]) }
    for i in 1500..<1600 { #expect(abs(heard[i] - sound[i]) < 1e-6) }
  }

  @Test func `a splice that comes too late leaves out what has been heard`() {
    let rig = DeckRig(fade: 100)
    let sound = (0..<20_000).map { Float($0 % 977) / 1000 }
    rig.offer(sound, ends: false)
    rig.deck.play()
    _ = rig.play(2000)
    rig.offer(Array(sound[1500...]), splice: 1500, isBeginning: false)
    let heard = rig.play(1000)
    #expect(Array(heard[100...]) == Array(sound[2100..<3000]))
  }

  @Test func `an offer can be taken back until the callback has taken it`() {
    let rig = DeckRig()
    #expect(rig.deck.takeBack() == nil)
    let lane = rig.offer(DeckRig.ramp(100))
    #expect(rig.deck.takeBack() == lane)
    #expect(rig.play(10) == Array(repeating: 0, count: 10))
    rig.offer(DeckRig.ramp(100, from: 1))
    rig.deck.play()
    #expect(rig.play(10) == DeckRig.ramp(10, from: 1))
    #expect(rig.deck.takeBack() == nil)
  }

  @Test func `an older turn than the one called for is not taken`() {
    let rig = DeckRig()
    rig.deck.play()
    rig.offer(Array(repeating: 1, count: 100))
    rig.deck.call(turn: 5)
    #expect(rig.play(300) == Array(repeating: 0, count: 300))
    #expect(rig.deck.takeBack() != nil)
  }

  @Test
  func `a late disk is counted, falls silent before the samples run out, and comes back along the ramp`()
    throws
  {
    let rig = DeckRig(fade: 100)
    let lane = try #require(rig.offer(Array(repeating: 1, count: 3000), ends: false))
    rig.deck.play()
    var heard = rig.play(4000)
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    #expect(try #require(steps.max()) < 0.016)
    #expect(rig.deck.underruns.count == 1)
    let position = try #require(rig.deck.heard?.position)
    #expect(position >= 2600 && position <= 3000)
    rig.feed(lane, Array(repeating: 1, count: rig.deck.enough), ends: false)
    heard = rig.play(300)
    #expect(heard[0] == 0)
    #expect(heard[100...].allSatisfy { $0 == 1 })
    // Nothing was skipped.
    #expect(rig.deck.heard?.position == position + 300)
    #expect(rig.deck.underruns.count == 1)
  }

  @Test func `an end that is told late is an end`() throws {
    let rig = DeckRig(fade: 100)
    let lane = try #require(rig.offer(Array(repeating: 1, count: 20_000), ends: false))
    rig.deck.play()
    _ = rig.play(15_000)
    rig.feed(lane, [], ends: true)
    let heard = rig.play(6000)
    #expect(heard[..<5000].allSatisfy { $0 == 1 })
    #expect(heard[5000...].allSatisfy { $0 == 0 })
    #expect(rig.deck.endings == 1)
    #expect(rig.deck.underruns.count == 0)
  }

  @Test(arguments: [1, 100, 333])
  func `the volume goes along a straight line, however the signal is cut`(size: Int) {
    let rig = DeckRig(fade: 10)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.deck.play()
    _ = rig.play(100, by: size)
    rig.deck.volume(to: 0.5, in: 4000)
    let heard = rig.play(4100, by: size)
    for i in 0..<4000 { #expect(abs(heard[i] - (1 - 0.5 * Float(i + 1) / 4000)) < 1e-6) }
    #expect(heard[4000...].allSatisfy { $0 == 0.5 })
    rig.deck.volume(to: 1, in: 0)
    let back = rig.play(20, by: size)
    #expect(back[9...].allSatisfy { $0 == 1 })
  }

  @Test func `the balance is the first two channels'`() {
    let rig = DeckRig(channels: 2, fade: 10)
    rig.offer(Array(repeating: 1, count: 1000))
    rig.deck.play()
    _ = rig.play(10)
    rig.deck.balance(left: 1, right: 0.25)
    #expect(rig.play(100)[10...].allSatisfy { $0 == 0.25 })
  }

  @Test func `when the callback comes back sound begins from silence`() {
    let rig = DeckRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 10_000))
    rig.deck.play()
    _ = rig.play(500)
    rig.deck.beginAgain()
    let heard = rig.play(200)
    #expect(heard[0] == 0)
    #expect(heard[100...].allSatisfy { $0 == 1 })
  }

  @Test(arguments: [1, 64, 1000])
  func `what follows the transport sounds at its places`(size: Int) throws {
    let rig = DeckRig(fade: 100, follows: true)
    let words = try #require(rig.transport).words
    let sound = (0..<20_000).map { Float($0 % 977 + 1) / 1000 }
    words.pointee.state.store(1, ordering: .relaxed)
    rig.offer(Array(sound[5000...]), base: 5000)
    rig.deck.play()
    #expect(rig.play(100, by: size).allSatisfy { $0 == 0 })
    words.pointee.frame.store(5000, ordering: .relaxed)
    words.pointee.state.store(3, ordering: .relaxed)
    // It begins inside a track: along the ramp where that is no beginning.
    #expect(rig.play(1000, by: size) == Array(sound[5000..<6000]))
    words.pointee.state.store(1, ordering: .relaxed)
    #expect(rig.play(500, by: size)[100...].allSatisfy { $0 == 0 })
    // Rolling a little further on: what lies between is left out in silence.
    words.pointee.frame.store(7000, ordering: .relaxed)
    words.pointee.state.store(3, ordering: .relaxed)
    let heard = rig.play(1000, by: size)
    #expect(Array(heard[100...]) == Array(sound[7100..<8000]))
    #expect(rig.deck.takeLost() == nil)
    // Back: no lane has that.
    words.pointee.frame.store(2000, ordering: .relaxed)
    #expect(rig.play(1000, by: size)[200...].allSatisfy { $0 == 0 })
    let lost = try #require(rig.deck.takeLost())
    #expect(lost >= 2000 && lost < 3000)
    #expect(rig.isClean)
  }

  @Test func `a lane for a place that is to come waits for it`() throws {
    let rig = DeckRig(fade: 100, follows: true)
    let words = try #require(rig.transport).words
    words.pointee.state.store(3, ordering: .relaxed)
    words.pointee.frame.store(1000, ordering: .relaxed)
    rig.offer(DeckRig.ramp(500, from: 1), base: 1300)
    #expect(rig.play(400) == Array(repeating: 0, count: 300) + DeckRig.ramp(100, from: 1))
  }

  @Test func `the ramp has no corner, and two that cross add up to one`() {
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
    // The second difference bounds what a click could be: below -90 dBFS.
    for i in 1..<480 { #expect(abs(up[i - 1] - 2 * up[i] + up[i + 1]) < 3.2e-5) }
  }

  @Test func `a storm of turns plays the newest`() {
    let rig = DeckRig(fade: 100)
    rig.deck.play()
    var last = 0
    for round in 1...2000 {
      if rig.deck.freeLane == nil { _ = rig.deck.takeBack() }
      if rig.offer(Array(repeating: Float(round), count: 5000), ends: false, calls: true) != nil {
        last = round
      }
      let heard = rig.play(round * 7919 % 301, by: 64)
      #expect(heard.allSatisfy { $0 >= 0 && $0 <= Float(round) })
    }
    #expect(rig.play(300).last == Float(last))
    #expect(rig.isClean)
  }
}
