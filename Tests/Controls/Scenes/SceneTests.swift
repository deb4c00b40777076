import Glibc
import Graphs
import Nodes
import OSC
import Particles
import System
import Testing

@testable import Controls

/// Scenes: their settings, their crossfades, and the settings that stay.
@Suite struct SceneTests {
  @Test
  func `a show starts in its main scene, and settings that a scene does not make are those of the nodes`()
    throws
  {
    let rig = try SceneRig()
    #expect(rig.overrides.scene == "calm")
    #expect(rig.graph.text(at: "gain.gain") == "-6 dB" && rig.graph.text(at: "rig.rate") == "20 /s")
    #expect(rig.graph.text(at: "sparks.cells.spark.birthRate") == "5 /s")
    try rig.enter(.named("storm"), 0)
    #expect(rig.graph.text(at: "gain.gain") == "-18 dB" && rig.graph.text(at: "rig.rate") == "0 /s")
    #expect(rig.graph.text(at: "sparks.palette") == "[\"#0000FF\", \"#FFFFFF\"]")
    #expect(rig.graph.text(at: "sparks.cells.spark.birthRate") == "50 /s")
    try rig.enter(.named("calm"), 0)
    #expect(rig.graph.text(at: "gain.gain") == "-6 dB" && rig.graph.text(at: "rig.rate") == "20 /s")
    #expect(rig.graph.text(at: "sparks.cells.spark.birthRate") == "5 /s")
    #expect(rig.newPlans == 0 && rig.refusals.withLock { $0 } == [])
  }

  @Test func `numbers and colors of a crossfade follow the formula in every frame`() throws {
    let rig = try SceneRig()
    try rig.next()
    try rig.enter(.named("storm"))
    let start = OKLab.premultiplied(Color(red: 1, green: 0, blue: 0))
    let end = OKLab.premultiplied(Color(red: 0, green: 0, blue: 1))
    for frame in 1...60 {
      try rig.next()
      let part = Double(frame) / 60
      // A fader's way from 0.6 (-6 dB) to 0.4 (-18 dB).
      let place = 0.6 - 0.2 * part
      let gain = place >= 0.5 ? (place - 0.75) * 40 : -10 + (place - 0.5) * 80
      #expect(abs(try #require(rig.graph.number(at: "gain.gain")?.value) - gain) < 1e-9)
      let births = try #require(rig.graph.number(at: "sparks.cells.spark.birthRate")?.value)
      #expect(abs(births - (5 + 45 * part)) < 1e-9)
      let palette = try #require(rig.graph.text(at: "sparks.palette"))
      if frame < 60 {
        let color = start + (end - start) * part
        let light = OKLab.light(SIMD3(color.x, color.y, color.z))
        let red = max(0, min(1, OKLab.encoded(max(0, min(1, light.x)))))
        let first = palette.dropFirst(2).prefix { $0 != "," }
        #expect(abs(try #require(Double(first)) - red) < 1e-9)
      } else {
        #expect(palette == "[\"#0000FF\", \"#FFFFFF\"]")
      }
      let fact = try #require(rig.progress.now)
      #expect(fact.name == "storm" && abs(fact.part - part) < 1e-9 && abs(fact.left - (1 - part)) < 2e-6)
    }
    #expect(rig.fades.snapshot.isEmpty && rig.graph.text(at: "gain.gain") == "-18 dB")
    #expect(rig.newPlans == 0 && rig.refusals.withLock { $0 } == [])
  }

  @Test func `a list of another length changes in the first frame`() throws {
    let rig = try SceneRig()
    try rig.enter(.named("dark"), 1)
    try rig.next()
    #expect(rig.graph.text(at: "sparks.palette") == "[\"#FFFFFF\"]")
    #expect(rig.graph.number(at: "rig.master")?.value != 0)
  }

  /// The largest second difference of a sine under the gain's own smoothing: a straight line over a frame, from one
  /// factor to another.
  private func limit(amplitude: Double, from: Double, to: Double) -> Double {
    let w = 2 * Double.pi * 440 / 48_000
    let step = abs(to - from) / Double(SceneRig.frame)
    return amplitude * (w * w * max(from, to) + 2 * step * w + step)
  }

  private func secondDifference(_ samples: [Float]) -> Double {
    guard samples.count > 2 else { return 0 }
    var most = 0.0
    for index in 2..<samples.count {
      let step = Double(samples[index]) - 2 * Double(samples[index - 1]) + Double(samples[index - 2])
      most = max(most, abs(step))
    }
    return most
  }

  @Test
  func
    `a sine that plays through a scene change has no step beyond the smoothing's own, at once and in time`()
    throws
  {
    let rig = try SceneRig()
    var sound: [Float] = try rig.next()
    for turn in 0..<12 {
      try rig.enter(.next, turn.isMultiple(of: 3) ? 0 : 0.1)
      for _ in 0..<9 { sound += try rig.next() }
    }
    let amplitude = pow(10, -12.0 / 20)
    let most = limit(amplitude: amplitude, from: 0, to: pow(10, -6.0 / 20))
    #expect(secondDifference(sound) <= most * 1.001)
    // A check of the measure: a step of the same gains would be far above the limit.
    #expect(amplitude * (pow(10, -6.0 / 20) - pow(10, -18.0 / 20)) > 50 * most)
    #expect(rig.newPlans == 0 && rig.refusals.withLock { $0 } == [])
  }

  @Test func `lights that are turned off go down frame by frame, and come back the same way`() throws {
    let rig = try SceneRig(SceneRig.text.replacing("rig, tone", with: "rig"))
    try rig.enter(.named("storm"), 0)
    for _ in 0..<5 { try rig.next() }
    let full = try #require(try rig.takeLights().last)
    // A frame is 1/30 of the way; the peaks of a sine vary a little from frame to frame.
    func steps(_ values: [Float]) -> Float { zip(values, values.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }
    try rig.enter(.named("dark"), 0.5)
    for _ in 0..<31 { try rig.next() }
    let down = try rig.takeLights()
    #expect(down.last == 0 && down.count >= 29)
    #expect(steps([full] + down) < full / 30 + 0.01 && (down.max() ?? 1) < full + 0.01)
    try rig.enter(.named("storm"), 0.5)
    for _ in 0..<31 { try rig.next() }
    let up = try rig.takeLights()
    #expect(abs((up.last ?? 0) - full) < 0.01)
    #expect(steps([0] + up) < full / 30 + 0.01 && (up.max() ?? 1) < full + 0.01)
  }

  @Test func `a scene that comes during a crossfade starts at each setting's present value`() throws {
    let rig = try SceneRig()
    try rig.enter(.named("storm"), 1)
    for _ in 0..<30 { try rig.next() }
    let half = try #require(rig.graph.number(at: "gain.gain")?.value)
    try rig.enter(.named("calm"), 1)
    try rig.next()
    let next = try #require(rig.graph.number(at: "gain.gain")?.value)
    #expect(abs(half + 10) < 1e-9 && next > half && next - half < 0.1)
    for _ in 0..<60 { try rig.next() }
    #expect(rig.graph.text(at: "gain.gain") == "-6 dB" && rig.progress.now?.part == 1)
  }

  @Test
  func `a setting made by hand stays unless a scene makes it, and the command line overrides scenes`()
    throws
  {
    let rig = try SceneRig(given: [Override(target: "rig.rate", value: "7")])
    #expect(rig.graph.text(at: "rig.rate") == "7 /s")
    rig.set("meter.release", "2")
    rig.set("gain.gain", "3")
    #expect(rig.overrides.live.map(\.target) == ["meter.release", "gain.gain"])
    try rig.enter(.named("storm"), 0)
    #expect(rig.graph.text(at: "meter.release") == "2 s" && rig.graph.text(at: "gain.gain") == "-18 dB")
    #expect(rig.graph.text(at: "rig.rate") == "7 /s")
    #expect(rig.overrides.live.map(\.target) == ["meter.release"])
  }

  @Test func `a reloaded graph stays in its scene, or goes to its main scene if that is gone`()
    throws
  {
    let rig = try SceneRig()
    rig.set("meter.release", "2")
    try rig.enter(.named("storm"), 0)
    func read(_ text: String, moving: @escaping (String) -> Bool = { _ in false }) -> (
      SettingOverrides, CheckResult
    ) {
      var overrides = rig.overrides
      let source = SourceText(path: "/nowhere/graph.yaml", text: text)
      let checked = overrides.read(in: "storm", moving: moving) {
        Checker(.full).check(source, overrides: $0)
      }.checked
      return (overrides, checked)
    }
    let (overrides, checked) = read(SceneRig.text.replacing("-18 dB", with: "-20 dB"))
    #expect(overrides.scene == "storm" && checked.graph?.text(at: "gain.gain") == "-20 dB")
    #expect(checked.graph?.text(at: "meter.release") == "2 s")
    let (gone, other) = read(
      SceneRig.text.replacing("storm:", with: "tempest:").replacing("like: storm", with: "like: tempest"))
    #expect(gone.scene == "calm" && other.graph?.text(at: "gain.gain") == "-6 dB")
    #expect(other.graph?.text(at: "meter.release") == "2 s")
    let (without, plain) = read(
      SceneRig.text.replacing("main: calm\nscenes:", with: "x-old:"))
    #expect(without.scene == nil && plain.graph?.text(at: "gain.gain") == "0 dB")
    // A setting that fades stays at its present value.
    try rig.enter(.named("calm"), 1)
    for _ in 0..<30 { try rig.next() }
    let half = try #require(rig.graph.number(at: "gain.gain")?.value)
    let (_, passing) = read(SceneRig.text, moving: rig.fades.isMoving)
    #expect(passing.graph?.number(at: "gain.gain")?.value == half)
  }

  @Test func `messages name scenes, and a wrong one gets the list of them`() throws {
    let rig = try SceneRig()
    let view = ControlView(graph: rig.graph, players: [], folders: AllowedFolders([]))
    func command(_ address: String, _ arguments: Argument...) throws -> ShowCommand {
      let requests = try CommandReader(view: view).requests(Message(address, arguments: arguments))
      guard requests.count == 1, case .command(let command) = requests[0] else {
        throw ControlError.value("\(requests)")
      }
      return command
    }
    #expect(
      try command("/visgraph/scene", .string("storm"), .float(2)) == .scene(.named("storm"), seconds: 2))
    #expect(try command("/visgraph/scene", .string("storm")) == .scene(.named("storm")))
    #expect(try command("/visgraph/scene/next", .int(3)) == .scene(.next, seconds: 3))
    #expect(try command("/visgraph/scene/previous") == .scene(.previous))
    #expect(
      try ControlFixture.refusal("/visgraph/scene", .string("strom"), view: view)
        == "unknown-scene: there is no scene strom; the graph has: calm, storm, dark")
    #expect(
      try ControlFixture.refusal("/visgraph/scene/next") == "unknown-scene: this graph has no scenes")
    #expect(
      try ControlFixture.refusal("/visgraph/scene", .string("storm"), .float(3601), view: view)
        == "control-argument: the fade is 3601.0; it takes a number 0…3600 s")
  }
}
