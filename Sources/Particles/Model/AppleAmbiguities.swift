// Conventions for points on which Apple's own sources contradict each other. Each has both readings as cases; the first
// case is the default.

/// How far a random value may lie from its mean, given its range.
public enum RangeConvention: String, Sendable, CaseIterable {
  /// Mean ± range. The default: with a lifetime of 10 s and a range of 3 s, particles live 7 s to 13 s.
  case eitherSide = "either-side"
  /// Mean ± half the range, by the note beside `seed` in CAEmitterCell.h: 8.5 s to 11.5 s in the same example.
  case whole

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .eitherSide: "mean ± range, as Apple's page on lifetimeRange has it"
    case .whole: "mean ± half of the range, as CAEmitterCell.h has it"
    }
  }
}

/// The direction from which a latitude is measured.
public enum LatitudeConvention: String, Sendable, CaseIterable {
  /// The default: from the plane of x and y towards z, as Apple's sample code does.
  case fromPlane = "from-plane"
  /// From the z axis, by the words of CAEmitterCell.h: 0 is towards the viewer.
  case fromZ = "from-z"

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .fromPlane: "from the plane of the stage towards z, as Apple's sample code has it"
    case .fromZ: "from the z axis, as CAEmitterCell.h has it"
    }
  }
}

/// The direction in which a cell of longitude 0 emits.
public enum DirectionConvention: String, Sendable, CaseIterable {
  /// The default: to the right; from a line upwards, along its normal.
  case natural
  /// To the right from every shape.
  case alongX = "along-x"

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .natural: "to the right, and upwards from a line"
    case .alongX: "to the right from every shape"
    }
  }
}

/// The value that the layer's `lifetime` multiplies.
public enum LifetimeConvention: String, Sendable, CaseIterable {
  /// The default: the whole random lifetime, mean and deviation.
  case whole
  /// Only the cell's `lifetimeRange`, as Apple's header and page literally say.
  case range

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .whole: "the whole life of a particle"
    case .range: "only the cell's lifetimeRange, as Apple's pages literally say"
    }
  }
}
