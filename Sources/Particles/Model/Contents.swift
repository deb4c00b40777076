/// What a particle looks like.
public enum Contents: Hashable, Sendable {
  /// The built-in picture: a round white light of 32 points that fades to nothing at its edge.
  case soft
  /// Invisible: such particles live and emit, but are not drawn. Apple's cells without contents behave so.
  case none
  /// A picture in a file, by its path.
  case file(String)

  /// What it is, without the path. In records it is its place in this list.
  package enum Kind: Sendable, CaseIterable {
    case soft
    case none
    case file
  }

  package var kind: Kind {
    switch self {
    case .soft: .soft
    case .none: .none
    case .file: .file
    }
  }

  /// Width and height of the built-in picture in points, at one pixel per point.
  public static let softSize = 32
  /// Texels per point of the built-in picture, where it is drawn by texels and not by its formula.
  package static let softTexels = 4
}

/// How a picture is sampled where it is drawn larger or smaller. Raw values are Apple's names.
public enum ContentsFilter: String, Sendable, CaseIterable {
  /// Bilinear: between neighboring pixels.
  case linear
  /// The nearest pixel.
  case nearest
  /// Trilinear: between neighboring pixels of two mipmap levels.
  case trilinear

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .linear: "between neighboring pixels"
    case .nearest: "the nearest pixel, for hard edges"
    case .trilinear: "between neighboring pixels of two sizes"
    }
  }
}

/// A rectangle within a picture, in fractions of its width and height. The default is the whole picture.
public struct UnitRect: Hashable, Sendable {
  /// Left edge, 0…1.
  public var x: Double
  /// Top edge, 0…1.
  public var y: Double
  /// Width, 0…1.
  public var width: Double
  /// Height, 0…1.
  public var height: Double

  /// Makes a rectangle.
  public init(x: Double = 0, y: Double = 0, width: Double = 1, height: Double = 1) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Red, green, blue and alpha, each 0…1, in sRGB encoding and not premultiplied. The default is opaque white.
public struct Color: Hashable, Sendable {
  /// 0…1.
  public var red: Double
  /// 0…1.
  public var green: Double
  /// 0…1.
  public var blue: Double
  /// 0 is transparent, 1 is opaque.
  public var alpha: Double

  /// Makes a color.
  public init(red: Double = 1, green: Double = 1, blue: Double = 1, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}

/// Tone mapping: how light beyond the brightest displayable color is reduced.
public enum ToneMapping: String, Sendable, CaseIterable {
  /// Bright colors keep their hue and turn white only at the very top.
  case soft
  /// Each of red, green and blue is clamped on its own, as in Core Animation.
  case clip

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .soft: "bright colors keep their tone and only then turn white"
    case .clip: "red, green and blue each end at their brightest, as on iOS"
    }
  }
}
