import Engine
import Graphs
import Particles
import TestSupport
import Testing

@testable import Nodes
@testable import Rendering

/// Particles and levels on LEDs.
@Suite struct PixelsTests {
  /// A graph of particles and LEDs on a small stage.
  private func rig(
    _ pixels: String, nodes: String = "", wires: String = "sparks.picture -> leds, leds -> out"
  ) throws
    -> GraphRig
  {
    let rig = try GraphRig(
      """
      stage: { size: 320x180, background: "#102030" }
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        sparks:
          type: emitter
          renderMode: additive
          cells: { spark: { birthRate: 60, lifetime: 1, velocity: 60, emissionRange: 360 deg, color: orange } }
        leds: { type: pixels, \(pixels) }
        out: { type: ddp-output, to: 127.0.0.1 }
      \(nodes)
      wires: [tone -> meter -> level -> sparks, \(wires)]
      """)
    rig.showsPictures = true
    return rig
  }

  private func scene(_ rig: GraphRig) throws -> PixelsScene {
    try #require(rig.plan.scene.compactMap { $0 as? PixelsScene }.first)
  }

  private func bytes(_ rig: GraphRig) throws -> [UInt8] { Array(try scene(rig).bytes) }

  /// The colors of a grid of LEDs, as plain sums over the picture, which has 2 × 2 pixels for each LED.
  private func reference(_ rig: GraphRig, columns: Int, rows: Int, background: Color) -> [UInt8] {
    let canvas = Canvas(
      width: 2 * columns, height: 2 * rows, stage: Size(width: 320, height: 180), textures: Textures(),
      threads: 1)
    canvas.begin(background: background)
    rig.plan.withSystemsInOrder { _, system in
      var sprites: [Sprite] = []
      system.appendSprites(to: &sprites)
      canvas.draw(sprites, materials: system.materials, mode: system.layer.renderMode)
    }
    return canvas.end { pixels in
      (0..<rows * columns).flatMap { led -> [UInt8] in
        let (column, row) = (2 * (led % columns), 2 * (led / columns))
        let first = 4 * (row * 2 * columns + column)
        let below = first + 4 * 2 * columns
        return (0..<3).map { part -> UInt8 in
          var sum = 0
          for place in [first, first + 4, below, below + 4] { sum += Int(pixels[place + part]) }
          return UInt8((sum + 2) / 4)
        }
      }
    }
  }

  @Test func `an LED has the mean color of the emitters at its place, on black, or of the whole stage`()
    throws
  {
    for isWhole in [false, true] {
      let rig = try rig(
        "layout: { grid: 32x18 }", wires: isWhole ? "leds -> out" : "sparks.picture -> leds, leds -> out")
      _ = try rig.play(48_000, outputs: [])
      let background =
        isWhole ? Color(red: 16 / 255, green: 32 / 255, blue: 48 / 255) : Color(red: 0, green: 0, blue: 0)
      let wanted = reference(rig, columns: 32, rows: 18, background: background)
      let made = try bytes(rig)
      #expect(made.count == wanted.count && made.max()! > 100)
      #expect(zip(made, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(isWhole)")
    }
  }

  @Test(arguments: [false, true])
  func `a picture saved anew is shown with the next reload`(isBackdrop: Bool) throws {
    let folder = try TemporaryFolder()
    func save(_ color: [UInt8]) throws {
      let pixels = (0..<16).flatMap { _ in color }
      try Picture(width: 4, height: 4, pixels: pixels).write(path: folder.file("dot.png"), replacing: true)
    }
    let text = """
      stage: { size: 320x180\(isBackdrop ? ", background: dot.png" : "") }
      nodes:
        tone: { type: tone-source, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        dots:
          type: emitter
          cells: { dot: { contents: \(isBackdrop ? "none" : "dot.png"), birthRate: 60, lifetime: 1, scale: 20 } }
        leds: { type: pixels, layout: { grid: 4x4 } }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [tone -> meter -> level -> dots, \(isBackdrop ? "" : "dots.picture -> leds, ")leds -> out]
      """
    try save([255, 0, 0, 255])
    let rig = try GraphRig(text, folder: folder.path)
    rig.showsPictures = true
    func light() throws -> (red: Int, blue: Int) {
      let leds = try bytes(rig)
      func sum(_ part: Int) -> Int {
        stride(from: part, to: leds.count, by: 3).reduce(0) { $0 + Int(leds[$1]) }
      }
      return (sum(0), sum(2))
    }
    _ = try rig.play(9600, outputs: [])
    let before = try light()
    #expect(before.red > 300 && before.red > 4 * before.blue)
    try save([0, 0, 255, 255])
    try rig.load(text)
    _ = try rig.play(9600, outputs: [])
    let after = try light()
    #expect(after.blue > 300 && after.blue > 4 * after.red)
  }

  @Test func `the same bytes are sent at any cycle length`() throws {
    let made = try [64, 256, 1000].map { cycle in
      let rig = try rig("layout: { grid: 32x18, order: serpentine }, colors: GRBW, gamma: 2.2, dither: true")
      _ = try rig.play(40_000, cycle: cycle, outputs: [])
      return try bytes(rig)
    }
    #expect(made[0] == made[1] && made[1] == made[2] && made[0].contains { $0 > 50 })
  }

  @Test func `levels are bars, side by side in a grid and one after another along a strip`() throws {
    let sources = "  both: { type: constant, channels: 2, value: 0.625, each: { 2: { value: 0.25 } } }"
    let grid = try rig(
      "layout: { grid: 4x4 }, color: '#ff0000'", nodes: sources, wires: "both -> leds.level, leds -> out")
    _ = try grid.play(9600, outputs: [])
    let red = try bytes(grid).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    #expect(
      red == [
        0, 0, 0, 0, 128, 128, 0, 0, 255, 255, 0, 0, 255, 255, 255, 255,
      ])
    let strip = try rig(
      "layout: { strip: 8 }, color: '#0000ff'", nodes: sources, wires: "both -> leds.level, leds -> out")
    _ = try strip.play(9600, outputs: [])
    let blue = try bytes(strip).enumerated().filter { $0.offset % 3 == 2 }.map(\.element)
    #expect(blue == [255, 255, 128, 0, 255, 0, 0, 0])
  }

  @Test func `bars take the colors of their input, for all or for each`() throws {
    let sources = """
        both: { type: constant, channels: 2, value: 1 }
        each: { type: constant, channels: 6, value: 0, each: { 1: { value: 1 }, 5: { value: 1 } } }
      """
    let rig = try rig(
      "layout: { strip: 2 }", nodes: sources, wires: "both -> leds.level, each -> leds.color, leds -> out")
    _ = try rig.play(9600, outputs: [])
    #expect(try bytes(rig) == [255, 0, 0, 0, 255, 0])
  }

  @Test(arguments: [
    ("layout: { grid: 2x2, strip: 4 }", "no-layout"), ("colors: RGB", "no-layout"),
    ("layout: { grid: 4000x4000 }", "too-many-pixels"), ("layout: { strip: 9 }, colors: RGGW", "led-colors"),
    ("layout: { strip: 9 }, colors: RGBC", "led-colors"),
    ("layout: { strip: 9 }, limit: 5 V", "unknown-unit"),
    ("layout: { strip: 10000000 }", "out-of-range"),
  ])
  func `an invalid setting is reported with the allowed values`(_ settings: String, _ code: String) throws {
    let text = """
      visgraph: 1
      nodes:
        leds: { type: pixels, \(settings) }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [leds -> out]
      """
    let checked = Checker(Catalog(types: everyNode)).check(SourceText(path: "g.yaml", text: text))
    #expect(checked.faults.map(\.code).contains(code), "\(DiagnosticText.text(checked))")
  }
}
