// Where Apple's own sources contradict each other, both readings are here; the first of each is the default.

/// How far a drawn value may lie from its mean.
public enum RangeConvention: String, Sendable, CaseIterable {
  /// Mean ± range: Apple's page on lifetimeRange (10 s with a range of 3 s lives 7 to 13 s).
  case eitherSide = "either-side"
  /// Mean ± range ÷ 2: the note beside `seed` in CAEmitterCell.h.
  case whole

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .eitherSide: "mean ± range, as Apple's page on lifetimeRange has it"
    case .whole: "mean ± half of the range, as CAEmitterCell.h has it"
    }
  }
}

/// What a latitude is measured from.
public enum LatitudeConvention: String, Sendable, CaseIterable {
  /// From the plane of x and y, towards z: what all samples do.
  case fromPlane = "from-plane"
  /// From the z axis: what CAEmitterCell.h says.
  case fromZ = "from-z"

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .fromPlane: "from the plane of the stage towards z, as all samples have it"
    case .fromZ: "from the z axis, as CAEmitterCell.h has it"
    }
  }
}

/// Where a cell of longitude 0 sends its particles.
public enum DirectionConvention: String, Sendable, CaseIterable {
  /// To the right; for a line upwards, along its normal.
  case natural
  /// To the right for every shape.
  case alongX = "along-x"

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .natural: "to the right, and upwards from a line"
    case .alongX: "to the right from every shape"
    }
  }
}

/// What the layer's `lifetime` multiplies.
public enum LifetimeConvention: String, Sendable, CaseIterable {
  /// The whole life that was drawn.
  case whole
  /// Only the cell's lifetimeRange: the literal words of header and page.
  case range

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .whole: "the whole life of a particle"
    case .range: "only the cell's lifetimeRange, as Apple's pages literally say"
    }
  }
}
