/// The shape in which particles are born. Raw values are Apple's names.
public enum EmitterShape: String, Sendable, CaseIterable {
  /// A point at the layer's position.
  case point
  /// A line along x, as long as the width; the height has no effect.
  case line
  /// A rectangle of width × height, centered on the position.
  case rectangle
  /// A box of width × height × depth, centered on the position.
  case cuboid
  /// A circle around the position. Its radius is the whole width, not half of it.
  case circle
  /// A sphere around the position. Its radius is the whole width, not half of it.
  case sphere

  /// The meaning, as graphs/NODES.md prints it.
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

/// The part of a shape in which particles are born. Raw values are Apple's names.
public enum EmitterMode: String, Sendable, CaseIterable {
  /// The corners or ends of the shape.
  case points
  /// The edges of the shape.
  case outline
  /// The faces of the shape.
  case surface
  /// The whole shape.
  case volume

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .points: "the corners or ends of the shape"
    case .outline: "the edges of the shape"
    case .surface: "the faces of the shape"
    case .volume: "all of the shape"
    }
  }
}

/// A position on the stage, in points. x grows to the right, y grows downwards.
public struct Point: Hashable, Sendable {
  /// Points from the left.
  public var x: Double
  /// Points from the top.
  public var y: Double

  /// Makes a position; the default is the top left corner.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }
}

/// A width and a height, in points.
public struct Size: Hashable, Sendable {
  /// In points, from left to right.
  public var width: Double
  /// In points, from top to bottom.
  public var height: Double

  /// Makes a size; the default is empty.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}
