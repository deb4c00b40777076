import Engine
import Graphs
import System
import TestSupport
import Testing

@testable import Controls

/// A constant light that scenes, messages and faders change.
@Suite struct ConstantSceneTests {
  private static let text = """
    visgraph: 1
    main: day
    scenes:
      day: { house.value: 1, wash.color: red }
      show: { seconds: 0.5, house.value: 0.25, wash.color: blue }
      dark: { off: [house, wash] }
    nodes:
      tone: { type: tone-source }
      out: { type: jack-output }
      house: { type: constant, value: 0.5 }
      wash: { type: constant, parts: rgb, color: green }
      rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0 }
    wires: [tone -> out, house -> rig]
    """

  @Test func `scenes crossfade from one constant light to another, and turn it off`() throws {
    let rig = try SceneRig(Self.text)
    try rig.next()
    #expect(try rig.takeLights() == [1])
    #expect(rig.graph.text(at: "wash.color") == "\"#FF0000\"")
    try rig.enter(.named("show"))
    var sent: [Float] = []
    for frame in 1...30 {
      try rig.next()
      sent += try rig.takeLights()
      let value = try #require(rig.graph.number(at: "house.value")?.value)
      #expect(abs(value - (1 - 0.75 * Double(frame) / 30)) < 1e-6, "frame \(frame)")
    }
    try rig.next()
    sent += try rig.takeLights()
    #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 > $1 } && sent.count >= 29, "\(sent)")
    #expect(sent.last == 0.25)
    #expect(rig.graph.text(at: "wash.color") == "\"#0000FF\"")
    try rig.enter(.named("dark"), 0)
    try rig.next()
    try rig.next()
    #expect(try rig.takeLights() == [0])
    #expect(rig.refusals.withLock { $0 } == [] && rig.newPlans == 0)
  }
}
