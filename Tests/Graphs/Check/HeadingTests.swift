import Testing

@testable import Graphs

@Suite struct HeadingTests {
  @Test(arguments: [
    ("60", FrameRate(60)), ("29.97", FrameRate(2997, per: 100)), ("30000/1001", FrameRate(30000, per: 1001)),
    ("50/2", FrameRate(25)), ("1", FrameRate(1)), ("1000", FrameRate(1000)),
  ])
  func `frames per second are exact`(text: String, rate: FrameRate) {
    #expect(check("visgraph: 1\nfps: \(text)\nnodes: { t: { type: tone } }").graph?.fps == rate)
  }

  @Test(arguments: [
    "0", "0.5", "1001", "-5", "1/0", "60/", "/2", "1e3", "fast", "1.5/2", "9999999999999", "[60]", "0/5",
  ])
  func `what is no rate is refused`(text: String) {
    let faults = check("visgraph: 1\nfps: \(text)\nnodes: { t: { type: tone } }").faults
    #expect(
      faults.map(\.sentence).first?.hasSuffix("; it takes a number 1…1000, or a fraction such as 30000/1001")
        == true)
  }

  @Test(arguments: ["1280", "0x720", "1280x", "-1x5", "16385x1", "1280 x 720", "1x2x3"])
  func `what is no size is refused`(text: String) {
    #expect(check("visgraph: 1\nstage: { size: \(text) }\nnodes: { t: { type: tone } }").faults.count == 1)
  }

  @Test func `a newer file gives one error`() {
    #expect(
      said("visgraph: 3\nnew: { things: 1 }\nnodes: 5\n") == """
        graph.yaml:1:11: error: this file was made for a newer visgraph: it is in format 3 [newer-version]
           1 | visgraph: 3
             |           ^
             = this visgraph reads format 1: install a newer one

        """)
  }

  @Test(arguments: ["0", "one", "[1]", "1.5.2", "-1", ""])
  func `a version that is none is refused`(text: String) {
    #expect(check("visgraph: \(text)\nnodes: { t: { type: tone } }").faults.map(\.code) == ["wrong-version"])
  }

  @Test func `the name is the file's unless it says, and keys beginning x- are nobody's`() {
    #expect(
      check("visgraph: 1\nx-y: { ${: 1 }\nnodes: { x-t: 5, t: { type: tone, x-n: [${q] } }").graph == nil)
    let graph = check("visgraph: 1\nx-y: '${q}'\nnodes: { x-t: 5, t: { type: tone, x-n: '${q}' } }").graph
    #expect(graph?.name == "graph" && graph?.nodes.count == 1)
  }

  @Test func `a stage has a colour or a picture behind it, and says how emitters stand`() throws {
    func stage(_ text: String) throws -> Stage {
      try #require(check("visgraph: 1\nstage: { \(text) }\nnodes: { t: { type: tone } }").graph?.stage)
    }
    let picture = try stage("background: back.PNG, tone: clip, arrange: ring, margin: 10 %")
    #expect(picture.picture?.path == "back.PNG" && picture.background == [0, 0, 0, 1])
    #expect(picture.tone == .clip && picture.arrange == .ring && picture.margin == 0.1)
    #expect(try stage("background: a/b").picture?.path == "a/b")
    let colour = try stage("background: red")
    #expect(colour.picture == nil && colour.background == [1, 0, 0, 1])
    #expect(colour.tone == .soft && colour.arrange == .row && colour.margin == 0)
  }

  @Test func `files that a graph uses are told`() {
    let graph = check("visgraph: 1\nstage: { background: a/b.png }\nnodes: { t: { type: tone } }").graph
    #expect(graph?.files == ["a/b.png"])
  }

  @Test func `faults of the stage`() {
    #expect(
      said(
        "visgraph: 1\nstage: { background: blak, margin: 51 %, arrange: circle, tone: [] }\n"
          + "nodes: { t: { type: tone } }\n") == """
          graph.yaml:2:22: error: stage.background is "blak"; it takes a colour: a CSS name, "#RGB", "#RRGGBB" or "#RRGGBBAA", rgb(255 128 0) or hsl(30 100% 50%), or 3 or 4 numbers 0…1 in a list, or the path of a file [unknown-colour]
             2 | stage: { background: blak, margin: 51 %, arrange: circle, tone: [] }
               |                      ^^^^
               = did you mean black?
          graph.yaml:2:36: error: stage.margin is 51 %; it takes a number 0…0.5 (or %) [out-of-range]
             2 | stage: { background: blak, margin: 51 %, arrange: circle, tone: [] }
               |                                    ^^^^
          graph.yaml:2:51: error: stage.arrange is "circle"; it takes one of row, column, ring, grid, stack [unknown-word]
             2 | stage: { background: blak, margin: 51 %, arrange: circle, tone: [] }
               |                                                   ^^^^^^
          graph.yaml:2:65: error: stage.tone is a list; it takes one of soft, clip [wrong-value]
             2 | stage: { background: blak, margin: 51 %, arrange: circle, tone: [] }
               |                                                                 ^^

          """)
  }
}
