import CParticles
import Testing

@testable import Particles

/// Properties that change by the second, and by lifetime.
@Suite struct GrowthTests {
  private func system(_ growth: GrowthPace, _ change: (inout Cell) -> Void = { _ in }) -> ParticleSystem {
    crowd(2000) {
      $0.growth = growth
      ($1.lifetime, $1.lifetimeRange) = (2, 1)
      ($1.scale, $1.scaleSpeed, $1.spin) = (1, 0.5, 2)
      ($1.color.red, $1.redSpeed) = (1, -1)
      change(&$1)
    }
  }

  @Test func `by lifetime each particle changes by the same amount, however long it lives`() {
    let system = system(.perLife)
    for _ in 0..<30 { system.step(1.0 / 30) }
    let all = system.pools[0].all
    let now = Float(system.pools[0].clock)
    #expect(system.sprites.count > 1000)
    for (index, sprite) in system.sprites.enumerated() {
      let own = all.attributes[index]
      let end = all.columns[Int(VG_END) * all.stride + index]
      let part = 1 - (end - now) / own.life
      #expect(abs(sprite.red - (1 - part)) < 1e-5)
      #expect(abs(sprite.scale - (1 + 0.5 * part)) < 1e-5)
      #expect(abs(sprite.angle - 2 * part) < 1e-5)
    }
  }

  @Test func `with lifetimes of one second both are the same`() {
    let alike: (inout Cell) -> Void = { ($0.lifetime, $0.lifetimeRange) = (1, 0) }
    let (first, second) = (system(.perLife, alike), system(.perSecond, alike))
    for _ in 0..<25 {
      first.step(1.0 / 30)
      second.step(1.0 / 30)
      for (one, other) in zip(first.sprites, second.sprites) {
        #expect(abs(one.red - other.red) < 1e-5 && abs(one.scale - other.scale) < 1e-5)
        #expect(abs(one.angle - other.angle) < 1e-5)
      }
    }
  }

  @Test func `particles begin with the properties that their parent has reached over its lifetime`() {
    let system = ParticleSystem(
      layer { layer, cell in
        layer.growth = .perLife
        (cell.birthRate, cell.lifetime, cell.lifetimeRange) = (30, 0.6, 0.3)
        (cell.color.red, cell.redSpeed) = (1, -1)
        cell.cells = [Cell(name: "inner")]
        (cell.cells[0].birthRate, cell.cells[0].lifetime) = (60, 1)
      })
    system.run(60, 1.0 / 30)
    let reds = system.sprites.filter { $0.material == 0 }.map(\.red)
    let born = system.sprites.filter { $0.material == 1 && $0.age < 0.9 / 30 }
    #expect(born.count > 20 && Set(reds).count > 10)
    for sprite in born { #expect(reds.contains { abs($0 - sprite.red) < 1e-6 }, "\(sprite.red) \(reds)") }
  }
}
