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

/// The part of a shape that particles are born in; raw values are Apple's names.
public enum EmitterMode: String, Sendable, CaseIterable {
  /// Its corners or ends.
  case points
  /// Its edges.
  case outline
  /// Its faces.
  case surface
  /// All of it.
  case volume

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .points: "the corners or ends of the shape"
    case .outline: "the edges of the shape"
    case .surface: "the faces of the shape"
    case .volume: "all of the shape"
    }
  }
}

/// A place on the stage, in points; x grows to the right, y grows downwards.
public struct Point: Hashable, Sendable {
  /// Points from the left.
  public var x: Double
  /// Points from the top.
  public var y: Double

  /// Makes a place; the top left corner unless told.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }
}

/// A width and a height, in points.
public struct Size: Hashable, Sendable {
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double

  /// Makes a size; nothing unless told.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}
