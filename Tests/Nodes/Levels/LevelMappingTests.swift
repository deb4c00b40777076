import Engine
import Glibc
import Graphs
import Particles
import Testing

@testable import Nodes

/// Nodes that map levels and events in time and kind, in real graphs.
@Suite struct LevelMappingTests {
  /// Runs a graph with the given dBFS in each frame of 800 samples, at 48 kHz and 60 fps, as square waves.
  private func run(_ nodes: String, wires: String, _ decibels: [[Double]], cycle: Int = 333, fps: Int = 60)
    throws
    -> GraphRig
  {
    let rig = try GraphRig(
      """
      fps: \(fps)
      nodes:
        in: { type: jack-input, channels: \(decibels.count) }
        meter: { type: meter, reference: rms, release: 0 s }
        linear: { type: range, from: [-100, 0] }
      \(nodes)
      wires: [in -> meter -> linear, \(wires)]
      """)
    var inputs: [String: [Float]] = [:]
    for (channel, levels) in decibels.enumerated() {
      inputs["in_\(channel + 1)"] = levels.flatMap { level in
        (0..<(48_000 / fps)).map { Float(pow(10, level / 20)) * ($0 % 2 == 0 ? 1 : -1) }
      }
    }
    _ = try rig.play(decibels[0].count * 48_000 / fps, cycle: cycle, outputs: [], inputs: inputs)
    return rig
  }

  @Test func `a smooth rises, holds and falls by its times`() throws {
    let rig = try run(
      "  soft: { type: smooth, rise: 50 ms, hold: 33.34 ms, fall: 100 ms }", wires: "meter -> soft",
      [[-60, -20, -20, -20, -60, -60, -60, -60]])
    let levels = try rig.levels("soft/1").map(Double.init)
    let step = 1 / 60.0
    #expect(abs(levels[0] + 60) < 1e-4)
    for n in 1...3 {
      let risen: Double = exp(-Double(n) * step / 0.05)
      let level: Double = -20 - 40 * risen
      #expect(abs(levels[n] - level) < 1e-3)
    }
    #expect(levels[4] == levels[3])
    // Two frames of hold, less 0.01 ms of the third.
    let left = 2 * step - 0.03334
    #expect(abs(levels[5] - levels[3]) < 1e-9 && left < 0)
    let top = levels[3]
    let falling = [6, 7].map { Double($0 - 3) * step - 0.03334 }
    for (n, time) in zip([6, 7], falling) {
      let left: Double = exp(-time / 0.1)
      let level: Double = -60 + (top + 60) * left
      #expect(abs(levels[n] - level) < 1e-3)
    }
  }

  @Test func `a hold that is shortened live acts at once`() throws {
    let rig = try run(
      "  soft: { type: smooth, hold: 60 s, fall: 0 s }\n  slow: { type: meter, hold: 60 s, release: 0 s }",
      wires: "meter -> soft, in -> slow", [[-20, -160, -160]])
    for path in ["soft.hold", "slow.hold"] { #expect(try rig.set(path, to: "0 s")) }
    _ = try rig.play(1600, outputs: [], inputs: ["in_1": Array(repeating: 0, count: 1600)])
    for level in ["soft/1", "slow/1"] {
      let levels = try rig.levels(level)
      #expect(levels[..<3].allSatisfy { $0 > -30 }, "\(level)")
      #expect(levels.last! == -160, "\(level)")
    }
  }

  @Test func `a smooth does not depend on the frame rate`() throws {
    let sixty = try run(
      "  soft: { type: smooth, fall: 0.2 s }", wires: "meter -> soft",
      [[0] + Array(repeating: -60, count: 30)])
    let thirty = try run(
      "  soft: { type: smooth, fall: 0.2 s }", wires: "meter -> soft",
      [[0] + Array(repeating: -60, count: 15)], fps: 30)
    let (a, b) = (try sixty.levels("soft/1"), try thirty.levels("soft/1"))
    for n in 1...15 { #expect(abs(a[2 * n] - b[n]) < 1e-3) }
  }

  @Test func `a delay gives every channel its level of a time before`() throws {
    let rig = try run(
      "  late: { type: delay, time: 50 ms, each: { 2: { time: 10 ms }, 3: { time: 0 } } }",
      wires: "linear -> late",
      Array(repeating: [-10, -20, -30, -40, -50, -60], count: 3))
    let given = try rig.levels("linear/1")
    #expect(try rig.levels("late/1") == [0, 0, 0] + given.prefix(3))
    #expect(try rig.levels("late/2") == [0] + given.prefix(5))
    #expect(try rig.levels("late/3") == given)
  }

  @Test func `a delay that grows keeps its levels, and gives the oldest where it has no older one`() {
    let state = DelayState(channels: 2, frames: 4)
    func take(_ numbers: Range<Int>) {
      for number in numbers {
        state.begin(at: Double(number))
        for channel in 0..<2 { state.take(Float(100 * channel + number), channel: channel) }
      }
    }
    take(0..<3)
    #expect(state.level(0, 2) == 0 && state.level(0, 3) == nil)
    take(3..<10)
    state.reserve(7)
    for channel in 0..<2 {
      for (time, number) in [(0, 9), (2, 7), (3, 6), (6, 6)] {
        #expect(state.level(channel, Double(time)) == Float(100 * channel + number))
      }
    }
    take(10..<12)
    #expect(state.level(1, 5) == 106 && state.level(1, 6) == 106 && state.level(1, 4) == 107)
    take(12..<30)
    #expect(state.level(1, 6) == 123 && state.level(0, 0) == 29)
    state.reserve(5)
    #expect(state.level(1, 6) == 123)
  }

  @Test func `a curve passes through its points, straight, smooth or in steps`() throws {
    let rig = try run(
      """
        bent: { type: curve, points: [[-60, 0], [-20, 0.5], [-10, 0.25]] }
        plain: { type: curve }
        steps: { type: curve, points: [[-60, 0.125], [-20, 0.5], [-10, 1]], shape: steps }
      """, wires: "meter -> bent, meter -> plain, meter -> steps", [[-80, -60, -40, -19.999, -15, 0]])
    let bent: [Float] = [0, 0, 0.25, 0.5, 0.375, 0.25]
    for (a, b) in zip(try rig.levels("bent/1"), bent) { #expect(abs(a - b) < 1e-4) }
    for (a, b) in zip(try rig.levels("plain/1"), [0, 0, 1 / 3, 0.66668, 0.75, 1] as [Float]) {
      #expect(abs(a - b) < 1e-4)
    }
    #expect(try rig.levels("steps/1") == [0.125, 0.125, 0.125, 0.5, 0.5, 1])
  }

  @Test func `a smooth curve stays between its neighboring points`() {
    let line = Curve.Line([[0, 0], [0.3, 0.1], [0.4, 0.9], [0.7, 0.9], [1, 0.2]], .smooth)
    var last: Float = 0
    for i in 0...1000 {
      let x = Float(i) / 1000
      let y = line.value(x)
      #expect(y >= -1e-6 && y <= 0.9 + 1e-6)
      if x <= 0.7 { #expect(y >= last - 1e-6) } else { #expect(y <= last + 1e-6) }
      last = y
    }
    #expect(line.value(.nan) == 0 && abs(line.value(0.3) - 0.1) < 1e-6 && line.value(2) == 0.2)
  }

  @Test func `a compare tests above, below, between and outside, with hysteresis on the way back`()
    throws
  {
    let rig = try run(
      """
        above: { type: compare, than: -20, margin: 3 dB }
        below: { type: compare, is: below, than: -30 }
        between: { type: compare, is: between, than: [-30, -10], margin: 2 }
        outside: { type: compare, is: outside, than: [-30, -10], margin: 2 }
      """, wires: "meter -> above, meter -> below, meter -> between, meter -> outside",
      [[-40, -19, -22, -24, -9, -11, -31.5, -33, -31]])
    #expect(try rig.levels("above/1") == [0, 1, 1, 0, 1, 1, 0, 0, 0])
    #expect(try rig.levels("below/1") == [1, 0, 0, 0, 0, 0, 1, 1, 1])
    #expect(try rig.levels("between/1") == [0, 1, 1, 1, 1, 1, 1, 0, 0])
    #expect(try rig.levels("outside/1") == [1, 0, 0, 0, 1, 1, 1, 1, 1])
    let events = rig.frames.map { $0.events.filter { $0.output == 0 }.map(\.name) }
    #expect(events == [[], ["on"], [], ["off"], ["on"], [], ["off"], [], []])
  }

  @Test func `a compare takes a level in place of the number, and logic combines its answers`() throws {
    let rig = try run(
      """
        louder: { type: compare }
        loud: { type: compare, than: -15 }
        both: { type: logic }
        any: { type: logic, by: or }
        one: { type: logic, by: xor }
        not: { type: logic, by: not }
      """,
      wires:
        "\"meter[1] -> louder\", \"meter[2] -> louder.with\", \"meter[1] -> loud\", louder -> both, loud -> both.with, "
        + "louder -> any, loud -> any.with, louder -> one, loud -> one.with, louder -> not",
      [[-20, -10, -10, -30], [-30, -20, -5, -20]])
    #expect(try rig.levels("louder/1") == [1, 1, 0, 0])
    #expect(try rig.levels("loud/1") == [0, 1, 1, 0])
    #expect(try rig.levels("both/1") == [0, 1, 0, 0])
    #expect(try rig.levels("any/1") == [1, 1, 1, 0])
    #expect(try rig.levels("one/1") == [1, 0, 1, 0])
    #expect(try rig.levels("not/1") == [0, 0, 1, 1])
  }

  @Test func `a sample-hold keeps the level that was there when an event came`() throws {
    let rig = try run(
      "  hit: { type: trigger, above: -12, gap: 0 }\n  kept: { type: sample-hold }",
      wires: "\"meter[1] -> hit\", \"meter[2] -> kept\", hit.events -> kept.when",
      [[-60, -10, -60, -60, -10, -10], [-11, -12, -13, -14, -15, -16]])
    for (a, b) in zip(try rig.levels("kept/1"), [-160, -12, -12, -12, -15, -15] as [Float]) {
      #expect(abs(a - b) < 1e-4)
    }
  }

  @Test func `an envelope attacks, holds and decays after each event`() throws {
    let rig = try run(
      """
        hit: { type: trigger, above: -12, gap: 0 }
        flash: { type: envelope, attack: 2 frames, hold: 1 frame, decay: 4 frames, each: { 2: { attack: 0, hold: 0, curve: 2 } } }
      """, wires: "meter -> hit, hit.events -> flash",
      [
        [-60, -10, -60, -60, -60, -60, -60, -60, -60, -60],
        [-60, -60, -10, -60, -60, -60, -10, -10, -60, -60],
      ])
    for (a, b) in zip(try rig.levels("flash/1"), [0, 0, 0.5, 1, 1, 0.75, 0.5, 0.25, 0, 0] as [Float]) {
      #expect(abs(a - b) < 1e-5)
    }
    for (a, b) in zip(
      try rig.levels("flash/2"), [0, 0, 1, 0.5625, 0.25, 0.0625, 1, 0.5625, 0.25, 0.0625] as [Float])
    { #expect(abs(a - b) < 1e-5) }
  }

  @Test func `a combine by energy does not cancel channels of opposite phase`() throws {
    let rig = try run(
      "  sum: { type: combine, by: energy }", wires: "meter -> sum", [[-20, -160], [-20, -20]])
    let levels = try rig.levels("sum/1")
    #expect(abs(levels[0] - Float(-20 + 10 * log10(2.0))) < 1e-4 && abs(levels[1] + 20) < 1e-4)
  }
}

/// Colors by levels.
@Suite struct GradientTests {
  private func color(_ colors: [String], at level: Float, _ parts: Gradient.Parts = .rgb) throws -> [Float] {
    var settings = Gradient.Settings()
    settings.colors = try colors.map { try #require(Color(css: $0)) }
    let color = ColorRamp(settings, parts).parts(at: level)
    return [color.x, color.y, color.z, color.w]
  }

  private func near(_ a: [Float], _ b: [Float], _ within: Float = 2e-3) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) <= within }
  }

  @Test func `a gradient begins and ends with its colors, and is perceptually uniform between them`() throws {
    #expect(near(try color(["#000", "#f00"], at: 0), [0, 0, 0, 0]))
    #expect(near(try color(["#000", "#f00"], at: 1), [1, 0, 0, 0]))
    #expect(near(try color(["#000", "#f00"], at: .nan), [0, 0, 0, 0]))
    // Values of the matrices on Ottosson's page: white has L = 1; red is 0.62796, 0.22486, 0.12585.
    let red = OKLab.premultiplied(Color(red: 1, green: 0, blue: 0))
    #expect(abs(red.x - 0.62796) < 1e-4 && abs(red.y - 0.22486) < 1e-4 && abs(red.z - 0.12585) < 1e-4)
    // Half of white has L = 0.5: 0.125 of the light, 0.3886 in sRGB.
    #expect(near(try color(["#000", "#fff"], at: 0.5), [0.3886, 0.3886, 0.3886, 0]))
    // Blue to yellow passes no gray: the middle is `color-mix(in oklab, blue, yellow)` of CSS.
    #expect(near(try color(["blue", "yellow"], at: 0.5), [0.4226, 0.6724, 0.7805, 0]))
  }

  @Test func `a gradient gives alpha, or white for lamps that have a white channel`() throws {
    #expect(near(try color(["transparent", "#0f08"], at: 1, .rgba), [0, 1, 0, 136 / 255]))
    #expect(near(try color(["transparent", "#f00"], at: 0.5, .rgba), [1, 0, 0, 0.5]))
    #expect(near(try color(["#000", "#fff"], at: 1, .rgbw), [0, 0, 0, 1]))
    #expect(near(try color(["#000", "#ff0"], at: 1, .rgbw), [1, 1, 0, 0]))
  }

  @Test func `every level becomes three channels with names`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, names: [Kick, Vox] }
        meter: { type: meter }
        level: { type: range }
        light: { type: gradient, colors: [black, lime], stops: [0.5, 1] }
      wires: [in -> meter -> level -> light]
      """)
    let output = rig.plan.graph.nodes[3].outputs[0]
    #expect(
      output.channels.map(\.name) == [
        "Kick.red", "Kick.green", "Kick.blue", "Vox.red", "Vox.green", "Vox.blue",
      ])
    _ = try rig.play(
      800, outputs: [], inputs: ["in_2": (0..<800).map { $0 % 2 == 0 ? 0.99 : -0.99 }])
    #expect(
      near(
        try ["light/1", "light/2", "light/4", "light/5"].map { try rig.levels($0)[0] }, [0, 0, 0, 1], 0.01))
  }
}
