import Testing

@testable import Particles

@Suite struct DefaultsTests {
  @Test func `a layer has Apple's defaults`() {
    let layer = Layer()
    let values = Layer.numbers.map { layer[keyPath: $0.path] }
    #expect(
      Array(zip(Layer.numbers.map(\.name), values)).map { "\($0) \($1)" } == [
        "birthRate 1.0", "lifetime 1.0", "position.x 0.0", "position.y 0.0", "zPosition 0.0",
        "size.width 0.0",
        "size.height 0.0", "depth 0.0", "velocity 1.0", "scale 1.0", "spin 1.0", "seed 0.0",
        "beginTime 0.0", "duration inf", "speed 1.0",
      ])
    #expect(layer.cells.isEmpty)
    #expect(layer.shape == .point && layer.mode == .volume && layer.renderMode == .unordered)
    #expect(!layer.preservesDepth)
  }

  @Test func `a cell has Apple's defaults`() {
    let cell = Cell()
    let values = Dictionary(uniqueKeysWithValues: Cell.numbers.map { ($0.name, cell[keyPath: $0.path]) })
    let notZero = values.filter { $0.value != 0 }
    #expect(
      notZero == [
        "scale": 1, "color.red": 1, "color.green": 1, "color.blue": 1, "color.alpha": 1,
        "contentsRect.width": 1, "contentsRect.height": 1, "contentsScale": 1, "duration": .infinity,
        "speed": 1,
      ])
    #expect(
      Cell.numbers.map(\.name) == [
        "birthRate", "lifetime", "lifetimeRange", "emissionLatitude", "emissionLongitude", "emissionRange",
        "velocity", "velocityRange", "xAcceleration", "yAcceleration", "zAcceleration", "scale", "scaleRange",
        "scaleSpeed", "spin", "spinRange", "color.red", "color.green", "color.blue", "color.alpha",
        "redRange",
        "greenRange", "blueRange", "alphaRange", "redSpeed", "greenSpeed", "blueSpeed", "alphaSpeed",
        "contentsRect.x", "contentsRect.y", "contentsRect.width", "contentsRect.height", "contentsScale",
        "minificationFilterBias", "beginTime", "duration", "speed", "timeOffset", "repeatCount",
      ])
    #expect(cell.enabled && cell.contents == .soft && cell.cells.isEmpty && cell.name == "")
    #expect(cell.minificationFilter == .linear && cell.magnificationFilter == .linear)
    #expect(!cell.timing.autoreverses && cell.timing.fillMode == .removed)
  }

  @Test func `names of choices are Apple's`() {
    #expect(
      EmitterShape.allCases.map(\.rawValue) == ["point", "line", "rectangle", "cuboid", "circle", "sphere"])
    #expect(EmitterMode.allCases.map(\.rawValue) == ["points", "outline", "surface", "volume"])
    #expect(
      RenderMode.allCases.map(\.rawValue)
        == ["unordered", "oldestFirst", "oldestLast", "backToFront", "additive"])
    #expect(ContentsFilter.allCases.map(\.rawValue) == ["linear", "nearest", "trilinear"])
    #expect(FillMode.allCases.map(\.rawValue) == ["removed", "forwards", "backwards", "both"])
  }

  @Test func `every default lies within its allowed range, except infinite times`() {
    let layer = Layer()
    for number in Layer.numbers where number.name != "duration" {
      #expect(number.range.contains(layer[keyPath: number.path]), "\(number.name)")
    }
    let cell = Cell()
    for number in Cell.numbers where number.name != "duration" {
      #expect(number.range.contains(cell[keyPath: number.path]), "\(number.name)")
    }
  }
}
