import System
import Testing

@testable import Particles

/// A layer in which no property has its default, with one cell inside another.
func unusualLayer() -> Layer {
  var layer = Layer()
  layer.cells = [Cell(name: "spark")]
  layer.cells[0].cells = [Cell(name: "glow ✨")]
  for (index, number) in layer.allNumbers.enumerated() { layer[number] = 2.5 + Double(index) / 3 }
  for change in [\Layer.cells[0], \Layer.cells[0].cells[0]] {
    layer[keyPath: change].enabled = false
    layer[keyPath: change].contents = .file("textures/ring.png")
    layer[keyPath: change].minificationFilter = .nearest
    layer[keyPath: change].magnificationFilter = .trilinear
    layer[keyPath: change].timing.autoreverses = true
    layer[keyPath: change].timing.fillMode = .both
  }
  (layer.shape, layer.mode, layer.renderMode) = (.sphere, .outline, .backToFront)
  (layer.ranges, layer.latitudes, layer.directions, layer.lifetimes) = (.whole, .fromZ, .alongX, .range)
  layer.growth = .perLife
  layer.tint = Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
  (layer.timing.timeOffset, layer.timing.repeatCount) = (3, 4)
  (layer.timing.autoreverses, layer.timing.fillMode) = (true, .forwards)
  (layer.preservesDepth, layer.prewarm, layer.limit) = (true, 2, 77)
  return layer
}

@Suite struct LayerCodingTests {
  static func bytes(_ layer: Layer) -> [UInt8] {
    var (layer, writer) = (layer, ByteWriter())
    layer.code(&writer)
    return writer.bytes
  }

  /// Nil if the bytes are refused.
  static func layer(_ bytes: [UInt8]) -> Layer? {
    bytes.withUnsafeBytes {
      var (layer, reader) = (Layer(), ByteReader($0))
      layer.code(&reader)
      return reader.failed || reader.remaining > 0 ? nil : layer
    }
  }

  /// The leaves of a value, each with the names that lead to it.
  private static func leaves(_ value: Any, _ name: String = "") -> [String: String] {
    let children = Mirror(reflecting: value).children
    guard !children.isEmpty, !(value is [Cell]) else { return [name: "\(value)"] }
    return children.reduce(into: [:]) { found, child in
      found.merge(leaves(child.value, "\(name).\(child.label ?? "")")) { first, _ in first }
    }
  }

  @Test func `every property of a layer and of its cells is decoded`() throws {
    let layer = unusualLayer()
    // A new property has to be set above, and then coded.
    for (unusual, plain) in [
      (Self.leaves(layer), Self.leaves(Layer())), (Self.leaves(layer.cells[0]), Self.leaves(Cell())),
    ] {
      for (name, value) in plain where name != ".contents" {
        #expect(unusual[name] != value, "\(name) is as it is by default")
      }
    }
    #expect(try #require(Self.layer(Self.bytes(layer))) == layer)
    #expect(Self.layer(Self.bytes(Layer())) == Layer())
  }

  @Test func `every value of every choice is decoded`() {
    var layer = unusualLayer()
    for shape in EmitterShape.allCases { check { $0.shape = shape } }
    for mode in EmitterMode.allCases { check { $0.mode = mode } }
    for mode in RenderMode.allCases { check { $0.renderMode = mode } }
    for fill in FillMode.allCases { check { $0.timing.fillMode = fill } }
    for filter in ContentsFilter.allCases { check { $0.cells[0].magnificationFilter = filter } }
    for contents in [Contents.soft, .none, .file(""), .file("ü.png")] {
      check { $0.cells[0].contents = contents }
    }
    func check(_ change: (inout Layer) -> Void) {
      change(&layer)
      #expect(Self.layer(Self.bytes(layer)) == layer)
    }
  }

  @Test func `a number of a path has a place in the bytes`() {
    let layer = unusualLayer()
    for number in layer.allNumbers where number.path != "seed" {
      var changed = layer
      changed[number] += 1
      let (before, after) = (Self.bytes(layer), Self.bytes(changed))
      let places = before.indices.filter { before[$0] != after[$0] }
      var writer = ByteWriter()
      changed.code(&writer)
      let place = writer.places.filter { $0 <= places[0] }.last
      #expect(before.count == after.count && place.map { places.last! < $0 + 8 } == true, "\(number.path)")
    }
  }

  @Test func `truncated bytes, or one byte too many, are refused`() {
    let whole = Self.bytes(unusualLayer())
    for count in whole.indices { #expect(Self.layer(Array(whole[..<count])) == nil, "\(count) bytes") }
    #expect(Self.layer(whole + [0]) == nil)
  }

  @Test func `with any bytes, a layer is no larger than they are`() {
    var dice = RandomStream(seed: 3)
    let whole = Self.bytes(unusualLayer())
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0...dice.next() % 4 {
        bytes[Int(dice.next() % UInt64(bytes.count))] =
          dice.next() % 2 == 0 ? 0xff : UInt8(truncatingIfNeeded: dice.next())
      }
      guard let layer = Self.layer(bytes) else { continue }
      #expect(layer.cells.count <= bytes.count / 256)
    }
    // Nested cells without end, each the only one of its parent.
    var deep = Layer()
    for _ in 0..<40 {
      var cell = Cell()
      cell.cells = deep.cells
      deep.cells = [cell]
    }
    var (cells, depth) = (Self.layer(Self.bytes(deep))?.cells ?? [], 0)
    while let first = cells.first { (cells, depth) = (first.cells, depth + 1) }
    #expect(depth == Layer.deepest)
  }
}
