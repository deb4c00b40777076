import Engine
import Graphs
import OSC
import Testing

@testable import Controls

/// The state of a show for subscribers, at times that the test sets.
@Suite struct ShowPollerTests {
  private static let text = """
    visgraph: 1
    nodes: { tone: { type: tone-source }, out: { type: jack-output } }
    wires: [tone -> out]
    """

  @Test func `a fact that is no longer known is sent without arguments, and a fault that is over is empty`()
    throws
  {
    let checked = Checker.complete.check(SourceText(path: "/nowhere/graph.yaml", text: Self.text))
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let show = Show()
    defer { show.close() }
    try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    let router = CommandRouter(show: show) {}
    var feed = ShowFeed(
      show, router, AllowedFolders([]),
      host: { HostSnapshot(name: "clock", rate: 48_000, timeline: 0) }, levels: { (nil, []) })
    /// The facts at a time, by their names.
    func facts(at time: Double) -> [String: [Argument]] {
      feed.look(at: time)
      let entries = feed.state.entries.filter { $0.address.hasPrefix(ShowFact.base) }
      return Dictionary(
        uniqueKeysWithValues: entries.map {
          (String($0.address.dropFirst(ShowFact.base.count)), $0.arguments)
        })
    }
    let (target, state) = ("127.0.0.1:9", "nobody listens on 127.0.0.1:9")
    show.report(others: [
      NodeReport(
        id: "hooks", target: target, state: state, isWell: false, sent: 0, held: 0, failed: 1, sample: "")
    ])
    let ill = facts(at: 1)
    #expect(ill["target/hooks/1"] == [.string(target), .int(0), .string(state)])
    #expect(ill["fault/1"] == [.string("hooks: \(state)")] && ill["healthy"] == [.int(0)])
    // The graph has no such target any more.
    show.report(others: [])
    let well = facts(at: 1.6)
    #expect(well["target/hooks/1"] == [])
    #expect(well["fault/1"] == [.string("")] && well["healthy"] == [.int(1)])
  }
}
