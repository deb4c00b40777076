import Engine
import Glibc
import TestSounds
import Testing

@testable import Nodes

/// Nodes that measure sound, at the lowest and highest sample rates, with samples that are no sound.
@Suite struct HostileSoundTests {
  private static let nodes = [
    "type: bands", "type: bands, window: auto, edges: [20, 120, 150 kHz]",
    "type: bands, method: third-octave",
    "type: spectrum", "type: scope", "type: onset", "type: onset, from: 100 Hz, to: 110 Hz, gate: -160",
    "type: beat", "type: loudness", "type: stereo", "type: meter, ballistics: ppm-i",
    "type: meter, ballistics: vu", "type: meter, ballistics: k-20",
  ]

  /// 0.3 s of two channels, by name.
  private static func sounds(_ count: Int) -> [(String, [[Float]])] {
    let noise = Music.floor(count, 1)
    let odd: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, .leastNonzeroMagnitude]
    let broken = noise.enumerated().map { $0.offset % 37 == 5 ? odd[$0.offset / 37 % odd.count] : $0.element }
    return [
      ("not a number", [Array(repeating: .nan, count: count), noise]),
      ("direct current", [Array(repeating: 1, count: count), Array(repeating: -1, count: count)]),
      ("huge", [Array(repeating: 3e38, count: count), noise.map { $0 * 1e38 }]),
      ("broken", [broken, broken.reversed()]),
    ]
  }

  @Test(arguments: nodes, [8000, 384_000])
  func `no sound at any rate makes a level that is infinite or not a number`(node: String, rate: Int) throws {
    for (name, channels) in Self.sounds(rate * 3 / 10) {
      let rig = try Signal.measured(node, channels, rate: rate)
      let columns = rig.plan.frames.columns
      #expect(!columns.isEmpty && rig.frames.count >= 17)
      for column in columns {
        let isFinite = rig.frames.allSatisfy { $0.levels[column.level].isFinite }
        #expect(isFinite, "\(column.name), \(name) at \(rate)")
      }
      for event in rig.frames.flatMap(\.events) { #expect((0..<Int64(rate)).contains(event.sample)) }
    }
  }

  @Test func `sound after invalid samples is measured as if they had not been there`() throws {
    let tone = Signal.tones([(2, [-20])], channels: 1)[0]
    let broken = Self.sounds(48_000)[3].1[0] + tone
    // A program meter takes its release time to recover from huge samples.
    for (node, output) in [("type: bands", "m/9"), ("type: loudness", "m/1")] {
      let (after, never) = (
        try Signal.measured(node, [broken]).levels(output).last,
        try Signal.measured(node, [Array(repeating: 0, count: 48_000) + tone]).levels(output).last
      )
      #expect(isNear(try #require(after), Double(try #require(never)), 0.01), "\(node)")
    }
  }
}
