import Engine
import Glibc
import TestSounds
import Testing

/// Without a server frames are made by a timer: nodes that measure sound get silence, although the timeline stands
/// still.
@Suite struct StallTests {
  private static let tone = [Float](count: 48_000) { Float(0.3 * sin(2 * .pi * 440 * Double($0) / 48_000)) }

  /// The first level of a node after a second of sound, and after `stalled` seconds without a server.
  private func levels(_ node: String, stalled seconds: Double, _ sound: [Float] = tone) throws -> (
    Float, Float
  ) {
    let rig = try Signal.measured(node, [sound])
    let frames = rig.plan.frames
    let before = frames.levels[0]
    for number in 1...Int(seconds * 60) {
      frames.runStalled(frame: 60 + Int64(number), at: 48_000, time: 0, samples: 800)
    }
    return (before, frames.levels[0])
  }

  @Test func `FFT bands are silent in the first frame without a server`() throws {
    let (before, after) = try levels("type: bands, edges: [20, 20000]", stalled: 0.02)
    #expect(before > -15 && after == -160)
  }

  @Test func `an onset level decays with the time that passes`() throws {
    let drum = (0..<48_000).map { $0 < 40_000 ? 0 : Self.tone[$0] }
    let (before, half) = try levels("type: onset, decay: 2 s", stalled: 1, drum)
    #expect(before > 0.9 && half > before - 0.51 && half < before - 0.49)
    #expect(try levels("type: onset, decay: 2 s", stalled: 2, drum).1 == 0)
  }

  @Test func `loudness is silent once its window has passed`() throws {
    let (before, early) = try levels("type: loudness", stalled: 0.3)
    #expect(before > -20 && early == before)
    #expect(try levels("type: loudness", stalled: 0.5).1 == -160)
  }

  @Test func `a beat has no confidence while there is no server`() throws {
    var music = Music.floor(48_000 * 8, 3e-4)
    let (kick, hat) = (Music.kick(0.7), Music.hat(0.35))
    for beat in 0..<15 {
      Music.put(kick, at: 0.3 + Double(beat) / 2, in: &music)
      Music.put(hat, at: 0.55 + Double(beat) / 2, in: &music)
    }
    let rig = try Signal.measured("type: beat", [music])
    #expect(try #require(try rig.levels("m.locked/1").last) == 1)
    #expect(try #require(try rig.levels("m.confidence/1").last) > 0)
    let frames = rig.plan.frames
    frames.runStalled(frame: 481, at: 384_000, time: 0, samples: 800)
    for output in ["locked", "confidence"] {
      let column = try #require(frames.columns.first { $0.name == "m.\(output)/1" })
      #expect(frames.levels[column.level] == 0, "\(output)")
    }
  }
}
