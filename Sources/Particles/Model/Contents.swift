/// What a particle looks like.
public enum Contents: Hashable, Sendable {
  /// The built-in picture: a round white light of 32 points that fades to nothing at its edge.
  case soft
  /// Nothing: alive, emitting, and not to be seen. Apple's meaning of a cell without contents.
  case none
  /// A picture in a file, by its path.
  case file(String)

  /// Points across and down of the built-in picture, which has one pixel to a point.
  public static let softSize = 32
}

/// How a picture is sampled when it is drawn larger or smaller; raw values are Apple's names.
public enum ContentsFilter: String, Sendable, CaseIterable {
  /// Between neighbors.
  case linear
  /// The nearest pixel.
  case nearest
  /// Between neighbors in two sizes of the picture.
  case trilinear

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .linear: "between neighboring pixels"
    case .nearest: "the nearest pixel, for hard edges"
    case .trilinear: "between neighboring pixels of two sizes"
    }
  }
}

/// A part of a picture, in parts of its width and height; the whole picture unless told.
public struct UnitRect: Hashable, Sendable {
  /// Left edge, 0…1.
  public var x: Double
  /// Top edge, 0…1.
  public var y: Double
  /// Width, 0…1.
  public var width: Double
  /// Height, 0…1.
  public var height: Double

  /// Makes a part of a picture.
  public init(x: Double = 0, y: Double = 0, width: Double = 1, height: Double = 1) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Red, green, blue and alpha, each 0…1 as sRGB writes them; opaque white unless told.
public struct Color: Hashable, Sendable {
  /// 0…1.
  public var red: Double
  /// 0…1.
  public var green: Double
  /// 0…1.
  public var blue: Double
  /// 0 is clear, 1 is solid.
  public var alpha: Double

  /// Makes a color.
  public init(red: Double = 1, green: Double = 1, blue: Double = 1, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}

/// Tone mapping: what more light than a screen can show becomes.
public enum ToneMapping: String, Sendable, CaseIterable {
  /// Bright colors keep their tone and only then turn white.
  case soft
  /// Each of red, green and blue ends at its own brightest: what Core Animation does.
  case clip

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .soft: "bright colors keep their tone and only then turn white"
    case .clip: "red, green and blue each end at their brightest, as on iOS"
    }
  }
}
