import Foundation
import Graphs
import Rendering
import TestSupport
import Testing

@testable import Nodes

/// Layout files that graphs name.
@Suite struct LayoutFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func check(_ settings: String) -> CheckResult {
    let text = """
      visgraph: 1
      stage: { size: 60x40 }
      nodes:
        leds: { type: pixels, \(settings) }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [leds -> out]

      """
    return Checker(Catalog(types: everyNode)).check(SourceText(path: folder.file("g.yaml"), text: text))
  }

  private func places(_ settings: String) throws -> [LedPlace?] {
    let graph = try #require(check(settings).graph)
    let node = try #require(graph.nodes.first { $0.id == "leds" })
    return PixelPlaces(try #require(node.settings(of: Pixels.self)).all, on: graph.stage).places
  }

  @Test func `a map is centered in its part of the stage like a grid, and its gaps are dark`() throws {
    _ = try folder.write("{\"width\":3,\"map\":[0,1,2,5,4,3]}", to: "ledmap.json")
    let wired = try places("layout: { file: ledmap.json }")
    #expect(wired == (try places("layout: { grid: 3x2, order: serpentine }")))
    _ = try folder.write("{\"width\":2,\"map\":[0,1,2,3]}", to: "square.json")
    // 60 by 40: a square keeps its proportions, unless `stretch` is set.
    let square = [(20.0, 10.0), (40, 10), (20, 30), (40, 30)].map {
      LedPlace(x: $0.0, y: $0.1, width: 20, height: 20)
    }
    #expect(try places("layout: { file: square.json }") == square)
    #expect(
      try places("layout: { file: square.json, stretch: true }") == places("layout: { grid: 2x2 }"))
    _ = try folder.write("{\"width\":2,\"map\":[0,-1,3,1]}", to: "gap.json")
    #expect(try places("layout: { file: gap.json }").map { $0 == nil } == [false, false, true, false])
  }

  @Test(arguments: ["0,0\n0,1e-310", "0,0\n0,5e-324", "1e300,0\n-1e300,0", "7,7\n7,7"])
  func `LEDs that are extremely near together or far apart have finite places`(_ table: String) throws {
    _ = try folder.write("x,y\n\(table)\n", to: "far.csv")
    guard check("layout: { file: far.csv }").graph != nil else { return }
    for place in try places("layout: { file: far.csv }") {
      let place = try #require(place)
      let numbers = [place.x, place.y, place.width, place.height]
      let areNumbers = numbers.allSatisfy { $0.isFinite }
      #expect(areNumbers, "\(numbers)")
    }
  }

  @Test func `axes select two of a table's three coordinates`() throws {
    _ = try folder.write("x,y,z\n0,5,0\n1,6,2\n", to: "tree.csv")
    func middles(_ words: String) throws -> [[Int]] {
      try places("layout: { file: tree.csv, stretch: true\(words) }").map { place in
        let place = try #require(place)
        return [Int(place.x.rounded()), Int(place.y.rounded())]
      }
    }
    let (plain, front) = (try middles(""), try middles(", axes: x -z"))
    #expect(plain[0][0] < plain[1][0] && plain[0][1] < plain[1][1])
    #expect(front[0][0] < front[1][0] && front[0][1] > front[1][1])
    let turned = try middles(", axes: -x y")
    #expect(turned[0][0] > turned[1][0])
  }

  @Test func `a faulty file is reported with its line, and read again when it changes`() throws {
    func fault(_ settings: String) -> String {
      check(settings).faults.map { "\($0.mark?.line ?? 0): \($0.message) [\($0.code)]" }.joined(
        separator: "\n")
    }
    #expect(
      fault("layout: { file: none.csv }")
        == "4: leds.layout.file: there is no file \"none.csv\" [file-not-found]")
    _ = try folder.write("x,y\n1,2\n3,\n", to: "bad.csv")
    #expect(
      fault("layout: { file: bad.csv }")
        == "4: leds.layout.file: bad.csv:3: y is missing; a number up to ±1,000,000,000 is needed [wrong-value]"
    )
    _ = try folder.write("{\"map\":[9999999]}", to: "huge.json")
    #expect(
      fault("layout: { file: huge.json }")
        == "4: leds.layout.file: huge.json: has 10000000 LEDs, which are too many: a node has at most 262144 [too-many-pixels]"
    )
    #expect(check("layout: { file: bad.csv }").files == [folder.file("bad.csv")])
    func key() throws -> String {
      let graph = try #require(check("layout: { file: bad.csv }").graph)
      return try #require(graph.nodes.first { $0.id == "leds" }).settingsKey(.rebuild)
    }
    _ = try folder.write("x,y\n1,2\n3,4\n", to: "bad.csv")
    let first = try key()
    #expect(try key() == first)
    _ = try folder.write("x,y\n1,2\n3,5\n", to: "bad.csv")
    #expect(try key() != first)
  }

  @Test func `a changed layout starts the node anew`() throws {
    func key(_ layout: String) throws -> String {
      let graph = try #require(check("layout: { \(layout) }").graph)
      return try #require(graph.nodes.first { $0.id == "leds" }).settingsKey(.rebuild)
    }
    let keys = try ["", ", start: top-right", ", order: columns"].map { try key("grid: 3x2\($0)") }
    #expect(Set(keys).count == 3)
  }
}
