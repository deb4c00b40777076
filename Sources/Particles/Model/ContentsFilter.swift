/// How a picture is sampled when it is drawn larger or smaller; raw values are Apple's names.
public enum ContentsFilter: String, Sendable, CaseIterable {
  /// Between neighbours.
  case linear
  /// The nearest pixel.
  case nearest
  /// Between neighbours in two sizes of the picture.
  case trilinear

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .linear: "between neighbouring pixels"
    case .nearest: "the nearest pixel, for hard edges"
    case .trilinear: "between neighbouring pixels of two sizes"
    }
  }
}
