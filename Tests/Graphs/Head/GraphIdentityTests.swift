import Testing

@testable import Graphs

/// The identity of a graph, and its requirements.
@Suite struct GraphIdentityTests {
  private func graph(_ head: String) -> CheckResult {
    check("visgraph: 1\n\(head)\nnodes: { t: { type: tone, channels: 2 } }")
  }

  @Test func `the head may name author, version and license`() throws {
    let text =
      "id: org.example.rack\nversion: 1.10\nauthor: Ada\ndescription: |\n  Two\n  lines.\nlicense: CC-BY-4.0"
    let identity = try #require(graph(text).graph?.identity)
    #expect(
      identity.pairs.map { "\($0.name)=\($0.text)" } == [
        "id=org.example.rack", "version=1.10", "author=Ada", "description=Two\nlines.\n", "licence=CC-BY-4.0",
      ])
    #expect(graph("").graph?.identity == GraphIdentity())
    #expect(graph("id: two words").faults.map(\.code) == ["wrong-text"])
    #expect(graph("author: [a, b]").faults.map(\.code) == ["wrong-value"])
  }

  @Test func `a required node type that this program does not have is a fault`() {
    #expect(graph("requires: { nodes: [tone, vu, curve] }").faults.isEmpty)
    #expect(
      diagnosticText("visgraph: 1\nrequires:\n  nodes: [tone, gage]\nnodes: { t: { type: tone } }\n") == """
        graph.yaml:3:17: error: the graph requires the node type "gage", which this version of visgraph lacks [missing-node-type]
           3 |   nodes: [tone, gage]
             |                 ^^^^
             = did you mean gauge?
             = install a version of visgraph that has it; this one has tone, gauge, curve, blend, sprinkler, speaker, postman, clicker

        """)
  }

  @Test func `too few channels of sound are a fault, and enough are none`() {
    #expect(graph("requires: { channels: 2 }").faults.isEmpty)
    let faults = graph("requires: { channels: 3 }").faults
    #expect(faults.map(\.code) == ["too-few-channels"])
    #expect(faults.first?.message == "the graph requires 3 channels of sound, but its sources have 2")
    // A fault of a node is reported alone.
    #expect(
      check("visgraph: 1\nrequires: { channels: 3 }\nnodes: { t: { type: tone, gain: x } }").faults.map(
        \.code) == [
          "wrong-number"
        ]
        || check("visgraph: 1\nrequires: { channels: 3 }\nnodes: { t: { type: tone, gain: x } }").faults.count
          == 1
    )
  }

  @Test func `the sample rates are the listed ones, one or several`() throws {
    let one = try #require(graph("requires: { rates: 48 kHz }").graph?.requires)
    #expect(
      one.rates == [48_000] && one.fault(atRate: 48_000) == nil && one.rate(preferring: 44_100) == 48_000)
    let two = try #require(graph("requires: { rates: [44100, 48000] }").graph?.requires)
    #expect(two.rate(preferring: 48_000) == 48_000 && two.rate(preferring: 96_000) == 44_100)
    #expect(
      two.fault(atRate: 96_000)?.message
        == "the graph requires a sample rate of 44100 or 48000 Hz, not 96000 Hz"
    )
    #expect(graph("requires: { rates: 10 }").faults.count == 1)
    #expect(graph("requires:").faults.isEmpty)
    #expect(graph("requires: { node: [tone] }").faults.map(\.code) == ["unknown-setting"])
  }
}
