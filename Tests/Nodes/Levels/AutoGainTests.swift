import Glibc
import TestSounds
import Testing

@testable import Nodes

/// Gains that follow the loudness of the last minutes.
@Suite struct AutoGainTests {
  /// Levels in dBFS, each for some seconds, as square waves, through a meter and an auto-gain.
  private func run(_ node: String, _ pieces: [(seconds: Double, level: Double)], fps: Int = 60) throws
    -> GraphRig
  {
    let rig = try GraphRig(
      """
      fps: \(fps)
      nodes:
        in: { type: jack-input, channels: 1 }
        meter: { type: meter, reference: rms, release: 0 s }
        auto: { type: auto-gain\(node) }
      wires: [in -> meter -> auto]
      """)
    for (seconds, level) in pieces {
      let amplitude = Float(pow(10, level / 20))
      let signal = [Float](count: Int((seconds * 48_000).rounded())) { $0 % 2 == 0 ? amplitude : -amplitude }
      _ = try rig.play(signal.count, cycle: 4800, outputs: [], inputs: ["in_1": signal])
    }
    return rig
  }

  @Test func `pink noise is brought to its target, and a sudden loud sound is limited at once`() throws {
    let rig = try GraphRig(
      """
      nodes:
        soft: { type: tone-source, tone: pink, level: -27, seed: 3 }
        change: { type: gain, gain: 0 }
        meter: { type: meter, window: 0.3 s }
        auto: { type: auto-gain, rise: 3 s, fall: 1 s, target: -12 }
      wires: [soft -> change -> meter -> auto]
      """)
    for _ in 0..<(16 * 100) { rig.process(480) }
    // Noise varies, but its power over a second does not.
    func settled() throws -> Double {
      10 * log10(try rig.levels("auto/1").suffix(60).reduce(0) { $0 + pow(10, Double($1) / 10) } / 60)
    }
    #expect(try abs(settled() + 12) <= 1)
    #expect(try rig.set("change.gain", to: "24"))
    for _ in 0..<900 { rig.process(480) }
    let levels = try rig.levels("auto/1")
    #expect(levels.allSatisfy { $0 <= 0 })
    // Three time constants.
    #expect(try abs(settled() + 12) <= 1)
  }

  @Test func `a lower maximum acts at once, also while the gain is held`() throws {
    let rig = try run(", rise: 1 s, hold: 600 s", [(20, -50), (1, -160)])
    #expect(try #require(rig.levels("auto.gain/1").last) > 20)
    #expect(try rig.set("auto.maximum", to: "10"))
    _ = try rig.play(800, cycle: 800, outputs: [], inputs: ["in_1": [Float](repeating: 0, count: 800)])
    #expect(try rig.levels("auto.gain/1").last == 10)
  }

  @Test func `ten minutes of silence do not change the gain`() throws {
    let rig = try run(", rise: 1 s, hold: 0.1 s", [(10, -30), (600, -160), (0.1, -30)], fps: 10)
    let gains = try rig.levels("auto.gain/1")
    #expect(isNear(gains[99], 18, 0.1))
    #expect(gains[100..<700].allSatisfy { $0 == gains[99] })
    #expect(isNear(gains[700], Double(gains[99]), 0.01))
    #expect(try rig.levels("auto.open/1")[150] == 0)
    #expect(try rig.levels("auto/1")[150] == -160)
  }

  @Test func `noise below the gate gets no gain`() throws {
    let rig = try run("", [(60, -65)], fps: 10)
    #expect(try rig.levels("auto/1").allSatisfy { $0 == -160 })
    #expect(try rig.levels("auto.gain/1").allSatisfy { $0 == 0 })
  }

  @Test func `the gain over time does not depend on the frame rate`() throws {
    let pieces = [(3.0, -40.0), (2, -20), (2, -50)]
    let (fast, slow) = (try run(", rise: 2 s", pieces), try run(", rise: 2 s", pieces, fps: 30))
    let (a, b) = (try fast.levels("auto/1"), try slow.levels("auto/1"))
    for n in b.indices.dropFirst() { #expect(abs(a[2 * n + 1] - b[n]) <= 0.1, "frame \(n)") }
  }

  @Test func `a loud frame after a quiet hour does not exceed full scale, and limits hold`() throws {
    let rig = try run(", rise: 0.1 s, maximum: 30 dB", [(5, -50), (1, -3)])
    let (levels, gains) = (try rig.levels("auto/1"), try rig.levels("auto.gain/1"))
    #expect(isNear(gains[299], 30, 0.01) && isNear(levels[299], -20, 0.01))
    #expect(levels[300] == 0 && isNear(gains[300], 3, 0.01))
  }

  @Test func `levels in 0…1 are amplitudes, and one gain for all channels keeps their balance`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 2 }
        meter: { type: meter, reference: rms, release: 0 s }
        level: { type: curve, points: [[-40, 0.01], [-20, 0.1], [-14, 0.2]], shape: steps }
        auto: { type: auto-gain, per: all, target: 0.8, rise: 0.5 s }
      wires: [in -> meter -> level -> auto]
      """)
    let tone = [Float](count: 480_000) { Float($0 % 2 == 0 ? 0.11 : -0.11) }
    _ = try rig.play(
      480_000, outputs: [], inputs: ["in_1": tone, "in_2": tone.map { $0 * 1.9 }])
    #expect(isNear(try rig.levels("auto/1").last!, 0.4, 0.01))
    #expect(isNear(try rig.levels("auto/2").last!, 0.8, 0.01))
  }
}
