import Testing

@testable import Particles

@Suite struct DrawingOrderTests {
  private func system(_ mode: RenderMode, _ change: (inout Cell) -> Void = { _ in }) -> ParticleSystem {
    var layer = layer { layer, cell in
      layer.renderMode = mode
      (cell.birthRate, cell.lifetimeRange, cell.velocity, cell.velocityRange) = (1000, 0.9, 10, 100)
      change(&cell)
    }
    var other = layer.cells[0]
    other.name = "dust"
    layer.cells.append(other)
    let system = ParticleSystem(layer)
    system.run(100)
    return system
  }

  @Test func `by age the oldest particle is drawn first, or last`() {
    // Births of one frame are in order of time within their cell, and cell by cell.
    let first = system(.oldestFirst).sprites
    let frames = first.map { Int(($0.age * 60).rounded(.down)) }
    #expect(first.count > 1000 && zip(frames, frames.dropFirst()).allSatisfy { $0 >= $1 - 1 })
    for material in [Int32(0), 1] {
      let ages = first.filter { $0.material == material }.map(\.age)
      #expect(zip(ages, ages.dropFirst()).allSatisfy { $0 > $1 - 1e-6 })
    }
    #expect(system(.oldestLast).sprites == first.reversed())
  }

  @Test func `by depth the farthest particle is drawn first, and the older of equally far ones`() {
    let deep = system(.backToFront) { $0.emissionLatitude = 1 }.sprites
    #expect(zip(deep, deep.dropFirst()).allSatisfy { $0.z <= $1.z } && deep[0].z < 0 && deep.last!.z > 0)
    #expect(system(.backToFront).sprites == system(.oldestFirst).sprites)
  }

  @Test func `in any order each particle is drawn once`() {
    let sorted = system(.oldestFirst).sprites
    for mode in [RenderMode.unordered, .additive] {
      let sprites = system(mode).sprites
      #expect(sprites.count == sorted.count && Set(sprites) == Set(sorted))
    }
  }

  @Test func `sprites are appended to existing ones`() {
    for mode in RenderMode.allCases {
      let system = system(mode)
      var sprites = [Sprite(x: -5)]
      system.appendSprites(to: &sprites)
      system.appendSprites(to: &sprites)
      let count = (sprites.count - 1) / 2
      #expect(sprites[0] == Sprite(x: -5) && Array(sprites[1...count]) == Array(sprites[(count + 1)...]))
    }
  }

  @Test func `transparent particles are left out`() {
    #expect(system(.additive) { $0.color.alpha = 0 }.sprites.isEmpty)
    #expect(system(.oldestLast) { $0.scale = 0 }.sprites.isEmpty)
  }
}
