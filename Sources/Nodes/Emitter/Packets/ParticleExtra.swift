import Graphs
import OSC
import Particles

/// Optional fields of a particle besides its place, size and color, of four bytes each.
enum ParticleExtra: String, FieldChoice {
  case rotation, z, cell, id
  /// The meaning, for help texts.
  var help: String {
    switch self {
    case .rotation: "radians, clockwise (float32)"
    case .z: "points towards the viewer (float32)"
    case .cell:
      "which cell it is of, a whole number from 1: the outer cells in the order of the file, then what they hold (int32)"
    case .id: "its own number as long as it lives: which birth of its channel it was, from 0 (int32)"
    }
  }

  /// The field of a sprite as its bit pattern.
  func bits(of sprite: Sprite) -> UInt32 {
    switch self {
    case .rotation: sprite.angle.bitPattern
    case .z: sprite.z.bitPattern
    case .cell: UInt32(bitPattern: sprite.material &+ 1)
    case .id: sprite.birth
    }
  }

  /// A zero argument of the field's type.
  var zero: Argument {
    switch self {
    case .rotation, .z: .float(0)
    case .cell, .id: .int(0)
    }
  }
}
