public import Engine
public import Particles
import Rendering

extension CompiledPlan {
  /// The emitters, in the order of the file.
  public var emitters: [EmitterScene] { scene.compactMap { $0 as? EmitterScene } }

  /// Calls `body` with the particles of all emitters and channels in drawing order. As with layers of Core Animation,
  /// that is the order of the layer's `zPosition`; equal ones are drawn in the order of the file, then of the
  /// channels. Each emitter is locked only during its own call.
  public func withSystemsInOrder(_ body: (_ emitter: Int, ParticleSystem) throws -> Void) rethrows {
    try EmitterScene.withSystemsInOrder(emitters, body)
  }
}

extension EmitterScene {
  /// Calls `body` in this order for the systems of `emitters`, which are in the order of the file.
  static func withSystemsInOrder(
    _ emitters: [EmitterScene], _ body: (_ emitter: Int, ParticleSystem) throws -> Void
  ) rethrows {
    var channels: [(emitter: Int, channel: Int)] = []
    var positions: [Double] = []
    for (index, emitter) in emitters.enumerated() {
      emitter.withSystems { systems in
        for (channel, system) in systems.enumerated() {
          channels.append((index, channel))
          positions.append(system.layer.zPosition)
        }
      }
    }
    for entry in ParticleSystem.drawingOrder(of: positions).map({ channels[$0] }) {
      try emitters[entry.emitter].withSystems { try body(entry.emitter, $0[entry.channel]) }
    }
  }

  /// Draws the particles of emitters in drawing order. `prepare` is called with the materials of each system before
  /// it is drawn; `sprites` is a buffer to reuse. [scene]
  static func draw(
    _ emitters: [EmitterScene], on canvas: Canvas, _ sprites: inout [Sprite],
    prepare: ([SpriteMaterial]) -> Void = { _ in }
  ) {
    withSystemsInOrder(emitters) { _, system in
      sprites.removeAll(keepingCapacity: true)
      system.appendSprites(to: &sprites)
      guard !sprites.isEmpty else { return }
      let materials = system.materials
      prepare(materials)
      canvas.draw(sprites, materials: materials, mode: system.layer.renderMode)
    }
  }
}
