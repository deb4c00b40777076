/// A living particle as it is to be seen, in points of the stage; x grows to the right, y downwards.
public struct Sprite: Hashable, Sendable {
  /// Points from the left of the stage.
  public var x: Float
  /// Points from the top of the stage.
  public var y: Float
  /// Points towards the viewer.
  public var z: Float
  /// A factor on the size of its contents, from 0.
  public var scale: Float
  /// Radians, clockwise as seen.
  public var angle: Float
  /// 0…1, not premultiplied by alpha.
  public var red: Float
  /// 0…1, not premultiplied by alpha.
  public var green: Float
  /// 0…1, not premultiplied by alpha.
  public var blue: Float
  /// 0 is clear, 1 is solid.
  public var alpha: Float
  /// Seconds since it was born, in its cell's own time.
  public var age: Float
  /// Which of the system's looks it has.
  public var material: Int32
  /// Which birth of the system it was, from 0: its own as long as it lives. Begins anew after 2³².
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

/// What the particles of one cell have in common to be drawn by.
public struct SpriteMaterial: Hashable, Sendable {
  /// The picture.
  public var contents: Contents
  /// The part of it that is shown.
  public var rect: UnitRect
  /// Pixels of the picture to a point.
  public var contentsScale: Double
  /// How it is made smaller.
  public var minification: ContentsFilter
  /// How it is made larger.
  public var magnification: ContentsFilter
  /// Shifts the choice among sizes of the picture.
  public var minificationBias: Double

  /// Makes a look.
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
