import TestSupport
import Testing

@testable import Particles

/// The WebAssembly module of the pages has the same particles as this program, to the bit.
@Suite struct PageModuleTests {
  /// Runs an emitter and a page side by side for ten seconds; the page starts with a state.
  private func compare(
    _ layer: Layer, frames: Int = 600, from first: Int = 1, seconds: Double = 1 / 60, channels: Int = 2
  ) {
    let source = StageSource(layer, channels: channels, seconds: seconds)
    var messages = [source.description]
    for frame in 1...frames {
      let message = source.step(merged: frame % 97 == 50 ? 3 : 1) { channel, layer in
        layer.position.x = Double(Float(640 + frame % 100 * (channel + 1)))
        if !layer.cells[0].cells.isEmpty { layer.cells[0].cells[0].scale = Double(Float(frame % 50) / 7) }
        if frame % 150 == 90 { layer.cells[0].spin = Double(frame) / 7 }
        if frame % 200 == 130 { layer.mode = layer.mode == .outline ? .volume : .outline }
      }
      if frame > first { messages.append(message) }
      if frame == first { messages.append(source.state(isNew: true)) }
      if frame > first, frame % 30 == 0 { messages.append(source.print()) }
    }
    var sprites: [Sprite] = []
    for system in source.systems { system.appendSprites(to: &sprites) }
    let prints = source.systems.map { String($0.fingerprint, radix: 16) }
    let hash = sprites.withUnsafeBytes { PageModule.hash($0) }
    for engine in [PageModule.Engine.v8, .javaScriptCore] {
      let fault = PageModule.fault(of: messages, in: engine) { page in
        if Set(page.outcomes.keys) != ["0"] { return "outcomes \(page.outcomes)" }
        if page.prints != prints { return "prints \(page.prints), not \(prints)" }
        return page.sprites == hash ? nil : "other sprites"
      }
      #expect(fault == nil, "\(engine)")
    }
  }

  @Test func `the tutorial is the same, from its beginning and from its middle`() {
    compare(GoldenParticleTests.tutorial())
    compare(GoldenParticleTests.tutorial(), from: 333)
  }

  @Test func `forces, depth, spin, all that grows, and the other conventions are the same`() {
    compare(SystemCodingTests.layers[1])
    compare(
      GoldenParticleTests.tutorial {
        ($0.ranges, $0.latitudes, $0.directions, $0.lifetimes) = (.whole, .fromZ, .alongX, .range)
        ($0.lifetime, $0.seed, $0.shape, $0.renderMode) = (0.5, 9, .line, .backToFront)
      })
    compare(
      GoldenParticleTests.tutorial {
        $0.growth = .perLife
        ($0.cells[0].lifetimeRange, $0.cells[0].scaleSpeed, $0.cells[0].spin) = (0.6, -0.5, 3)
      })
  }

  @Test(arguments: EmitterShape.allCases)
  func `every shape and mode is the same`(_ shape: EmitterShape) {
    for mode in EmitterMode.allCases {
      compare(
        GoldenParticleTests.tutorial {
          ($0.shape, $0.mode, $0.depth, $0.renderMode) = (shape, mode, 50, .oldestLast)
          $0.cells[0].cells = []
          $0.cells[0].contents = .soft
        }, frames: 150)
    }
  }

  @Test(arguments: [1.0, 24, 29.97, 1000])
  func `frames of other lengths are the same`(_ fps: Double) {
    compare(GoldenParticleTests.tutorial(), frames: 200, seconds: 1 / fps)
  }

  @Test func `ten thousand particles are the same`() {
    compare(
      GoldenParticleTests.tutorial {
        ($0.cells[0].birthRate, $0.cells[0].cells[0].lifetime) = (600, 0.5)
        $0.cells[0].yAcceleration = 30
      }, frames: 200, channels: 1)
  }
}
