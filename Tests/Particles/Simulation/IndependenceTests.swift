import CParticles
import Testing

@testable import Particles

/// The random numbers of particles depend on the names of node and cell, the channel and the seed, and on nothing else.
@Suite struct IndependenceTests {
  private func spark(_ change: (inout Layer) -> Void = { _ in }) -> Layer {
    var layer = layer {
      $0.seed = 7
      $0.limit = 1_000_000
      var inner = Cell(name: "glow")
      (inner.birthRate, inner.lifetime, inner.lifetimeRange, inner.velocity) = (90, 0.2, 0.1, 40)
      (inner.emissionRange, inner.scaleRange) = (6, 0.5)
      ($1.birthRate, $1.lifetimeRange, $1.velocity, $1.velocityRange, $1.emissionRange) = (
        200, 0.5, 100, 50, 6
      )
      $1.cells = [inner]
    }
    change(&layer)
    return layer
  }

  private func sprites(_ layer: Layer, node: String = "sparks", channel: Int = 1, material: Int32 = 0)
    -> [Sprite]
  {
    let system = ParticleSystem(layer, node: node, channel: channel)
    system.run(90)
    return system.sprites.filter { $0.material == material }.map {
      var sprite = $0
      // The place of a particle's look and its number among all births are not the particle's own.
      (sprite.material, sprite.birth) = (0, 0)
      return sprite
    }
  }

  @Test func `another cell changes nothing, before or after, outer or inner`() {
    let (outer, inner) = (sprites(spark()), sprites(spark(), material: 1))
    var dust = spark().cells[0]
    dust.name = "dust"
    let after = spark { $0.cells.append(dust) }
    #expect(sprites(after) == outer && sprites(after, material: 2) == inner)
    let before = spark { $0.cells.insert(dust, at: 0) }
    #expect(sprites(before, material: 1) == outer && sprites(before, material: 3) == inner)
    let sibling = spark { $0.cells[0].cells.insert(dust, at: 0) }
    #expect(sprites(sibling) == outer && sprites(sibling, material: 2) == inner)
  }

  @Test func `the names of node and cell, the channel and the seed change everything`() {
    let plain = sprites(spark())
    let others = [
      sprites(spark(), node: "spark"), sprites(spark(), channel: 2), sprites(spark { $0.seed = 8 }),
      sprites(spark { $0.cells[0].name = "sparks" }),
    ]
    let places = Set(plain.map(\.x).filter { $0 != 0 })
    for other in others { #expect(places.isDisjoint(with: Set(other.map(\.x)))) }
    let inner = sprites(spark(), material: 1)
    let renamed = spark { $0.cells[0].cells[0].name = "shine" }
    #expect(sprites(renamed) == plain && sprites(renamed, material: 1) != inner)
    #expect(sprites(spark()) == plain)
  }

  @Test func `names are not simply concatenated`() {
    let one = RandomIdentity(node: "a", channel: 0).inner("\0", twin: 0).random(seed: 0, era: 0)
    let other = RandomIdentity(node: "a\0", channel: 0).inner("", twin: 0).random(seed: 0, era: 0)
    #expect(one.birth != other.birth)
  }

  @Test func `cells of one name are no copies of each other`() {
    let twins = spark { $0.cells.append($0.cells[0]) }
    let (a, b) = (sprites(twins), sprites(twins, material: 1))
    #expect(a == sprites(spark()) && a != b)
  }

  @Test func `one random property does not change another`() {
    let plain = sprites(spark())
    let coloured = sprites(spark { ($0.cells[0].redRange, $0.cells[0].spinRange) = (0.5, 2) })
    #expect(plain.map(\.x) == coloured.map(\.x) && plain.map(\.age) == coloured.map(\.age))
    #expect(plain.map(\.red) != coloured.map(\.red))
  }

  @Test func `the random numbers change after 2 to the 32 births, and births continue across it`() {
    let system = ParticleSystem(spark())
    system.pools[0].number = (1 << 32) - 5
    system.run(60)
    #expect(system.pools[0].number == (1 << 32) + 195 && system.births > 200)
    #expect(
      RandomIdentity(node: "a", channel: 1).random(seed: 0, era: 0).birth
        != RandomIdentity(node: "a", channel: 1).random(seed: 0, era: 1).birth)
  }

  @Test func `systems on different threads give the same particles`() async {
    let layer = spark()
    let one: @Sendable () -> UInt64 = {
      let system = ParticleSystem(layer, node: "sparks", channel: 1)
      system.run(300)
      return system.fingerprint
    }
    let expected = one()
    await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<8 { group.addTask(operation: one) }
      for await fingerprint in group { #expect(fingerprint == expected) }
    }
  }

  @Test func `a fingerprint shows a change of one particle's lowest bit`() {
    let system = ParticleSystem(spark())
    system.run(50)
    let before = system.fingerprint
    #expect(before == system.fingerprint)
    let x = system.pools[0].all.columns + 17
    x.pointee = x.pointee.nextUp
    #expect(system.fingerprint != before)
    x.pointee = x.pointee.nextDown
    #expect(system.fingerprint == before)
    _ = system.sprites
    #expect(system.fingerprint == before)
  }
}
