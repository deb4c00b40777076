/// The form particles are born in; raw values are Apple's names.
public enum EmitterShape: String, Sendable, CaseIterable {
  /// The position alone.
  case point
  /// Along x, as wide as the size; height has no meaning.
  case line
  /// As wide and high as the size, around the position.
  case rectangle
  /// As wide and high as the size and as deep as the depth, around the position.
  case cuboid
  /// Around the position; its radius is the width, not half of it.
  case circle
  /// Around the position; its radius is the width, not half of it.
  case sphere

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .point: "the position alone"
    case .line: "along x, as long as the width"
    case .rectangle: "width by height, around the position"
    case .cuboid: "width by height by depth, around the position"
    case .circle: "around the position, the width is the radius"
    case .sphere: "a ball around the position, the width is the radius"
    }
  }
}
