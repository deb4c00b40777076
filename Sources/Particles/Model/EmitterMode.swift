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
