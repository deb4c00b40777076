import CRealtime
import Glibc
import Graphs
import Metering
import TestSupport
import Testing

@testable import Nodes

/// Filters and tones whose settings change while they run: no click, and the same bytes at any cycle length.
@Suite struct SmoothingTests {
  /// Runs texts one after the other, each for a little more than ten frames, so that changes come within frames.
  private func play(_ texts: [String], cycle: Int = 250, inputs: [String: [Float]] = [:]) throws -> [Float] {
    let rig = try GraphRig(texts[0])
    var recorded: [Float] = []
    for (n, text) in texts.enumerated() {
      if n > 0 { try rig.load(text) }
      let part = inputs.mapValues { Array($0[n * 8100..<(n + 1) * 8100]) }
      recorded += try rig.play(8100, cycle: cycle, outputs: ["out_1"], inputs: part)[0]
    }
    return recorded
  }

  private func tone(_ settings: String) -> String {
    "nodes: { tone: { type: tone-source, \(settings) }, out: { type: jack-output } }\nwires: [tone -> out]"
  }

  private func filter(_ settings: String) -> String {
    """
    nodes:
      in: { type: jack-input, channels: 1 }
      filter: { type: filter, \(settings) }
      out: { type: jack-output }
    wires: [in -> filter -> out]
    """
  }

  /// The largest second difference.
  private func bend(_ sound: [Float]) -> Float {
    var most: Float = 0
    for n in 2..<sound.count { most = max(most, abs(sound[n] - 2 * sound[n - 1] + sound[n - 2])) }
    return most
  }

  private static let noise = [Float](unsafeUninitializedCapacity: 8100 * 6) { buffer, done in
    vg_white(buffer.baseAddress!, 0, 1, 0.5, 8100 * 6)
    done = 8100 * 6
  }

  @Test func `gains that differ by channel do not exceed the largest allowed level`() throws {
    let rig = try GraphRig(
      tone("tone: impulses, frequency: 100, channels: 4, level: -10 dB, levelStep: 20 dB"))
    let recorded = try rig.play(960, outputs: (1...4).map { "out_\($0)" })
    #expect(recorded.map { $0.max() } == [-10, 10, 20, 20].map { Float(Decibels.amplitude($0)) })
  }

  @Test func `a channel that is off is silent, whatever the difference of the channels' gains`() throws {
    let off = try #require(everyNode.first { $0.name == "tone-source" }?.off)
    func most(_ settings: String, _ step: String) throws -> [Float?] {
      let rig = try GraphRig(
        tone("tone: impulses, frequency: 100, channels: 8, levelStep: \(step), \(settings)"))
      return try rig.play(960, outputs: (1...8).map { "out_\($0)" }).map { $0.max() }
    }
    #expect(try most("\(off.setting): \(off.value)", "20 dB") == Array(repeating: 0, count: 8))
    #expect(try most("\(off.setting): \(off.value)", "60 dB") == Array(repeating: 0, count: 8))
    #expect(
      try most("level: -20, each: { 2: { level: -160 } }", "20 dB")
        == [0.1, 0, 10, 10, 10, 10, 10, 10])
  }

  @Test func `smoothed settings give the same bytes at any cycle length`() throws {
    let tones = [
      "level: -6 dB, frequency: 440 Hz", "level: -12 dB, frequency: 4000 Hz", "level: -12 dB, frequency: 3",
      "tone: impulses, frequency: 50", "tone: impulses, frequency: 750, level: 0 dB", "tone: pink, seed: 3",
    ].map(tone)
    let filters = [
      "frequency: 20 kHz", "frequency: 3, q: 5", "pass: band, frequency: 900, q: 0.1", "pass: high, q: 50",
      "frequency: 100, q: 50", "frequency: 5 kHz",
    ].map(filter)
    let first = (
      try play(tones, cycle: 8000), try play(filters, cycle: 8000, inputs: ["in_1": Self.noise])
    )
    for cycle in [1, 37, 256, 1000] {
      #expect(try play(tones, cycle: cycle) == first.0)
      #expect(try play(filters, cycle: cycle, inputs: ["in_1": Self.noise]) == first.1)
    }
  }

  @Test func `a tone glides to another frequency and level, and its phase is continuous`() throws {
    let recorded = try play(
      [tone("level: -6 dB, frequency: 220 Hz"), tone("level: -12 dB, frequency: 233 Hz")])
    // Offered at 8100, taken at the end of the frame, 8800; reached at 9600.
    let turn = 233.0 / 48_000
    let level = pow(10, -12.0 / 20)
    // The phase at the end of the glide, from the first sample and slope after it; then a plain sine.
    var phase = 8800 * 220.0 / 48_000
    for n in 1...800 { phase += (220 + 13 * Double(n) / 800) / 48_000 }
    for n in [9600, 10_000, 16_199] {
      let truth = level * sin(2 * Double.pi * (phase + Double(n - 9600) * turn))
      #expect(abs(Double(recorded[n]) - truth) < 1e-5, "\(n)")
    }
    // A sine of 233 Hz at -6 dB has a second difference of 0.00047, and the ends of a ramp one of 0.25 ÷ 800.
    #expect(bend(recorded) < 0.00047 + 0.00033)
  }

  @Test func `a tone that did not change is the same to the bit after a change of another tone and back`()
    throws
  {
    let plain = try play(Array(repeating: tone("level: -6 dB, frequency: 220 Hz"), count: 4))
    let quiet = try play(
      [
        tone("level: -6 dB, frequency: 220 Hz"), tone("tone: silence"), tone("tone: white"),
        tone("level: -6 dB, frequency: 220 Hz"),
      ])
    #expect(quiet[..<8800] == plain[..<8800])
    // Silence at once, noise after it without a delay, then a frame of fade-out and a frame of fade-in.
    #expect(quiet[9600..<16_800].allSatisfy { $0 == 0 })
    #expect(quiet[26_400...] == plain[26_400...])
  }

  @Test func `another tone fades in after the old one has faded out`() throws {
    let recorded = try play([
      tone("level: 0 dB, frequency: 30"), tone("level: 0 dB, tone: silence"),
      tone("level: 0 dB, frequency: 30 kHz"), tone("level: 0 dB, frequency: 40"),
    ])
    #expect(bend(recorded) < 2.5 / 800)
    #expect(recorded[9600..<24_800].allSatisfy { $0 == 0 })
    #expect(recorded[27_000...].contains { $0 > 0.99 })
  }

  @Test func `a changed cutoff frequency of a filter neither overshoots nor clicks`() throws {
    let sine = [Float](unsafeUninitializedCapacity: 8100 * 6) { buffer, done in
      vg_sine(buffer.baseAddress!, 0, UInt64(220.0 / 48_000 * 0x1p64), 0.5, 8100 * 6)
      done = 8100 * 6
    }
    for (first, second) in [
      ("frequency: 4000 Hz", "frequency: 20 Hz"), ("frequency: 4 kHz", "frequency: 1 Hz"),
      ("frequency: 20 kHz", "frequency: 100 Hz"), ("frequency: 300, q: 0.7", "frequency: 3000, q: 0.7"),
      ("frequency: 900", "frequency: 1100"), ("pass: low, frequency: 500", "pass: high, frequency: 500"),
      ("pass: band, frequency: 500, q: 0.7", "pass: low, frequency: 200, q: 0.3"),
    ] {
      let recorded = try play(
        [filter(first), filter(second), filter(first), filter(second), filter(first), filter(second)],
        inputs: ["in_1": sine])
      #expect((recorded.map(\.magnitude).max() ?? 0) < 0.5 * 1.41, "\(first), \(second)")
      // The sine itself has a second difference of 0.000415; the rest are the corners of a frame's ramp, over twice its
      // height.
      #expect(bend(Array(recorded[1000...])) < 0.00054 + 1.0 / 800, "\(first), \(second)")
    }
  }
}
