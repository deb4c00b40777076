import Particles

/// The emitters of a page's stage: what a socket brings goes in, sprites in their order come out. [one]
final class PageStage {
  /// One emitter, as the stream numbers it.
  private struct Emitter {
    let number: UInt16
    let decoder: EmitterDecoder
  }

  /// Sprites that are drawn together: those of one channel. Laid out for the page, which reads it as eight words of 32
  /// bits.
  struct Batch {
    var emitter: UInt32
    var channel: UInt32
    /// The place of the render mode among all.
    var mode: UInt32
    /// The first of its sprites.
    var first: UInt32
    var count: UInt32
    /// Its materials among those of all batches.
    var firstMaterial: UInt32
    var materials: UInt32
    var spare: UInt32 = 0
  }

  /// In the order of the file.
  private var emitters: [Emitter] = []
  /// What is to be seen, after `collect`.
  private(set) var sprites: [Sprite] = []
  /// Farthest first.
  private(set) var batches: [Batch] = []

  /// Takes the description of a stage: emitters that it does not list are forgotten. False where it is broken.
  func describe(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var (reader, stage) = (ByteReader(bytes), StageDescription())
    stage.code(&reader)
    guard !reader.failed else { return false }
    emitters = stage.emitters.map { listed in
      emitters.first { $0.number == listed.number }
        ?? Emitter(number: listed.number, decoder: EmitterDecoder())
    }
    return true
  }

  /// The emitter of a number; nil where the stage lists none.
  func decoder(_ number: UInt32) -> EmitterDecoder? { emitters.first { $0.number == number }?.decoder }

  /// A channel's system, and where its materials begin among those of all.
  struct Place {
    let emitter: UInt16
    let channel: Int
    let material: Int
    let system: ParticleSystem
  }

  /// All systems, as the stage lists them.
  private var places: [Place] {
    var places: [Place] = []
    var material = 0
    for emitter in emitters {
      for (channel, system) in emitter.decoder.systems.enumerated() {
        places.append(Place(emitter: emitter.number, channel: channel, material: material, system: system))
        material += system.materialCount
      }
    }
    return places
  }

  /// All systems by the layers' `zPosition`, the farthest first; those that are equal as the stage lists them.
  var placesInOrder: [Place] {
    let places = places
    return ParticleSystem.drawingOrder(of: places.map { $0.system.layer.zPosition }).map { places[$0] }
  }

  /// Writes all sprites, channel by channel.
  func collect() {
    sprites.removeAll(keepingCapacity: true)
    batches.removeAll(keepingCapacity: true)
    for place in placesInOrder {
      let first = sprites.count
      place.system.appendSprites(to: &sprites)
      batches.append(
        Batch(
          emitter: UInt32(place.emitter), channel: UInt32(place.channel),
          mode: place.system.layer.renderMode.place, first: UInt32(first),
          count: UInt32(sprites.count - first), firstMaterial: UInt32(place.material),
          materials: UInt32(place.system.materialCount)))
    }
  }

  /// The materials of all channels, as the stage lists them; for each its contents, its part of the picture, pixels of
  /// the picture to a point, the bias, and both filters.
  func materials() -> [UInt8] {
    var writer = ByteWriter()
    for place in places {
      for var material in place.system.materials {
        material.contents.code(&writer)
        writer.code(&material.rect.x)
        writer.code(&material.rect.y)
        writer.code(&material.rect.width)
        writer.code(&material.rect.height)
        writer.code(&material.contentsScale)
        writer.code(&material.minificationBias)
        writer.code(choice: &material.minification)
        writer.code(choice: &material.magnification)
      }
    }
    return writer.bytes
  }
}

extension RenderMode {
  fileprivate var place: UInt32 {
    var place: UInt32 = 0
    for mode in Self.allCases {
      if mode == self { return place }
      place += 1
    }
    return 0
  }
}
