public import Particles

/// What more light than a screen can show becomes.
public enum Tone: String, Sendable, CaseIterable {
  /// Bright colours keep their tone and only then turn white.
  case soft
  /// Each colour ends at its own brightest: what Core Animation does.
  case clip
}

/// Draws sprites into pixels, on all cores. [control] or [scene], one thread at a time
public final class Canvas {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int

  /// A canvas of `width` × `height` pixels, 1…16384 each, that shows a stage of `stage` points, as large as fits and in
  /// the middle; beyond the stage there is only background.
  public init(
    width: Int, height: Int, stage: Size, textures: Textures, tone: Tone = .soft, threads: Int? = nil
  ) {
    self.width = width
    self.height = height
  }

  /// Begins a picture: the background everywhere; a picture as background covers the stage.
  public func begin(background: Color, picture: Picture? = nil) {}

  /// Draws the sprites of one layer over what is there, in their order.
  public func draw(_ sprites: [Sprite], looks: [SpriteLook], mode: RenderMode) {}

  /// Ends the picture and lends its pixels: row by row from the top, four bytes each, red green blue alpha as sRGB, not
  /// multiplied with alpha.
  public func end<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let bytes = [UInt8](repeating: 0, count: width * height * 4)
    return try bytes.withUnsafeBytes(body)
  }
}
