import Graphs
import OSC
import Particles

/// What a particle can say besides its place, size and colour, four bytes each.
enum ParticleExtra: String, FieldChoice {
  case rotation, z, cell, id
  /// What it is.
  var help: String {
    switch self {
    case .rotation: "radians, clockwise (float32)"
    case .z: "points towards the viewer (float32)"
    case .cell:
      "which cell it is of, a whole number from 1: the outer cells in the order of the file, then what they hold (int32)"
    case .id: "its own number as long as it lives: which birth of its channel it was, from 0 (int32)"
    }
  }

  /// The four bytes of it as a number.
  func bits(of sprite: Sprite) -> UInt32 {
    switch self {
    case .rotation: sprite.angle.bitPattern
    case .z: sprite.z.bitPattern
    case .cell: UInt32(bitPattern: sprite.look &+ 1)
    case .id: sprite.birth
    }
  }

  /// An argument of its kind.
  var zero: Argument {
    switch self {
    case .rotation, .z: .float(0)
    case .cell, .id: .int(0)
    }
  }
}

/// Particles as bytes for other programs: 16 bytes each, most significant byte first as everywhere in OSC.
///
///     0  float32  x, points from the left of the stage
///     4  float32  y, points from the top of the stage
///     8  float32  size, points across
///     12 4 bytes  red, green, blue, alpha, 0…255, not multiplied with alpha
///     16 4 bytes  for each extra that was asked for
enum ParticleBlob {
  /// Bytes of a particle.
  static func stride(_ extras: [ParticleExtra]) -> Int { 16 + 4 * extras.count }

  /// The bytes of sprites; `widths` are those of a sprite of scale 1 by look, in points. [scene]
  static func bytes(
    _ sprites: some Collection<Sprite>, widths: [Float], extras: [ParticleExtra] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sprites.count * stride(extras))
    for sprite in sprites {
      append(sprite.x.bitPattern, to: &bytes)
      append(sprite.y.bitPattern, to: &bytes)
      append((sprite.scale * widths[Int(sprite.look)]).bitPattern, to: &bytes)
      for part in [sprite.red, sprite.green, sprite.blue, sprite.alpha] {
        bytes.append(UInt8(max(0, min(255, (part * 255).rounded()))))
      }
      for extra in extras { append(extra.bits(of: sprite), to: &bytes) }
    }
    return bytes
  }

  /// Adds four bytes, the most significant first.
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
