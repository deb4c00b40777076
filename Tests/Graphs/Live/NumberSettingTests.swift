import Glibc
import TestSupport
import Testing

@testable import Graphs

@Suite struct NumberSettingTests {
  private static func graph(_ path: String = "/nowhere/g.yaml", _ more: String = "") throws -> CheckedGraph {
    let text = """
      visgraph: 1
      fps: 50
      nodes:
        t: { type: tone, channels: 3, frequency: 2 kHz, each: { 2: { frequency: 3 kHz } }\(more) }
        g: { type: gauge, release: 10 frames }
        c: { type: curve }
        s: { type: sprinkler, x: 50 %, cells: { b: { birthRate: 7, emitterCells: { c.d: { birthRate: 8 } } } },
             drive: [{ key: x, from: [0, 0.5] }] }
      wires: [t -> g -> c -> s]
      """
    let checked = Checker(testCatalogue).check(SourceText(path: path, text: text))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }

  @Test func `a number is the written one, by any path, else the default`() throws {
    let graph = try Self.graph()
    let expected: [(String, Double?)] = [
      ("t.frequency", 2000), ("t.each.2.frequency", 3000), ("t.each.3.frequency", 2000), ("t.gain", 0),
      ("g.release", 0.2), ("g.decay", 0.2), ("g.hold", nil), ("c.root", 2), ("s.x", 640),
      ("s.cells.b.birthRate", 7), ("s.cells.b.lifetime", 0), ("s.cells.b.cells.c.d.birthRate", 8),
      ("s.drive.1.from.2", 0.5), ("s.drive.1.to.2", 1), ("s.cells.none.birthRate", nil),
      ("s.drive.2.to.1", nil),
    ]
    for (path, value) in expected {
      let number = try #require(graph.number(at: path), "\(path)")
      #expect(number.value == value, "\(path)")
    }
    for path in ["", "t", "x.y", "t.names", "t.x", "g.mode", "s.drive.1.from", "t.each.0.gain", "s.cells.b"] {
      #expect(graph.number(at: path) == nil, "\(path)")
    }
  }

  @Test func `a text is read as in a graph file, and a number stays in its range`() throws {
    let graph = try Self.graph()
    let frequency = try #require(graph.number(at: "t.each.2.frequency"))
    #expect(try frequency.number("1 kHz").get() == 1000)
    for (text, message) in [
      ("30000", "t.2.frequency is 30000; it takes a number 1…20000 Hz"),
      ("high", "t.2.frequency is \"high\"; it takes a number 1…20000 Hz"),
    ] {
      guard case .failure(let fault) = frequency.number(.written(text)) else {
        Issue.record("\(text)")
        continue
      }
      #expect(fault.message == message)
    }
    #expect(frequency.taken(0.5) == 1 && frequency.taken(440.5) == 440.5)
    #expect(try #require(graph.number(at: "t.channels")).taken(2.6) == 3)
    #expect(try #require(graph.number(at: "s.x")).number("25 %").get() == 320)
  }

  @Test func `the key of kept state names files by their full path`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "sounds"] { mkdir(folder.file(name), 0o700) }
    func key(_ graph: String, _ path: String) throws -> String {
      try Self.graph(folder.file(graph), ", path: \(path)").nodes[0].settingsKey(.rebuild)
    }
    let first = try key("a/g.yaml", "../sounds/1.wav")
    #expect(try key("b/g.yaml", "../sounds/1.wav") == first)
    #expect(try key("b/g.yaml", folder.file("sounds/1.wav")) == first)
    #expect(try key("b/../g.yaml", "sounds/1.wav") == first)
    #expect(try key("a/g.yaml", "1.wav") != key("b/g.yaml", "1.wav"))
  }
}
