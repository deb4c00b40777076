import Graphs
import System
import Testing

@testable import Nodes

/// Faults that need a catalog with its own check of pictures; all others of emitters are in `Tests/Faults/emitters`.
@Suite struct EmitterFaultTests {
  @Test func `pictures that cannot be shown are reported at each place, and each file is checked once`() {
    let checkedPaths = Locked<[String]>([])
    let catalog = Catalog(types: everyNode + [Faders.self]) { path, _ in
      checkedPaths.withLock { $0.append(path) }
      return path == "good.png" ? nil : ("no-picture", "there is no file \(path)")
    }
    let text = """
      visgraph: 1
      stage: { background: back.png }
      nodes:
        faders: { type: faders }
        sparks: { type: emitter, cells: { a: { contents: bad.png, cells: { b: { contents: good.png } } } } }
        m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
      wires: [faders -> sparks, faders -> m]
      """
    let checked = Checker(catalog).check(SourceText(path: "graph.yaml", text: text))
    #expect(
      DiagnosticText.text(checked) == """
        graph.yaml:2:22: error: stage.background: there is no file back.png [no-picture]
           2 | stage: { background: back.png }
             |                      ^^^^^^^^
        graph.yaml:5:52: error: sparks.cells.a.contents: there is no file bad.png [no-picture]
           5 |   sparks: { type: emitter, cells: { a: { contents: bad.png, cells: { b: { contents: good.png } } } }…
             |                                                    ^^^^^^^
        graph.yaml:6:47: error: m.cells.a.contents: there is no file bad.png [no-picture]
           6 |   m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
             |                                               ^^^^^^^
        graph.yaml:6:73: error: m.cells.b.contents: there is no file ./none [no-picture]
           6 |   m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
             |                                                                         ^^^^^^

        """)
    #expect(checkedPaths.withLock { $0 } == ["back.png", "bad.png", "good.png", "./none"])
  }
}
