// Where Apple's own sources contradict each other, both readings are here; the first case of each is the default.

/// How far a random value may lie from its mean, given its range.
public enum RangeConvention: String, Sendable, CaseIterable {
  /// The default: 10 s with a range of 3 s lives 7 s to 13 s.
  case eitherSide = "either-side"
  /// By the note beside `seed` in CAEmitterCell.h: the range is the full width, 8.5 s to 11.5 s.
  case whole

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .eitherSide: "mean ± range, as Apple's page on lifetimeRange has it"
    case .whole: "mean ± half of the range, as CAEmitterCell.h has it"
    }
  }
}

/// What a latitude is measured from.
public enum LatitudeConvention: String, Sendable, CaseIterable {
  /// The default: from the plane of x and y towards z, as Apple's sample code does.
  case fromPlane = "from-plane"
  /// By the words of CAEmitterCell.h: 0 is towards the viewer.
  case fromZ = "from-z"

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .fromPlane: "from the plane of the stage towards z, as Apple's sample code has it"
    case .fromZ: "from the z axis, as CAEmitterCell.h has it"
    }
  }
}

/// Where a cell of longitude 0 sends its particles.
public enum DirectionConvention: String, Sendable, CaseIterable {
  /// The default: to the right, but for lines, which emit upwards along their normal.
  case natural
  /// To the right for every shape.
  case alongX = "along-x"

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .natural: "to the right, and upwards from a line"
    case .alongX: "to the right from every shape"
    }
  }
}

/// What the layer's `lifetime` multiplies.
public enum LifetimeConvention: String, Sendable, CaseIterable {
  /// The default: the whole life that was drawn.
  case whole
  /// The literal words of header and page.
  case range

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .whole: "the whole life of a particle"
    case .range: "only the cell's lifetimeRange, as Apple's pages literally say"
    }
  }
}
