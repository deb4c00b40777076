import System
import Testing

@testable import Particles

@Suite struct SystemCodingTests {
  static func bytes(_ system: ParticleSystem) -> [UInt8] {
    var writer = ByteWriter()
    system.code(&writer)
    return writer.bytes
  }

  /// A system of a layer with a state; nil if the state is refused.
  static func system(_ layer: Layer, _ bytes: [UInt8]) -> ParticleSystem? {
    let system = ParticleSystem(layer)
    return bytes.withUnsafeBytes {
      var reader = ByteReader($0)
      system.code(&reader)
      return reader.failed || reader.remaining > 0 ? nil : system
    }
  }

  static let layers: [Layer] = [
    GoldenParticleTests.tutorial(),
    GoldenParticleTests.tutorial {
      ($0.cells[0].yAcceleration, $0.cells[0].zAcceleration) = (98, -5)
      ($0.cells[0].spin, $0.cells[0].spinRange, $0.cells[0].scaleSpeed) = (1, 3, -0.3)
      ($0.cells[0].cells[0].velocity, $0.cells[0].cells[0].lifetime) = (40, 0.3)
      ($0.timing.speed, $0.limit, $0.prewarm) = (0.7, 1000, 0.5)
    },
    GoldenParticleTests.tutorial { ($0.shape, $0.mode, $0.depth) = (.cuboid, .surface, 50) },
    layer { _, _ in },
  ]

  @Test(arguments: layers.indices)
  func `a page that takes a state has the same particles to the bit from there on`(_ index: Int) throws {
    let layer = Self.layers[index]
    let system = ParticleSystem(layer)
    for half in [0, 1, 37, 263] {
      system.run(half)
      let state = Self.bytes(system)
      let late = try #require(Self.system(layer, state))
      #expect(late.fingerprint == system.fingerprint && late.live == system.live)
      #expect(
        late.births == system.births && late.dropped == system.dropped && late.sprites == system.sprites)
      #expect(state.count <= system.codedSize)
      for frame in 0..<120 {
        for one in [system, late] {
          one.layer.position.x = Double(frame)
          one.step(1.0 / 60)
        }
      }
      #expect(late.fingerprint == system.fingerprint && late.sprites == system.sprites)
      // A system with other particles takes the state as well as a new one.
      let other = ParticleSystem(layer)
      other.run(400)
      state.withUnsafeBytes {
        var reader = ByteReader($0)
        other.code(&reader)
      }
      #expect(Self.bytes(other) == state)
    }
  }

  @Test func `a truncated state is refused`() {
    let system = ParticleSystem(Self.layers[0])
    system.run(8)
    let whole = Self.bytes(system)
    for count in whole.indices {
      #expect(Self.system(Self.layers[0], Array(whole[..<count])) == nil, "\(count) bytes")
    }
    #expect(Self.system(Self.layers[0], whole + [0]) == nil)
  }

  @Test func `with any bytes of a state its system goes on and stays within its limit`() {
    var dice = RandomStream(seed: 5)
    let layer = Self.layers[1]
    let system = ParticleSystem(layer)
    system.run(30)
    let whole = Self.bytes(system)
    var taken = 0
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0...dice.next() % 20 {
        bytes[Int(dice.next() % UInt64(bytes.count))] =
          dice.next() % 2 == 0 ? 0xff : UInt8(truncatingIfNeeded: dice.next())
      }
      guard let made = Self.system(layer, bytes) else { continue }
      taken += 1
      made.run(12)
      #expect(made.live <= 1000 + system.live)
      for sprite in made.sprites { #expect(sprite.x.isFinite && sprite.y.isFinite && sprite.scale >= 0) }
    }
    #expect(taken > 100)
  }
}
