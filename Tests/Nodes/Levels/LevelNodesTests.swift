import CRealtime
import Engine
import Glibc
import Graphs
import Metering
import OSC
import TestSupport
import Testing

@testable import Nodes

/// Nodes of levels, in real graphs.
@Suite struct LevelNodesTests {
  /// Frames of one amplitude each, 800 samples at 48 kHz and 60 fps. The wave is square, so that the meter's average
  /// with `reference: rms` is the amplitude.
  private func square(_ amplitudes: [Float]) -> [Float] {
    amplitudes.flatMap { amplitude in (0..<800).map { $0 % 2 == 0 ? amplitude : -amplitude } }
  }

  private func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  private func run(_ nodes: String, wires: String, _ amplitudes: [[Float]], meter: String = "") throws
    -> GraphRig
  {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: \(amplitudes.count) }
        meter: { type: meter, reference: rms, release: 0 s\(meter) }
      \(nodes)
      wires: [in -> meter, \(wires)]
      """)
    var inputs: [String: [Float]] = [:]
    for (channel, levels) in amplitudes.enumerated() { inputs["in_\(channel + 1)"] = square(levels) }
    _ = try rig.play(amplitudes[0].count * 800, cycle: 333, outputs: [], inputs: inputs)
    return rig
  }

  @Test func `a meter measures square waves exactly, and sines by its reference`() throws {
    let rig = try run("", wires: "", [[1, 0.5, 0, 0.25]])
    #expect(try rig.levels("meter/1") == [0, Float(20 * log10(0.5)), -160, Float(20 * log10(0.25))])
    #expect(try rig.levels("meter.peak/1") == rig.levels("meter/1"))
    let sine = try GraphRig(
      """
      nodes:
        tone: { type: tone-source, frequency: 60 Hz, level: 0 dB }
        as-sine: { type: meter }
        as-rms: { type: meter, reference: rms }
      wires: [tone -> as-sine, tone -> as-rms]
      """)
    sine.process(8000)
    for level in try sine.levels("as-sine/1") { #expect(abs(level) < 1e-5) }
    for level in try sine.levels("as-rms/1") { #expect(abs(level + 3.0103) < 1e-5) }
    for level in try sine.levels("as-sine.peak/1") { #expect(abs(level) < 1e-5) }
  }

  @Test func `a meter falls by 60 dB in its release time, after its hold`() throws {
    // Powers of two make every step exact: 64 dB/s are 64/60 dB a frame; a hold of 3 frames.
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        meter: { type: meter, reference: rms, release: 60 dB/s, hold: 50 ms }
      wires: [in -> meter]
      """)
    let signal = square([1] + Array(repeating: 0, count: 63))
    _ = try rig.play(signal.count, cycle: 500, outputs: [], inputs: ["in_1": signal])
    let levels = try rig.levels("meter/1")
    for n in 0..<64 { #expect(abs(levels[n] + Float(max(0, n - 3))) < 1e-4, "\(n)") }
  }

  @Test func `a meter table gives the golden values through a graph`() throws {
    let decibels: [Double] = [-0.1, -0.25, -3.05, -6.1, -20.3, -60.2, -79.5, -85]
    let rig = try run(
      "  level: { type: meter-table }\n  other: { type: meter-table, root: 3, each: { 1: { root: 1 } } }",
      wires: "meter -> level, meter -> other", [decibels.map(amplitude)])
    let (read, level, other) = (
      try rig.levels("meter/1"), try rig.levels("level/1"), try rig.levels("other/1")
    )
    let plain = try #require(MeterTable())
    let straight = try #require(MeterTable(root: 1))
    for n in decibels.indices {
      #expect(abs(Double(read[n]) - decibels[n]) < 1e-4)
      #expect(level[n].bitPattern == plain.value(Float(decibels[n])).bitPattern)
      #expect(other[n].bitPattern == straight.value(Float(decibels[n])).bitPattern)
    }
  }

  @Test func `a gate opens, holds and closes, and fires an event for both`() throws {
    let silent = -160.0
    let decibels = [-60, -51, -49, -55, -57, -55, -57, -57, -57, -57, -57, -49, silent, silent, silent]
    let rig = try run(
      "  gate: { type: gate, hold: 50 ms }", wires: "meter -> gate", [decibels.map(amplitude)])
    let levels = try rig.levels("meter/1")
    // Opens in frame 3; -55 lies between the levels; from frame 7 on below `close`, closed in the third such frame.
    let open = [2, 3, 4, 5, 6, 7, 11, 12, 13]
    let expected = levels.indices.map { (frame: Int) -> Float in open.contains(frame) ? levels[frame] : -160 }
    #expect(try rig.levels("gate/1") == expected)
    let events = rig.frames.flatMap(\.events)
    #expect(events.map(\.name) == ["sound", "silence", "sound", "silence"])
    #expect(events.map(\.sample) == [2400, 7200, 9600, 12_000])
    #expect(events.allSatisfy { $0.channel == 0 })
  }

  @Test func `a closed gate on levels in 0…1 gives exactly 0`() throws {
    let rig = try run(
      "  level: { type: meter-table }\n  gate: { type: gate, open: 0.5, close: 0.3, hold: 0 s }",
      wires: "meter -> level -> gate",
      [[-20, -6, -15, -25, -6].map(amplitude), [-6, -6, -6, -6, -30].map(amplitude)])
    let level = try rig.levels("level/1")
    #expect(try rig.levels("gate/1") == [0, level[1], level[2], 0, level[4]])
    let events = rig.frames.map { $0.events.map { "\($0.name) \($0.channel)" } }
    #expect(events == [["sound 1"], ["sound 0"], [], ["silence 0"], ["sound 0", "silence 1"]])
  }

  @Test func `a trigger fires once for a rise, and again after a fall and its gap`() throws {
    //  fires at 2; too soon at 5 (gap of 6 frames); ready but still too soon; fires at 8
    let decibels: [Double] = [-30, -10, -10, -22, -30, -10, -10, -10, -10, -30, -10, -30, -30, -30, -10]
    let rig = try run(
      "  hit: { type: trigger, pulse: 50 ms, gap: 100 ms }", wires: "meter -> hit", [decibels.map(amplitude)])
    #expect(rig.frames.flatMap(\.events).map(\.sample) == [1600, 6400, 12_000])
    #expect(rig.frames.flatMap(\.events).allSatisfy { $0.name == "trigger" })
    #expect(try rig.levels("hit/1") == [0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1])
  }

  @Test func `a trigger without pulse and gap gives one frame each time`() throws {
    let rig = try run(
      "  hit: { type: trigger, pulse: 0 s, gap: 0 s }", wires: "meter -> hit",
      [[-30, -10, -30, -10, -10, -30, -10].map(amplitude)])
    #expect(try rig.levels("hit/1") == [0, 1, 0, 1, 0, 0, 1])
  }

  @Test func `a range maps, bends, inverts and clamps`() throws {
    let decibels: [Double] = [-80, -60, -45, -30, -15, 0]
    let rig = try run(
      """
        plain: { type: range }
        bent: { type: range, from: [-60, 0], to: [0.2, 0.6], curve: 2 }
        turned: { type: range, invert: true }
        free: { type: range, to: [0.5, 0.75], clamp: false }
      """,
      wires: "meter -> plain, meter -> bent, meter -> turned, meter -> free", [decibels.map(amplitude)])
    let levels = try rig.levels("meter/1").map(Double.init)
    let t = levels.map { ($0 + 60) / 60 }
    let inside = t.map { max(0, min(1, $0)) }
    #expect(try rig.levels("plain/1") == inside.map { Float($0) })
    #expect(try rig.levels("bent/1") == inside.map { Float(0.2 + (0.6 - 0.2) * pow($0, 2)) })
    #expect(try rig.levels("turned/1") == inside.map { Float(1 - $0) })
    #expect(try rig.levels("free/1") == t.map { Float(0.5 + 0.25 * $0) })
    #expect(try rig.levels("plain/1").first == 0)
    #expect(try rig.levels("plain/1").last == 1)
  }

  @Test func `a combine makes one level of several in four ways`() throws {
    let rig = try run(
      """
        loud: { type: combine }
        quiet: { type: combine, by: min }
        mean: { type: combine, by: mean-dB }
        power: { type: combine, by: power }
      """,
      wires: "meter -> loud, meter -> quiet, meter -> mean, meter -> power",
      [[1, 0], [0.5, 0], [0.25, 0]])
    let levels = try [rig.levels("meter/1")[0], rig.levels("meter/2")[0], rig.levels("meter/3")[0]]
    #expect(try rig.levels("loud/1") == [0, -160])
    #expect(try rig.levels("quiet/1") == [levels[2], -160])
    #expect(
      try rig.levels("mean/1") == [
        Float((Double(levels[0]) + Double(levels[1]) + Double(levels[2])) / 3), -160,
      ])
    let power =
      (pow(10, 0.1 * Double(levels[0])) + pow(10, 0.1 * Double(levels[1])) + pow(10, 0.1 * Double(levels[2])))
      / 3
    #expect(try rig.levels("power/1") == [Float(10 * log10(power)), -160])
  }

  @Test func `a combine leaves out levels that are not a number`() {
    #expect(Combine.combined([.nan, -3, -6], by: .max) == -3)
    #expect(Combine.combined([-3, .nan, -6], by: .min) == -6)
    #expect(Combine.combined([-3, .nan, -6], by: .meanDecibels) == -4.5)
    #expect(Combine.combined([Float.nan, .nan], by: .power) == nil)
  }

  @Test func `the mean square with a time constant does not depend on the frame rate`() throws {
    var last: [Float] = []
    for fps in [24, 60, 240] {
      let rig = try GraphRig(
        """
        fps: \(fps)
        nodes:
          tone: { type: tone-source, tone: white, level: -6 dB }
          meter: { type: meter, window: 200 ms, release: 0 s }
        wires: [tone -> meter]
        """)
      rig.process(48_000)
      last.append(try #require(try rig.levels("meter/1").last))
    }
    #expect(last[0] == last[1] && last[1] == last[2], "\(last)")
  }

  @Test func `impulses are whole periods of the rate apart`() throws {
    for (frequency, rate) in [(1, 48_000), (10, 44_100), (1000, 48_000), (100, 44_100), (3, 96_000)] {
      let rig = try GraphRig(
        """
        nodes:
          tone: { type: tone-source, tone: impulses, frequency: \(frequency) Hz, level: 0 dB }
          out: { type: jack-output }
        wires: [tone -> out]
        """, rate: rate)
      let recorded = try rig.play(rate * 2 + 10, cycle: 4000, outputs: ["out_1"])[0]
      let places = recorded.indices.filter { recorded[$0] != 0 }
      let expected = Array(stride(from: 0, to: rate * 2 + 10, by: rate / frequency))
      #expect(places == expected, "\(frequency) Hz at \(rate)")
      #expect(recorded[0] == 1)
    }
  }

  @Test func `a target may send single messages while all others send bundles`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        rig:
          type: osc-output
          bundle: immediate
          to: ["127.0.0.1:9", { to: "127.0.0.1:10", bundle: none }, { to: "127.0.0.1:11", bundle: ~ }]
      wires: [tone -> meter -> rig]
      """)
    let settings = try #require(graph.nodes[2].settings(of: OscOutput.self)).all
    #expect(
      settings.to.all.map { $0.sending(over: settings.sending).bundle } == [.immediate, .none, .immediate])
    #expect(settings.to.written(as: OscTargets.kind).contains("bundle: \"none\""))
  }
}
