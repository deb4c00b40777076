import Engine
import Glibc
import TestSounds
import TestSupport
import Testing

@testable import Nodes

/// Bars that the beat node detects.
@Suite struct BarTests {
  /// A repeated bar, from its second beat on: a hit for each half beat, `k` a kick, `s` a snare; hats on all of them.
  private func bars(_ bar: String, _ tempo: Double, seconds: Double) -> (firsts: [Double], music: [Float]) {
    var (music, firsts) = (Music.floor(Int(seconds * 48_000), 3e-4), [Double]())
    let (kick, snare, hat) = (Music.kick(0.7), Music.snare(0.5), Music.hat(0.2))
    for (n, time) in stride(from: 0.3, to: seconds - 0.5, by: 30 / tempo).enumerated() {
      let place = (n + 2) % bar.count
      let hit = Array(bar)[place]
      if hit != "." { Music.put(hit == "k" ? kick : snare, at: time, in: &music) }
      Music.put(hat, at: time, in: &music)
      if place == 0 { firsts.append(time) }
    }
    return (firsts, music)
  }

  @Test(arguments: [
    ("k.s..ks.", "4", 110.0), ("k.s..ks.", "auto", 96), ("k.s.s.", "3", 120), ("k.s.s.", "auto", 132),
  ])
  func `the first beat of a bar is detected, and whether a bar has three beats or four`(
    _ bar: String, _ length: String, _ tempo: Double
  ) throws {
    let (expected, music) = bars(bar, tempo, seconds: 40)
    let rig = try Signal.measured("type: beat, bar: \(length)", [music])
    let found = rig.frames.flatMap(\.events).filter { $0.name == "bar" }.map { Double($0.sample) / 48_000 }
    let score = Music.score(found.filter { $0 >= 10 }, expected.filter { $0 >= 10 }, within: 0.07)
    #expect(score >= 0.9)
    let confidence = try #require(try rig.levels("m.barConfidence/1").last)
    #expect(confidence >= 0.8)
  }

  @Test func `if the drums are alike in all beats, bars begin where the chords change`() throws {
    let (tempo, seconds) = (120.0, 40.0)
    var (music, firsts) = (Music.floor(Int(seconds * 48_000), 3e-4), [Double]())
    let (kick, hat) = (Music.kick(0.7), Music.hat(0.2))
    for (n, time) in stride(from: 0.3, to: seconds - 0.5, by: 30 / tempo).enumerated() {
      Music.put(n % 2 == 0 ? kick : hat, at: time, in: &music)
      // The music begins with the third beat of a bar.
      guard (n + 4) % 8 == 0 else { continue }
      firsts.append(time)
      let chord = [220.0, 261.63, 196, 293.66][n / 8 % 4]
      let tones = (0..<Int(min(2, seconds - time) * 48_000)).map { place in
        [1, 1.5, 2].reduce(0.0) { $0 + 0.05 * sin(2 * .pi * chord * $1 * Double(place) / 48_000) }
      }
      Music.put(tones, at: time, in: &music)
    }
    let rig = try Signal.measured("type: beat", [music])
    let found = rig.frames.flatMap(\.events).filter { $0.name == "bar" }.map { Double($0.sample) / 48_000 }
    let score = Music.score(found.filter { $0 >= 15 }, firsts.filter { $0 >= 15 }, within: 0.07)
    #expect(score >= 0.9)
  }

  @Test func `once a downbeat is set by hand the detection moves no bar`() throws {
    let (expected, music) = bars("k.s..ks.", 110, seconds: 40)
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        hand: { type: jack-input, channels: 1 }
        meter: { type: meter, release: 0 s }
        touch: { type: trigger }
        m: { type: beat }
      wires: [in -> m, hand -> meter -> touch, touch.events -> m.downbeat]
      """)
    // At the third beat of a bar.
    var hand = [Float](repeating: 0, count: music.count)
    let bar = 240.0 / 110
    let first = try #require(expected.first { $0 > 20 })
    for i in 0..<2000 { hand[Int((first + bar / 2) * 48_000) + i] = 1 }
    _ = try rig.play(music.count, outputs: [], inputs: ["in_1": music, "hand_1": hand])
    let found = rig.frames.flatMap(\.events).filter { $0.name == "bar" }.map { Double($0.sample) / 48_000 }
    let before = found.filter { (10..<20).contains($0) }
    let after = found.filter { $0 >= 24 }
    let scoreBefore = Music.score(before, expected.filter { (10..<20).contains($0) }, within: 0.07)
    #expect(scoreBefore >= 0.9)
    let scoreAfter = Music.score(after, expected.map { $0 + bar / 2 }.filter { $0 >= 24 }, within: 0.07)
    #expect(scoreAfter >= 0.9)
    let confidence = try #require(try rig.levels("m.barConfidence/1").last)
    #expect(confidence == 1)
  }
}
