import Particles

/// The emitters of a page's stage: records of the stream come in, sprites in drawing order go out. [one]
final class PageStage {
  /// An emitter, with its number in the stream.
  private struct Emitter {
    let number: UInt16
    let decoder: EmitterDecoder
  }

  /// In the order of the file.
  private var emitters: [Emitter] = []
  /// The visible particles, as of the last `collect`.
  private(set) var sprites: [Sprite] = []
  /// In drawing order, farthest first.
  private(set) var batches: [SpriteBatch] = []

  /// Applies the description of a stage, and removes emitters that it does not list. False if it is invalid.
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

  /// The emitter with a number; nil if the stage does not list it.
  func decoder(_ number: UInt32) -> EmitterDecoder? { emitters.first { $0.number == number }?.decoder }

  /// A channel's system, and the index of its first material among those of all.
  struct Place {
    let emitter: UInt16
    let channel: Int
    let material: Int
    let system: ParticleSystem
  }

  /// All systems, in the order of the stage.
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

  /// All systems in drawing order: by the layers' `zPosition`, farthest first, then in the order of the stage.
  var placesInOrder: [Place] {
    let places = places
    return ParticleSystem.drawingOrder(of: places.map { $0.system.layer.zPosition }).map { places[$0] }
  }

  /// Collects the sprites and batches of all channels.
  func collect() {
    sprites.removeAll(keepingCapacity: true)
    batches.removeAll(keepingCapacity: true)
    for place in placesInOrder {
      let first = sprites.count
      place.system.appendSprites(to: &sprites)
      batches.append(
        SpriteBatch(
          emitter: UInt32(place.emitter), channel: UInt32(place.channel),
          mode: place.system.layer.renderMode.place, first: UInt32(first),
          count: UInt32(sprites.count - first), material: UInt32(place.material),
          materials: UInt32(place.system.materialCount)))
    }
  }

  /// Encodes the materials of all channels, in the order of the stage.
  func materials() -> [UInt8] {
    var writer = ByteWriter()
    for place in places {
      for var material in place.system.materials { material.code(&writer) }
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
