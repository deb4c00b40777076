public import Particles

/// The pictures of particles, read once and kept in all the sizes they are drawn in. [control] to read, any thread to draw
public final class Textures: @unchecked Sendable {
  /// Only the built-in picture.
  public init() {}

  /// Reads what looks name, as far as it is not there yet. Throws what cannot be read; the rest is there nevertheless.
  public func read(_ looks: [SpriteLook]) throws(PictureFault) {}
}
