public import Engine
public import Particles
import Rendering

extension CompiledPlan {
  /// The emitters, in the order of the file.
  public var emitters: [EmitterScene] { scene.compactMap { $0 as? EmitterScene } }

  /// Looks at the particles of all emitters and channels in the order in which they are drawn, what comes later over what
  /// comes before: by the layer's `zPosition`, as layers of Core Animation are, those that are equal in the order of the
  /// file and then of the channels. Each emitter stands still only while it is looked at.
  public func withSystemsInOrder(_ body: (_ emitter: Int, ParticleSystem) throws -> Void) rethrows {
    try EmitterScene.withSystemsInOrder(emitters, body)
  }
}

extension EmitterScene {
  /// The same for emitters in the order of the file.
  static func withSystemsInOrder(
    _ emitters: [EmitterScene], _ body: (_ emitter: Int, ParticleSystem) throws -> Void
  ) rethrows {
    var places: [(z: Double, emitter: Int, channel: Int)] = []
    for (index, emitter) in emitters.enumerated() {
      emitter.withSystems { systems in
        for (channel, system) in systems.enumerated() {
          let z = system.layer.zPosition
          places.append((z.isFinite ? z : 0, index, channel))
        }
      }
    }
    places.sort { ($0.z, $0.emitter, $0.channel) < ($1.z, $1.emitter, $1.channel) }
    for place in places {
      try emitters[place.emitter].withSystems { try body(place.emitter, $0[place.channel]) }
    }
  }

  /// Draws the particles of emitters in their order; `prepare` is called with the looks of each system before it is drawn,
  /// and `sprites` is room to work in. [scene]
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
