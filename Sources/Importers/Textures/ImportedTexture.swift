import Rendering

/// The picture of an imported emitter's particles.
public struct ImportedTexture: Sendable {
  /// Its pixels.
  public let picture: Picture
  /// The PNG beside the particle file that it came from; nil where it was embedded or of another kind.
  public let pngPath: String?
}
