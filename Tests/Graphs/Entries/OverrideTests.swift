import Testing

@testable import Graphs

@Suite struct OverrideTests {
  private let text = """
    visgraph: 1
    values: { rig: 127.0.0.1, to: "${rig}:7700", dollar: "a$${rig}" }
    nodes:
      t: { type: tone, channels: 2 }
      m: { type: gauge, decay: 1 }
      n: { like: m }
      p: { type: sprinkler, cells: { a: { birthRate: 5, lifetime: 2 } } }
      o: { type: postman, to: "${to}" }
    wires: [t -> m -> o, t -> n]
    """

  private func graph(_ overrides: String...) throws -> CheckedGraph {
    let wired = text.replacingOccurrence(of: "t -> n]", with: "t -> n, c -> p, m -> c]")
      .replacingOccurrence(of: "  t: {", with: "  c: { type: curve }\n  t: {")
    let checked = Checker(testCatalogue).check(
      SourceText(path: "graph.yaml", text: wired), overrides: overrides.compactMap(Override.init))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }

  @Test func `values are replaced, and a value may use those above it`() throws {
    #expect(settings(try graph(), "o", Postman.self)?.all.to == ["127.0.0.1:7700"])
    #expect(settings(try graph("rig=10.0.0.7"), "o", Postman.self)?.all.to == ["10.0.0.7:7700"])
  }

  @Test func `a setting of the command line replaces the file's`() throws {
    let changed = try graph("m.release=500 ms", "p.cells.a.birthRate=80", "p.cells.b={ birthRate: 1 }")
    #expect(settings(changed, "m", Gauge.self)?.all.release == 0.5)
    #expect(settings(changed, "n", Gauge.self)?.all.release == 0.5)
    let cells = try #require(settings(changed, "p", Sprinkler.self)?.all.cells)
    #expect(cells.entries.map(\.name) == ["a", "b"])
    #expect(cells["a"]?.birthRate == 80 && cells["a"]?.lifetime == 2 && cells["b"]?.birthRate == 1)
    #expect(settings(try graph("o.to=[a:1, b:2]"), "o", Postman.self)?.all.to == ["a:1", "b:2"])
  }

  @Test(arguments: [
    ("m.release=61", "--set m.release: error: m.release is 61; it takes a number 0…60 s [out-of-range]\n"),
    (
      "m.relaese=1",
      "--set m.relaese: error: gauge has no setting \"relaese\" [unknown-setting]\n    = did you mean release?\n"
        + "    = possible settings: release, mode, hold, enabled\n"
    ),
    (
      "q.release=1",
      "--set q.release: error: there is no node \"q\" [unknown-node]\n    = the graph has: c, t, m, n, p, o\n"
    ),
    (
      "rigg=1",
      "--set rigg: error: the value \"rigg\" is not defined [unknown-value]\n    = did you mean rig?\n"
        + "    = the file defines: rig, to, dollar\n    = to write ${ literally, write $${\n"
    ),
    (
      "m.release.x=1",
      "--set m.release.x: error: release.x leads into a value that has no settings inside [unknown-setting]\n"
    ),
    (
      "o.to=[a",
      "--set o.to: error: a [ … ] is not closed, or a comma is missing in it [yaml-syntax]\n"
        + "    = inside [ … ] put texts with [ ] { } or , in quotes\n"
    ),
  ])
  func `a fault of the command line is reported as such`(option: String, expected: String) throws {
    let wired = text.replacingOccurrence(of: "t -> n]", with: "t -> n, c -> p, m -> c]")
      .replacingOccurrence(of: "  t: {", with: "  c: { type: curve }\n  t: {")
    #expect(diagnosticText(wired, set: option) == expected)
  }

  @Test func `an option without a name or an equals sign is no override`() {
    #expect(Override("a") == nil && Override("=1") == nil)
    #expect(Override("a.b=c=d")?.value == "c=d")
  }
}

extension String {
  fileprivate func replacingOccurrence(of part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}

/// Settings of single channels, and faults reported for a path.
@Suite struct ChannelOverrideTests {
  private let text = """
    visgraph: 1
    nodes:
      t: { type: tone, channels: 3 }
      m: { type: gauge, release: 1, each: { 2: { release: 2 } } }
      n: { like: m }
    wires: [t -> m, t -> n]
    """

  private func check(_ overrides: [String]) -> CheckResult {
    Checker(testCatalogue).check(
      SourceText(path: "graph.yaml", text: text), overrides: overrides.compactMap(Override.init))
  }

  private func releases(_ overrides: String...) throws -> [Double] {
    let checked = check(overrides)
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let gauge = try #require(settings(graph, "m", Gauge.self))
    let other = try #require(settings(graph, "n", Gauge.self))
    return (0..<3).map { gauge[$0].release } + (0..<3).map { other[$0].release }
  }

  @Test func `a channel has its own value, above that of the file and that of all channels`() throws {
    #expect(try releases() == [1, 2, 1, 1, 2, 1])
    #expect(try releases("m.each.2.release=3", "m.each.3.release=4") == [1, 3, 4, 1, 3, 4])
    #expect(
      try releases("m.each.1-2.release=3", "m.release=5", "n.each.1.release=0.5") == [3, 3, 5, 0.5, 3, 5])
    #expect(try releases("m.each.2.release=3", "m.each.2.release=6") == [1, 6, 1, 1, 6, 1])
  }

  @Test(arguments: [
    ("m.each.2.release=61", "out-of-range"), ("m.each.4.release=1", "unknown-channel"),
    ("m.each.2.relaese=1", "unknown-setting"), ("m.each.2=1", "unknown-setting"),
    ("m.each.2.release.x=1", "path-too-long"),
  ])
  func `a fault in a channel's own value is reported`(override: String, code: String) {
    // Also reported for the node with `like`, where the channel does not exist.
    #expect(Set(check([override]).faults.map(\.code)) == [code])
  }
}
