import Controls
import Engine
import Foundation
import Graphs
import TestSupport
import Testing

@testable import Viewer

@Suite struct TargetFactTests {
  @Test func `the topic of targets has every fact, in the order of the declarations`() {
    let report = NodeReport(
      id: "rig", target: "127.0.0.1:7700", state: "well", isWell: true, sent: 3, held: 2, failed: 1,
      sample: "/visgraph/level/1 0.5")
    #expect(
      TargetFact.json([report]).line
        == #"[{"id":"rig","target":"127.0.0.1:7700","state":"well","well":true,"sent":3,"held":2,"failed":1,"#
        + #""sample":"/visgraph/level/1 0.5"}]"#)
    #expect(TargetFact.json([]).line == "[]")
  }

  @Test func `docs name every fact of a target`() throws {
    let docs = try String(contentsOf: projectFolder.appending(path: "graphs/VIEW.md"), encoding: .utf8)
    let row = docs.split(separator: "\n").first { $0.contains(#"{"targets": "#) } ?? ""
    for fact in TargetFact.all { #expect(row.contains("`\(fact.name)`"), "\(fact.name)") }
  }

  @Test func `pages know the facts of a show by the addresses at which subscribers are sent them`() {
    let text = PageScript.text
    for line in ["  healthy: '/visgraph/status/healthy',", "  fault: '/visgraph/status/fault/',"] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    #expect(!text.contains("/visgraph/status/scene") && text.contains("{'playing' | 'over' | "))
    #expect(text.contains(" * @property {boolean} well whether there is no fault\n"))
  }
}
