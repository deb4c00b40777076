import Graphs
import Rendering
import Testing

@testable import Nodes

/// The places of the LEDs of layouts.
@Suite struct PixelPlacesTests {
  private func places(_ settings: String) throws -> PixelPlaces {
    let graph = try GraphRig.graph(
      """
      stage: { size: 60x40 }
      nodes:
        leds: { type: pixels, \(settings) }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [leds -> out]
      """)
    let node = try #require(graph.nodes.first { $0.id == "leds" })
    return PixelPlaces(try #require(node.settings(of: Pixels.self)).all, on: graph.stage)
  }

  /// The centers of the places, rounded.
  private func middles(_ settings: String) throws -> [[Int]] {
    try places(settings).places.map { place in
      let place = try #require(place)
      return [Int(place.x.rounded()), Int(place.y.rounded())]
    }
  }

  @Test func `the wire of a grid follows its start and its order`() throws {
    // Three columns at 10, 30, 50 and two rows at 10, 30.
    func order(_ words: String) throws -> String {
      let middles = try middles("layout: { grid: 3x2, \(words) }")
      return middles.map { middle in "\((middle[0] - 10) / 20)\((middle[1] - 10) / 20)" }.joined(
        separator: " ")
    }
    #expect(try order("order: rows") == "00 10 20 01 11 21")
    #expect(try order("order: serpentine") == "00 10 20 21 11 01")
    #expect(try order("order: columns") == "00 01 10 11 20 21")
    #expect(try order("order: serpentine-columns") == "00 01 11 10 20 21")
    #expect(try order("start: bottom-left, order: serpentine") == "01 11 21 20 10 00")
    #expect(try order("start: top-right") == "20 10 00 21 11 01")
    #expect(try order("start: bottom-right, order: serpentine-columns") == "21 20 10 11 01 00")
  }

  @Test func `a grid fills its part of the stage, a strip its line, and a ring begins at the top`() throws {
    let grid = try places("layout: { grid: 2x1 }, rect: [50 %, 25 %, 100 %, 75 %]").places
    let wanted = [37.5, 52.5].map { LedPlace(x: $0, y: 20, width: 15, height: 20) }
    #expect(grid == wanted)
    #expect(try middles("layout: { strip: 3 }") == [[10, 20], [30, 20], [50, 20]])
    let line = "along: [[0, 0], [30, 0], [30, 30]]"
    #expect(try middles("layout: { strip: 3 }, \(line)") == [[10, 0], [30, 0], [30, 20]])
    #expect(
      try middles("layout: { ring: 4 }, rect: [10, 10, 50, 30]") == [
        [30, 10], [50, 20], [30, 30], [10, 20],
      ])
    let own = "layout: { places: [[10 %, 10 %], { x: 30 pt, y: 50 % }] }"
    #expect(try middles(own) == [[6, 4], [30, 20]])
  }
}
