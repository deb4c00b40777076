import Graphs
import Realtime
import TestSupport
import Testing

@testable import Engine

/// Taps that copy the sound of running nodes for viewers.
@Suite struct SoundProbeTests {
  private static let graph = """
    nodes:
      in: { type: jack-input, channels: 2 }
      less: { type: gain, gain: -6 dB }
      more: { type: gain, gain: 12 dB }
      out: { type: jack-output, connect: none }
    wires: [in -> less -> more -> out]
    """

  private static func ramp(_ count: Int, from first: Int = 0) -> [Float] {
    (0..<count).map { Float(first + $0) / 65_536 }
  }

  private func channel(_ rig: GraphRig, _ node: String, _ channel: Int) throws -> SoundChannel {
    let found = try #require(rig.plan.graph.nodes.first { $0.id == node })
    return SoundChannel(node: node, output: found.outputs[0].name, channel: channel)
  }

  /// All samples that wait in a tap.
  private func take(_ tap: SampleTap) -> [Float] {
    let places = tap.reader.places
    defer { tap.reader.release(before: places.upperBound) }
    // The standard library counts a reference even to its shared empty array, which ThreadSanitizer takes for a race.
    guard !places.isEmpty else { return [] }
    return [Float](unsafeUninitializedCapacity: places.count) { samples, count in
      if let base = samples.baseAddress {
        tap.reader.read(channel: 0, at: places.lowerBound, into: base, count: places.count)
      }
      count = places.count
    }
  }

  @Test func `a tap has exactly the samples that leave a node, at any cycle length`() throws {
    let rig = try GraphRig(Self.graph)
    let wanted = try channel(rig, "more", 1)
    let tap = try #require(rig.plan.look(at: [wanted])[wanted])
    for cycle in [64, 333, 1024] {
      let recorded = try rig.play(
        4000, cycle: cycle, outputs: ["out_2"],
        inputs: ["in_1": Self.ramp(4000), "in_2": Self.ramp(4000, from: 9)])
      #expect(take(tap) == recorded[0])
    }
    let first = try channel(rig, "in", 0)
    let taps = rig.plan.look(at: [first, wanted])
    #expect(taps[wanted] === tap && taps.count == 2)
    _ = try rig.play(4000, outputs: [], inputs: ["in_1": Self.ramp(4000)])
    #expect(try take(#require(taps[first])) == Self.ramp(4000))
  }

  @Test func `nothing is copied without a tap, and samples that are not taken are dropped`() throws {
    let rig = try GraphRig(Self.graph)
    let wanted = try channel(rig, "less", 0)
    let tap = try #require(rig.plan.look(at: [wanted])[wanted])
    _ = try rig.play(100_000, outputs: [])
    #expect(tap.reader.places.count <= SoundProbes.tapCapacity)
    #expect(rig.plan.look(at: []).isEmpty)
    _ = take(tap)
    _ = try rig.play(4000, outputs: [])
    #expect(take(tap).isEmpty)
  }

  @Test func `a missing channel has no tap, and there are no more taps than probes`() throws {
    let rig = try GraphRig(Self.graph)
    #expect(rig.plan.look(at: [SoundChannel(node: "more", output: "nothing", channel: 0)]).isEmpty)
    #expect(rig.plan.look(at: [try channel(rig, "more", 2)]).isEmpty)
    let all = try ["in", "less", "more"].flatMap { [try channel(rig, $0, 0), try channel(rig, $0, 1)] }
    try #require(all.count > CompiledPlan.mostProbes)
    #expect(rig.plan.look(at: all).count == CompiledPlan.mostProbes)
  }
}
