import Graphs
import OSC
import Particles

/// What a particle can say besides its place, size and color, four bytes each.
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
    case .cell: UInt32(bitPattern: sprite.material &+ 1)
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
