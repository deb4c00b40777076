import Testing

@testable import Importers

/// LED layouts of other programs.
@Suite struct LedLayoutTests {
  private func layout(_ text: String, most: Int = 1000) throws -> LedLayout {
    try LedLayout.read(Array(text.utf8), called: "a", most: most)
  }

  /// Columns and rows of the LEDs in wiring order, `--` for an LED without a place.
  private func wire(_ text: String) throws -> String {
    try layout(text).places.map { place in place.map { "\(Int($0.x))\(Int($0.y))" } ?? "--" }
      .joined(separator: " ")
  }

  private func fault(_ text: String, most: Int = 1000) -> String {
    do throws(ImportError) {
      _ = try LedLayout.read(Array(text.utf8), called: "a", most: most)
      return "none"
    } catch {
      return "\(error.message) [\(error.code)]"
    }
  }

  @Test func `a custom model is read from its cells, and from its compressed ones`() throws {
    let plain = "<custommodel name=\"Star\" StringType=\"GRB Nodes\" CustomModel=\"1,,2;,3,|,,;4,,\"/>"
    #expect(try wire(plain) == "00 20 11 01")
    #expect(try layout(plain).places.map { $0?.z } == [0, 0, 0, 1])
    #expect(try layout(plain).colors == "GRB" && layout(plain).name == "Star" && layout(plain).notes.isEmpty)
    let short =
      "<models><model DisplayAs=\"Custom\" CustomModelCompressed=\"1,0,0;2,0,2;3,1,1;4,1,0,1\"/></models>"
    #expect(try layout(short).places == layout(plain).places)
  }

  @Test func `a node of several cells has their mean, one without a cell stays dark, and both are reported`()
    throws
  {
    let model = try layout(
      "<custommodel CustomModel=\"1,1,4\" PixelSize=\"3\" StringType=\"Single Color Red\"><subModel name=\"Arm\"/></custommodel>"
    )
    #expect(model.places == [.init(0.5, 0), nil, nil, .init(2, 0)])
    #expect(
      ImportNote.lines(model.notes) == [
        "Not carried over:", "- StringType: \"Single Color Red\" is no order of colors; it stays RGB",
        "- PixelSize: how xLights shows the model, and what drives it",
        "- subModel Arm: parts, faces and states of the model",
        "- LED 2, LED 3: the file gives it no place: it stays dark", "Approximated:",
        "- LED 1: several places in the file; it has the mean of them",
      ])
  }

  @Test func `the wire of a matrix follows its start, its strings and its strands`() throws {
    func matrix(_ words: String) throws -> String {
      try wire("<matrixmodel parm1=\"1\" parm2=\"6\" parm3=\"3\" StringType=\"RGB Nodes\" \(words)/>")
    }
    #expect(try matrix("DisplayAs=\"Horiz Matrix\" StartSide=\"T\" Dir=\"R\"") == "10 00 01 11 12 02")
    #expect(try matrix("DisplayAs=\"Horiz Matrix\"") == "02 12 11 01 00 10")
    #expect(try matrix("DisplayAs=\"Vert Matrix\"") == "01 00 10 11 21 20")
    #expect(try matrix("DisplayAs=\"Vert Matrix\" StartSide=\"T\" NoZig=\"true\"") == "00 01 10 11 20 21")
    // Each string starts anew.
    let two = "parm1=\"2\" parm2=\"4\" parm3=\"2\" DisplayAs=\"Vert Matrix\""
    #expect(try wire("<matrixmodel \(two)/>") == "01 00 10 11 21 20 30 31")
    #expect(
      try wire("<linemodel DisplayAs=\"Single Line\" parm1=\"1\" parm2=\"3\" Dir=\"R\"/>") == "20 10 00")
  }

  @Test func `a map of WLED has gaps, and LEDs that are not in it stay dark`() throws {
    #expect(
      try wire("{\"n\":\"Ring\",\"width\":3,\"map\":[-1,0,1,65535,-1,2,5,-1,3]}") == "10 20 21 22 -- 02")
    // Without a width it is one row, the last LED first.
    #expect(try wire("{\"map\":[2,1,0]}") == "20 10 00")
    #expect(
      try layout("{\"width\":2,\"height\":9,\"map\":[1,0]}").notes.map(\.text) == [
        "height: the map has 1 rows, which counts"
      ])
  }

  @Test func `a table has a heading or none, and separates by commas, semicolons, tabs or spaces`() throws {
    let wanted = [LedLayout.Place(0.5, 1), nil, LedLayout.Place(-2, 3, 4)]
    #expect(try layout("x,y,z\n0.5,1,\n,,\n-2,3,4\n").places == wanted)
    #expect(try layout("\u{FEFF}id;Z;X;Y\r\n1;;0,5;1\r\n2;;;\r\n3;4;-2;3\r\n").places == wanted)
    #expect(try layout("# by hand\n0.5\t1\n\t\n-2\t3\t\"4\"\n").places == wanted.filter { $0 != nil })
    #expect(try layout("0.5 1\n-2   3  4").places == wanted.filter { $0 != nil })
    #expect(try layout("x,y,label\n1,2,a\n").notes.map(\.text) == ["label: a column beside x, y and z"])
  }

  @Test func `a fault is reported with file and line`() {
    #expect(
      fault("x,y\n1,2\n1,b\n") == "a:3: y is \"b\"; a number up to ±1,000,000,000 is needed [wrong-value]")
    #expect(fault("x,y\n1\n") == "a:2: y is missing; a number up to ±1,000,000,000 is needed [wrong-value]")
    #expect(
      fault("<?xml version=\"1.0\"?>\n<custommodel CustomModel=\"1,2;3,x\"/>")
        == "a:2: row 2, column 2 of CustomModel is \"x\"; the number of a node from 1 on is needed, or nothing [wrong-value]"
    )
    #expect(
      fault("<custommodel CustomModelCompressed=\"1,0,0;2,0\"/>")
        == "a:1: cell 2 of CustomModelCompressed is \"2,0\"; node,row,column[,layer] are needed [wrong-value]"
    )
    #expect(
      fault("{\"width\":2,\"map\":[0,1,\"a\"]}")
        == "a: row 2, column 1 of the map is \"a\"; the number of a LED from 0 on is needed, or -1 where no LED is [wrong-value]"
    )
    #expect(
      fault("<treemodel DisplayAs=\"Tree 360\"/>")
        == "a:1: is \"Tree 360\"; supported: custom models, Horiz Matrix, Vert Matrix and Single Line; xLights makes a custom model "
        + "of any other by Export as Custom xLights Model [unknown-layout]")
    #expect(
      fault("<custommodel").hasSuffix("[broken-xml]") && fault("{\"map\":[0").hasSuffix("[broken-json]"))
    #expect(fault("{\"map\":[-1]}") == "a: gives no LED a place [no-layout]")
    #expect(fault("visgraph: 1").hasPrefix("a: is no layout of LEDs;"))
  }

  @Test func `ten million LEDs in a few bytes are refused, with the limit`() {
    let wanted = "has 10000000 LEDs, which are too many: a node has at most 262144 [too-many-pixels]"
    for text in [
      "<custommodel CustomModel=\"10000000\"/>", "<custommodel CustomModelCompressed=\"10000000,0,0\"/>",
      "<matrixmodel DisplayAs=\"Vert Matrix\" parm1=\"1000\" parm2=\"10000\" parm3=\"1\"/>",
      "<linemodel DisplayAs=\"Single Line\" parm1=\"1\" parm2=\"10000000\"/>",
    ] { #expect(fault(text, most: 262_144) == "a:1: \(wanted)") }
    #expect(fault("{\"map\":[9999999]}", most: 262_144) == "a: \(wanted)")
    let lines = String(repeating: "1,1\n", count: 262_145)
    #expect(fault(lines, most: 262_144).hasPrefix("a: has more than 262144 LEDs, which are too many"))
    let overflow = "parm1=\"100000000\" parm2=\"100000000\" parm3=\"100000000\""
    #expect(
      fault("<matrixmodel DisplayAs=\"Vert Matrix\" \(overflow)/>", most: 262_144).hasSuffix(
        "[too-many-pixels]"))
  }
}

/// Layouts as graphs.
@Suite struct LayoutImportTests {
  private func imported(_ text: String) throws -> LayoutImport {
    try #require(
      try LayoutImport.read(
        Array(text.utf8), path: "a/Old wall.xmodel", called: "a", stem: "wall", most: 262_144))
  }

  private func layout(_ text: String) throws -> String {
    let line = try imported(text).text.split(separator: "\n").first { $0.contains("leds:") }
    return line.map(String.init) ?? "none"
  }

  @Test func `a whole grid becomes one line, and any other layout a table beside the graph`() throws {
    #expect(
      try layout("{\"width\":3,\"map\":[3,4,5,2,1,0]}")
        == "  leds: { type: pixels, layout: { grid: 3x2, start: bottom-right, order: serpentine } }")
    let line = "<linemodel DisplayAs=\"Single Line\" StringType=\"GRB Nodes\" parm1=\"1\" parm2=\"20000\"/>"
    #expect(try layout(line) == "  leds: { type: pixels, layout: { file: wall.csv }, colors: GRB }")
    let star = try imported("<custommodel name=\"Star\" CustomModel=\",1;2,;4,\"/>")
    #expect(star.table?.text == "x,y\n1,0\n0,1\n,\n0,2\n")
    #expect(
      star.text.hasPrefix(
        "# Imported from Old wall.xmodel, a model of xLights: 4 LEDs.\n# Not carried over:\n# - LED 3: the file gives it no place"
      ))
    #expect(star.text.contains("\nname: Star\n"))
    #expect(try imported("{\"n\":\"R${a}\",\"map\":[0,2]}").text.contains("\nname: \"R$ {a}\"\n"))
    let again = try LedLayout.read(Array((star.table?.text ?? "").utf8), called: "b", most: 9)
    #expect(again.places == star.layout.places)
    #expect(try imported("x,y,z\n0,0,1\n1,1,2\n").table?.text == "x,y,z\n0,0,1\n1,1,2\n")
  }

  @Test func `a table of an import is a heading and numbers, and any other table is of another origin`() {
    for text in ["", "x,y\n1,0\n,\n1e+08,-0.25\n", "x,y,z\n0,0,1\n"] {
      #expect(LayoutImport.mayHaveWritten(Array(text.utf8)))
    }
    for text in ["x,y", "1,0\n", "x,y\n1,0 # left\n", "name,x,y\na,1,0\n", "x,y\r\n1,0\r\n"] {
      #expect(!LayoutImport.mayHaveWritten(Array(text.utf8)), "\(text)")
    }
  }

  @Test func `a file that is no layout is left to other importers`() throws {
    for text in [
      "<particleEmitterConfig/>", "<FixtureDefinition/>", "{\"texture\":\"a\"}", "- Delay -\n",
      "visgraph: 1\n", "",
    ] {
      let read = try LayoutImport.read(Array(text.utf8), path: "a", called: "a", stem: "a", most: 9)
      #expect(read == nil, "\(text)")
    }
  }
}
