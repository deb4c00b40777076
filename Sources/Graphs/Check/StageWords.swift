/// What more light than a screen can show becomes.
public enum StageTone: String, Sendable, FieldChoice {
  /// Bright colours keep their tone and only then turn white.
  case soft
  /// Each of red, green and blue ends at its own brightest.
  case clip

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .soft: "bright colours keep their tone and only then turn white"
    case .clip: "red, green and blue each end at their brightest, as on iOS"
    }
  }
}

/// Where the emitters of a node's channels stand on the stage, unless the emitter says its position.
public enum StageArrangement: String, Sendable, FieldChoice {
  /// Side by side, from left to right.
  case row
  /// One below the other.
  case column
  /// On a circle, clockwise from the top.
  case ring
  /// In rows and columns, as square as it goes.
  case grid
  /// All in the middle.
  case stack

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .row: "side by side, from left to right"
    case .column: "one below the other"
    case .ring: "on a circle, clockwise from the top"
    case .grid: "in rows and columns, as square as it goes"
    case .stack: "all in the middle"
    }
  }
}
