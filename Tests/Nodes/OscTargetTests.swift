import Graphs
import OSC
import Testing

@testable import Nodes

/// The settings of sending, which a target states for itself or takes from its osc-output.
@Suite struct OscTargetTests {
  private func settings(_ text: String) throws -> OscOutput.Settings {
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, \(text) }
      wires: [tone -> meter -> level -> rig]
      """
    let result = Checker(.full).check(SourceText(path: "graph.yaml", text: graph))
    let node = try #require(result.graph?.nodes.first { $0.id == "rig" }, "\(DiagnosticText.text(result))")
    return try #require(node.settings(of: OscOutput.self)).all
  }

  @Test func `a target overrides what it states, and takes the rest`() throws {
    let settings = try settings(
      """
      to: [{ to: "127.0.0.1:9", rate: 10, change: 0.25, bundle: immediate }, "127.0.0.1:10"],
      rate: 30, repeat: 2, send: vector, address: /all, zeroOnStop: false
      """)
    var expected = SendSettings()
    (expected.rate, expected.repeatInterval, expected.send, expected.zeroOnStop) = (30, 2, .vector, false)
    #expect(settings.sending == expected)
    #expect(settings.to.all[1].sending(over: settings.sending) == expected)
    (expected.rate, expected.change, expected.bundle) = (10, 0.25, .immediate)
    #expect(settings.to.all[0].sending(over: settings.sending) == expected)
  }

  @Test func `a target that states nothing is written as a place, and none takes back what was stated`()
    throws
  {
    let settings = try settings(#"to: [{ to: "127.0.0.1:9", rate: none }, { to: "127.0.0.1:10", rate: 60 }]"#)
    #expect(settings.to.all[0][SendFields.rate] == nil && settings.to.all[1][SendFields.rate] == 60)
    #expect(settings.to.written(as: OscTargets.kind).hasPrefix("[127.0.0.1:9, { "))
  }
}
