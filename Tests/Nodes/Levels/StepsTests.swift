import Engine
import Glibc
import Graphs
import Testing

@testable import Nodes

/// Chases and waves, in real graphs at 60 fps.
@Suite struct StepsTests {
  /// Frames with events: `trigger` at the ends of the frames `hits`, and a gate that opens for one frame at each of
  /// `opens`, which gives `sound` and `silence`.
  private func run(
    _ nodes: String, wires: String = "hit.events -> chase", hits: [Int] = [], opens: [Int] = [], frames: Int,
    cycle: Int = 333
  ) throws -> GraphRig {
    let rig = try rig(nodes, wires: wires)
    try play(rig, hits: hits, opens: opens, frames: frames, cycle: cycle)
    return rig
  }

  private func rig(_ nodes: String, wires: String) throws -> GraphRig {
    try GraphRig(text(nodes, wires: wires))
  }

  private func text(_ nodes: String, wires: String) -> String {
    """
    nodes:
      in: { type: jack-input, channels: 2 }
      meter: { type: meter, reference: rms, release: 0 s }
      hit: { type: trigger, gap: 0 }
      gate: { type: gate, hold: 0 s, open: -20 dB, close: -26 dB }
    \(nodes)
    wires: [in -> meter, "meter[1] -> hit", "meter[2] -> gate", \(wires)]
    """
  }

  private func play(_ rig: GraphRig, hits: [Int] = [], opens: [Int] = [], frames: Int, cycle: Int = 333)
    throws
  {
    let loud = (0..<800).map { $0 % 2 == 0 ? Float(0.5) : -0.5 }
    let silence = [Float](repeating: 0, count: 800)
    func square(_ marked: [Int]) -> [Float] { (0..<frames).flatMap { marked.contains($0) ? loud : silence } }
    _ = try rig.play(
      frames * 800, cycle: cycle, outputs: [], inputs: ["in_1": square(hits), "in_2": square(opens)])
  }

  /// The lit channels of each frame, such as `1` or `12`; `-` if none is lit.
  private func lit(_ rig: GraphRig, _ channels: Int, _ node: String = "chase") throws -> [String] {
    let levels = try (1...channels).map { try rig.levels("\(node)/\($0)") }
    return levels[0].indices.map { frame in
      let lit = (1...channels).filter { levels[$0 - 1][frame] == 1 }
      return lit.isEmpty ? "-" : lit.map(String.init).joined()
    }
  }

  /// The samples at which rounds began.
  private func rounds(_ rig: GraphRig) -> [Int64] {
    rig.frames.flatMap(\.events).filter { $0.name == "round" }.map(\.sample)
  }

  private func expect(
    _ levels: [Float], _ expected: [Double], _ place: Testing.SourceLocation = #_sourceLocation
  ) {
    #expect(levels.count == expected.count, sourceLocation: place)
    for (frame, (level, right)) in zip(levels, expected).enumerated() {
      #expect(abs(Double(level) - right) < 1e-6, "frame \(frame)", sourceLocation: place)
    }
  }

  @Test
  func
    `a chase is dark until the first event, which lights the first channel, and each event goes on by one`()
    throws
  {
    let rig = try run("  chase: { type: steps, names: [L, M, R] }", hits: [1, 3, 5, 8, 10], frames: 11)
    #expect(try lit(rig, 3).joined() == "-1122333112")
    #expect(rounds(rig) == [1600, 7200])
    let node = try #require(rig.plan.graph.nodes.first { $0.id == "chase" })
    #expect(node.outputs.map { $0.channels.map(\.name) } == [["L", "M", "R"], [nil]])
    #expect(try !rig.set("chase.names", to: "[L, M, R, S]"))
  }

  @Test func `an order is forward, backward, or there and back`() throws {
    let hits = Array(stride(from: 0, to: 20, by: 2))
    func order(_ settings: String) throws -> [String] {
      let rig = try run("  chase: { type: steps, \(settings) }", hits: hits, frames: 20)
      let lit = try lit(rig, 4)
      return hits.map { lit[$0] }
    }
    #expect(try order("order: forward").joined() == "1234123412")
    #expect(try order("order: backward").joined() == "4321432143")
    #expect(try order("order: bounce").joined() == "1234321234")
    #expect(try order("order: bounce, steps: 1, spread: 0").joined(separator: " ").hasPrefix("1234 1234"))
    // Four channels in two steps: neighbors, every second channel, from the outside to the middle.
    #expect(try order("steps: 2").prefix(3) == ["12", "34", "12"])
    #expect(try order("steps: 2, spread: 2").prefix(3) == ["13", "24", "13"])
    #expect(try order("mirror: yes").prefix(3) == ["14", "23", "14"])
  }

  @Test func `random steps follow their seed, never repeat a step at once, and reach all channels`() throws {
    let hits = Array(stride(from: 0, to: 200, by: 2))
    func sequence(_ seed: Int) throws -> [String] {
      let rig = try run(
        "  chase: { type: steps, channels: 5, order: random, seed: \(seed) }", hits: hits, frames: 200)
      let lit = try lit(rig, 5)
      return hits.map { lit[$0] }
    }
    let (first, again, other) = (try sequence(0), try sequence(0), try sequence(1))
    #expect(first == again)
    #expect(first != other)
    #expect(zip(first, first.dropFirst()).allSatisfy { $0 != $1 })
    for channel in 1...5 { #expect((10...30).contains(first.count { $0 == "\(channel)" })) }
    #expect(first.prefix(12).joined() == "531212125231")
  }

  @Test func `a rate makes steps from the first sample on, and rounds begin at exact samples`() throws {
    let rig = try run(
      "  chase: { type: steps, channels: 3, rate: 15 Hz }\n  odd: { type: steps, channels: 1, rate: 7 Hz }",
      wires: "hit.events -> odd.reset", frames: 30)
    // The level of a frame is that at its end: the second step begins at the end of the fourth frame.
    #expect(try lit(rig, 3).prefix(16).joined() == "1112222333311112")
    let chase = [0, 9600, 19_200]
    let odd = [0, 6857, 13_714, 20_571]
    #expect(rounds(rig).sorted() == (chase + odd).sorted().map(Int64.init))
  }

  @Test
  func
    `a width lights several steps at once, or leaves a gap, in proportion to the last step if events lead`()
    throws
  {
    let rig = try run(
      """
        two: { type: steps, rate: 15 Hz, width: 2 }
        more: { type: steps, rate: 15 Hz, width: 1.5 }
        gap: { type: steps, rate: 15 Hz, width: 0.5 }
        led: { type: steps, width: 0.5 }
      """, wires: "hit.events -> led", hits: [0, 4, 8, 12], frames: 20)
    #expect(
      try lit(rig, 4, "two").prefix(13) == [
        "1", "1", "1", "12", "12", "12", "12", "23", "23", "23", "23", "34", "34",
      ])
    #expect(
      try lit(rig, 4, "more").prefix(11) == ["1", "1", "1", "12", "12", "2", "2", "23", "23", "3", "3"])
    #expect(try lit(rig, 4, "gap").prefix(11).joined() == "1--22--33--")
    // The length of the first step is unknown before the second.
    #expect(try lit(rig, 4, "led").joined() == "111122--33--44------")
  }

  @Test func `a fade crosses from step to step in proportion to the step, and rise and fall are in seconds`()
    throws
  {
    let rig = try run(
      """
        part: { type: steps, rate: 15 Hz, channels: 3, fade: 50 % }
        time: { type: steps, rate: 7.5 Hz, channels: 2, rise: 2 frames, fall: 12 frames }
        led: { type: steps, channels: 2, fade: 100 %, level: 50 % }
      """, wires: "hit.events -> led", hits: [1, 5, 9], frames: 18)
    expect(Array(try rig.levels("part/1").prefix(14)), [0.5, 1, 1, 1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.5, 1])
    expect(Array(try rig.levels("part/2").prefix(10)), [0, 0, 0, 0, 0.5, 1, 1, 1, 0.5, 0])
    // The rise starts at the present level: after 8 frames of a fall of 12.
    let falls = (0...8).map { 1 - Double($0) / 12 }
    let rises: [Double] = [0.5, 1, 1, 1, 1, 1, 1]
    expect(try rig.levels("time/1"), rises + falls + [2.0 / 3, 1] as [Double])
    expect(
      try rig.levels("led/1"),
      [0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.375, 0.25, 0.125, 0, 0.125, 0.25, 0.375, 0.5, 0.5, 0.5, 0.5, 0.5])
    expect(
      try rig.levels("led/2"),
      [0, 0, 0, 0, 0, 0, 0.125, 0.25, 0.375, 0.5, 0.375, 0.25, 0.125, 0, 0, 0, 0, 0])
  }

  @Test func `a chase goes dark when no event comes within its hold time, and goes on with the next`()
    throws
  {
    let rig = try run(
      "  chase: { type: steps, channels: 3, hold: 3 frames }\n  soft: { type: steps, channels: 3, hold: 3 frames, fall: 2 frames }",
      wires: "hit.events -> chase, hit.events -> soft", hits: [0, 2, 10], frames: 14)
    #expect(try lit(rig, 3).joined() == "11222-----333-")
    expect(try rig.levels("soft/2"), [0, 0, 1, 1, 1, 1, 0.5, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test
  func
    `an event at reset restarts the round at once, so does one named in resetBy, and those at one sample count once`()
    throws
  {
    let rig = try run(
      "  chase: { type: steps }\n  named: { type: steps, resetBy: sound }",
      wires: "hit.events -> chase, gate.events -> chase.reset, hit.events -> named, gate.events -> named",
      hits: [0, 2, 4, 8], opens: [6, 7, 8], frames: 12)
    // The gate opens in frame 6 and closes in frame 9: two resets. At `next` the second event is a step.
    #expect(try lit(rig, 4).joined() == "112233112111")
    #expect(try lit(rig, 4, "named").joined() == "112233112333")
    let same = try run(
      "  chase: { type: steps, resetBy: sound }", wires: "hit.events -> chase, gate.events -> chase",
      hits: [0, 2, 4, 6], opens: [4, 5, 6, 7, 8, 9, 10], frames: 8)
    #expect(try lit(same, 4).joined() == "11221122")
    #expect(rounds(same) == [800, 4000])
  }

  @Test func `a wave passes through all channels, each delayed by the spread`() throws {
    let rig = try run(
      """
        ramp: { type: steps, rate: 15 Hz, shape: ramp }
        back: { type: steps, rate: 15 Hz, shape: ramp, order: backward }
        bounce: { type: steps, rate: 15 Hz, shape: ramp, order: bounce, channels: 1, steps: 2 }
        sine: { type: steps, rate: 15 Hz, shape: sine, channels: 3, steps: 4, spread: 2 }
        all: { type: steps, rate: 15 Hz, shape: triangle, spread: 0 }
        pairs: { type: steps, rate: 15 Hz, shape: square, channels: 5, steps: 4, mirror: yes }
        chance: { type: steps, rate: 15 Hz, shape: ramp, order: random, channels: 2 }
      """, wires: "hit.events -> ramp.reset", frames: 40)
    func wave(_ phase: (Double) -> Double, _ shape: (Double) -> Double = { $0 }) -> [Double] {
      (1...40).map { frame in
        let phase = phase(Double(frame) / 16) + 1e-12
        return shape(phase - phase.rounded(.down))
      }
    }
    for channel in 0..<4 {
      expect(try rig.levels("ramp/\(channel + 1)"), wave { $0 - Double(channel) / 4 })
      expect(try rig.levels("back/\(channel + 1)"), wave { $0 + Double(channel) / 4 })
      expect(try rig.levels("all/\(channel + 1)"), wave({ $0 }, { 1 - abs(2 * $0 - 1) }))
    }
    let there = (1...40).map { 1 - abs(1 - 2 * (Double($0) / 16).truncatingRemainder(dividingBy: 1)) }
    expect(try rig.levels("bounce/1"), there)
    for channel in 0..<3 {
      expect(
        try rig.levels("sine/\(channel + 1)"),
        wave({ $0 - 2 * Double(channel) / 3 }, { 0.5 - 0.5 * cos(2 * .pi * $0) }))
    }
    for (channel, own) in [0, 1, 2, 1, 0].enumerated() {
      expect(
        try rig.levels("pairs/\(channel + 1)"), wave({ $0 - Double(own) / 3 }, { $0 < 0.5 ? 1 : 0 }))
    }
    let chance = try (rig.levels("chance/1"), rig.levels("chance/2"))
    let apart = zip(chance.0, chance.1).map { Double($0 - $1) - Double($0 - $1).rounded(.down) }
    #expect(apart.allSatisfy { abs($0 - apart[0]) < 1e-5 } && apart[0] > 0.01)
  }

  @Test
  func `a wave led by events runs evenly, as fast as the last step, and waits for a late event`()
    throws
  {
    let rig = try run(
      "  chase: { type: steps, channels: 1, steps: 4, shape: ramp, hold: 9 frames }", hits: [1, 5, 9, 15],
      frames: 26)
    // The wave waits for two late frames; then a step takes six, and the round waits at its end, which is its
    // beginning.
    let (fast, slow) = ((0...8).map { 0.25 + Double($0) / 16 }, (0...5).map { 0.75 + Double($0) / 24 })
    let dark = [Double](repeating: 0, count: 5)
    let expected: [Double] = dark + fast + [0.75] + slow + dark
    expect(try rig.levels("chase/1"), expected)
  }

  @Test func `a changed rate goes on from the present phase, and 0 stops the wave`() throws {
    let rig = try rig(
      "  chase: { type: steps, rate: 15 Hz, shape: ramp, channels: 1, steps: 4 }\n  same: { type: smooth }",
      wires: "chase -> same")
    try play(rig, frames: 6)
    #expect(try rig.set("chase.rate", to: "30"))
    try play(rig, frames: 3)
    #expect(try rig.set("chase.rate", to: "0"))
    try play(rig, frames: 3)
    #expect(try rig.set("chase.rate", to: "15"))
    try play(rig, frames: 6)
    let steps = [1, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    var place = 0
    expect(
      try rig.levels("chase/1"),
      steps.map { step in
        place += step
        return Double(place % 16) / 16
      })
  }

  @Test func `a chase goes on through a stall, a new plan and cycles of any size, to the bit`() throws {
    let nodes = """
        chase: { type: steps, channels: 5, rate: 7.3 Hz, order: random, width: 1.7, fade: 30 %, fall: 0.1 s }
        wave: { type: steps, channels: 3, shape: sine, steps: 5 }
      """
    let wires = "hit.events -> wave, chase -> all, wave -> all"
    let names = (1...5).map { "chase/\($0)" } + (1...3).map { "wave/\($0)" }
    let hits = [2, 9, 14, 22, 31]
    let whole = try run(nodes + "\n  all: { type: smooth }", wires: wires, hits: hits, frames: 40)
    for cycle in [64, 800, 1999] {
      let other = try run(
        nodes + "\n  all: { type: smooth }", wires: wires, hits: hits, frames: 40, cycle: cycle)
      for name in names { #expect(try other.levels(name) == whole.levels(name), "\(name) at \(cycle)") }
    }
    let swapped = try rig(nodes + "\n  all: { type: smooth }", wires: wires)
    try play(swapped, hits: hits.filter { $0 < 20 }, frames: 20)
    try swapped.load(text(nodes + "\n  all: { type: smooth, fall: 1 s }", wires: wires))
    try play(swapped, hits: hits.filter { $0 >= 20 }.map { $0 - 20 }, frames: 20)
    for name in names { #expect(try swapped.levels(name) == whole.levels(name), "\(name)") }
    // Without callbacks the timeline stands still, and the chase goes on.
    let frames = swapped.plan.frames
    let place = try #require(frames.columns.first { $0.name == "chase/1" }).level
    var seen: Set<Float> = []
    for number in 1...120 {
      frames.runStalled(frame: 40 + Int64(number), at: 32_000, time: 0, samples: 800)
      seen.insert(frames.levels[place])
    }
    #expect(seen.contains(0) && seen.contains(1))
  }
}
