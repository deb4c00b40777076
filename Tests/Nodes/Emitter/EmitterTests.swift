import Particles
import Testing

@testable import Engine
@testable import Graphs
@testable import Nodes

private let cells = """
  cells:
    spark:
      birthRate: 80
      cells: { glow: { birthRate: 60 } }

  """

private func settings(_ checked: CheckResult) throws -> PerChannel<Emitter.Settings> {
  let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
  let node = try #require(graph.nodes.first { $0.id == "sparks" })
  return try #require(node.settings(of: Emitter.self))
}

@Suite struct EmitterTests {
  @Test func `the declarations of all fields are consistent`() {
    #expect(Catalog(types: [Emitter.self]).mistakes == [])
    #expect(everyNode.contains { $0.name == "emitter" })
  }

  @Test func `without settings an emitter has Apple's defaults`() throws {
    let all = try settings(checkEmitter("drive: []")).all
    #expect(all.model == Layer())
  }

  @Test func `every property of a layer can be set, by its short and its full name`() throws {
    var layer = Layer()
    layer.shape = .cuboid
    layer.mode = .outline
    layer.renderMode = .additive
    layer.position = Point(x: 100, y: 250)
    layer.size = Size(width: 20, height: 30)
    layer.zPosition = -4
    layer.depth = 5
    layer.birthRate = 2
    layer.lifetime = 3
    layer.velocity = -1
    layer.scale = 0.5
    layer.spin = 6
    layer.seed = 42
    layer.preservesDepth = true
    layer.timing.beginTime = 1.5
    layer.timing.duration = 8
    layer.timing.speed = -0.5
    layer.prewarm = 3
    layer.limit = 1_000_000
    layer.ranges = .whole
    layer.latitudes = .fromZ
    layer.directions = .alongX
    layer.lifetimes = .range
    let numbers =
      "birthRate: 2\nlifetime: 3\nvelocity: -1\nscale: 0.5\nspin: 6\nseed: 42\npreservesDepth: true\n"
      + "beginTime: 1500 ms\nduration: 8 s\nspeed: -0.5\nprewarm: 3 s\nlimit: 1000000\nranges: whole\n"
      + "latitudes: from-z\ndirections: along-x\nlifetimes: range\n"
    let short = try settings(
      checkEmitter(
        numbers + "shape: cuboid\nmode: outline\nrenderMode: additive\nposition: { x: 10 %, y: 50 % }\n"
          + "size: [20, 30 pt]\nzPosition: -4\ndepth: 5"))
    #expect(short.all.model == layer)
    let full = try settings(
      checkEmitter(
        numbers + "emitterShape: cuboid\nemitterMode: outline\nrenderMode: additive\n"
          + "emitterPosition: [100, 250]\nemitterSize: { width: 20, height: 30 }\nemitterZPosition: -4\n"
          + "emitterDepth: 5"))
    #expect(full.all.model == layer)
  }

  @Test func `every property of a cell can be set`() throws {
    var cell = Cell(name: "spark")
    var text = "cells:\n  spark:\n"
    for (index, number) in Cell.numbers.enumerated() where !number.name.contains(".") {
      let value = Double(index + 1) / 64
      cell[keyPath: number.path] = value
      text += "    \(number.name): \(value)\n"
    }
    cell.enabled = false
    cell.color = Color(red: 1, green: 0, blue: 0, alpha: 0)
    cell.contents = .file("textures/spark.png")
    cell.contentsRect = UnitRect(x: 0.5, y: 0, width: 0.25, height: 1)
    cell.minificationFilter = .trilinear
    cell.magnificationFilter = .nearest
    cell.timing.autoreverses = true
    cell.timing.fillMode = .both
    cell.cells = [Cell(name: "glow")]
    cell.cells[0].contents = .none
    text += """
          enabled: no
          color: "#FF000000"
          contents: textures/spark.png
          contentsRect: { x: 50 %, width: 0.25 }
          minificationFilter: trilinear
          magnificationFilter: nearest
          autoreverses: true
          fillMode: both
          emitterCells: { glow: { contents: none, duration: none } }
      """
    #expect(try settings(checkEmitter(text)).all.model.cells == [cell])
  }

  @Test func `single channels may have their own values`() throws {
    let read = try settings(checkEmitter("scale: 2\neach: { Right: { scale: 3, emitterPosition: [1, 2] } }"))
    #expect(read[0].layer.scale == 2 && read[1].layer.scale == 3)
    #expect(read[1].model.position == Point(x: 1, y: 2))
    #expect(
      emitterDiagnostics("each: { 2: { cells: {} } }").contains("cells has one value for all channels")
    )
  }

  @Test func `contents are a word or a file`() throws {
    let text =
      "cells: { a: {}, b: { contents: none }, c: { contents: soft }, d: { contents: ./none }, e: { contents: x.png } }"
    let read = try settings(checkEmitter(text)).all
    #expect(read.model.cells.map(\.contents) == [.soft, .none, .soft, .file("./none"), .file("x.png")])
    #expect(
      read.cells.written(as: Named<CellSettings>.kind)
        == "{ a: {}, b: { contents: none }, c: {}, d: { contents: \"./none\" }, e: { contents: x.png } }")
  }

  @Test
  func `an emitter without a position is placed by the stage's arrangement, and a set position wins`()
    throws
  {
    let read = try settings(
      checkEmitter(
        "each: { 2: { position: { y: 7 } }, 3: { position: [1, 2] } }",
        """
        wires: ["faders[1,1,1] -> sparks"]
        """))
    var stage = Stage()
    (stage.width, stage.height, stage.margin) = (1000, 500, 0.1)
    let places = (0..<3).map { read[$0].model(channel: $0, of: 4, on: stage).position }
    #expect(places == [Point(x: 200, y: 250), Point(x: 400, y: 7), Point(x: 1, y: 2)])
  }

  @Test func `channels take the colors of the palette in turn`() throws {
    let read = try settings(checkEmitter("palette: [red, \"#00FF0080\"]\neach: { 2: { palette: [blue] } }"))
    let tints = (0..<4).map { read[$0].model(channel: $0, of: 4, on: Stage()).tint }
    #expect(
      tints == [
        Color(red: 1, green: 0, blue: 0, alpha: 1), Color(red: 0, green: 0, blue: 1, alpha: 1),
        Color(red: 1, green: 0, blue: 0, alpha: 1), Color(red: 0, green: 1, blue: 0, alpha: 128.0 / 255),
      ])
    #expect(try settings(checkEmitter("drive: []"))[1].model(channel: 1, of: 2, on: Stage()).tint == Color())
  }

  @Test func `driven numbers are named by channel and path, drive by drive`() throws {
    let checked = checkEmitter(
      cells + """
        drive:
          - { key: emitterCells.spark.emitterCells.glow.scale }
          - { key: emitterPosition.x, by: move }
        """, "wires: [faders -> sparks, 'faders[2] -> sparks.move']")
    let node = try #require(checked.graph?.nodes.last)
    #expect(node.inputs.map(\.name) == ["level", "move"])
    #expect(node.outputs.map(\.name) == ["driven", "live", "births", "picture"])
    #expect(node.outputs[0].type == .number)
    #expect(
      node.outputs[0].channels == [
        Channel(1, name: "1.cells.spark.cells.glow.scale"),
        Channel(2, name: "2.cells.spark.cells.glow.scale"),
        Channel(3, name: "1.position.x"), Channel(4, name: "2.position.x"),
      ])
  }

  @Test func `an emitter without drives has no driven numbers`() throws {
    let checked = checkEmitter(cells)
    #expect(checked.graph?.nodes.last?.outputs[0].channels == [])
  }

  @Test func `a driven number has the channel of the input that drives it`() throws {
    let checked = checkEmitter(
      "drive: [{ key: scale }, { key: spin, by: move }, { key: velocity }]",
      "wires: [faders -> sparks, 'faders[2] -> sparks.move']")
    let node = try #require(checked.graph?.nodes.last)
    #expect((0..<6).map { node.sourceChannels(output: 0, channel: $0) } == [[0], [1], [], [], [0], [1]])
  }

  @Test func `the example of the reference is a graph without a fault`() throws {
    let example = try #require(Emitter.example)
    let text =
      "visgraph: 1\nnodes:\n  faders: { type: faders }\n"
      + example.split(separator: "\n").map { "  \($0)\n" }.joined()
      + "wires: [faders -> sparks, 'faders[2] -> sparks.move']\n"
    let checked = Checker(emitterCatalog).check(SourceText(path: "graph.yaml", text: text))
    #expect(DiagnosticText.text(checked) == "")
  }
}
