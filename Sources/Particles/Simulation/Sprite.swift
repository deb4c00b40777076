/// A living particle as it is drawn, in points of the stage. x grows to the right, y grows downwards.
public struct Sprite: Hashable, Sendable {
  /// Points from the left of the stage.
  public var x: Float
  /// Points from the top of the stage.
  public var y: Float
  /// Points towards the viewer.
  public var z: Float
  /// A factor on the size of the contents, from 0.
  public var scale: Float
  /// Radians, clockwise as seen.
  public var angle: Float
  /// 0…1, not premultiplied by alpha.
  public var red: Float
  /// 0…1, not premultiplied by alpha.
  public var green: Float
  /// 0…1, not premultiplied by alpha.
  public var blue: Float
  /// 0 is transparent, 1 is opaque.
  public var alpha: Float
  /// Seconds since birth, in the cell's own time.
  public var age: Float
  /// Index among the system's materials.
  public var material: Int32
  /// The number of the particle's birth within the system, from 0, modulo 2³². It identifies the particle from frame to
  /// frame.
  public var birth: UInt32

  /// Makes a sprite.
  public init(
    x: Float = 0, y: Float = 0, z: Float = 0, scale: Float = 1, angle: Float = 0, red: Float = 1,
    green: Float = 1, blue: Float = 1, alpha: Float = 1, age: Float = 0, material: Int32 = 0,
    birth: UInt32 = 0
  ) {
    self.x = x
    self.y = y
    self.z = z
    self.scale = scale
    self.angle = angle
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    self.age = age
    self.material = material
    self.birth = birth
  }
}

/// How all particles of one cell are drawn.
public struct SpriteMaterial: Hashable, Sendable {
  /// The picture, if any.
  public var contents: Contents
  /// The part of the picture that is shown.
  public var rect: UnitRect
  /// Pixels of the picture per point.
  public var contentsScale: Double
  /// The filter for drawing it smaller.
  public var minification: ContentsFilter
  /// The filter for drawing it larger.
  public var magnification: ContentsFilter
  /// Added to the mipmap level that a filter chooses.
  public var minificationBias: Double

  /// Makes a material.
  public init(
    contents: Contents = .soft, rect: UnitRect = UnitRect(), contentsScale: Double = 1,
    minification: ContentsFilter = .linear, magnification: ContentsFilter = .linear,
    minificationBias: Double = 0
  ) {
    self.contents = contents
    self.rect = rect
    self.contentsScale = contentsScale
    self.minification = minification
    self.magnification = magnification
    self.minificationBias = minificationBias
  }
}
