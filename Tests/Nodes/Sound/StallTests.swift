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
}
