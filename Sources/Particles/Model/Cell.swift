/// One kind of particle, with the properties of CAEmitterCell and Apple's defaults. A particle may itself emit the
/// particles of `cells`.
///
/// Names, units and defaults come from CAEmitterCell.h and Apple's page on CAEmitterCell. `style` is left out,
/// because it only holds defaults for other properties. A range is the deviation from the mean to either side, unless
/// the layer's `ranges` are `.whole`.
public struct Cell: Hashable, Sendable {
  /// The name by which paths find it (`cells.NAME.scale`).
  public var name = ""
  /// Whether particles are born.
  public var enabled = true
  /// Births per second.
  public var birthRate = 0.0
  /// The mean lifetime, in seconds.
  public var lifetime = 0.0
  /// The deviation of lifetimes, in seconds.
  public var lifetimeRange = 0.0
  /// The mean direction out of the plane of x and y towards z, in radians.
  public var emissionLatitude = 0.0
  /// The mean direction in the plane of x and y, in radians, clockwise on the screen.
  public var emissionLongitude = 0.0
  /// The full opening angle around the mean direction, in radians.
  public var emissionRange = 0.0
  /// Mean speed at birth, in points per second.
  public var velocity = 0.0
  /// The deviation of speeds, in points per second.
  public var velocityRange = 0.0
  /// The acceleration to the right, in points per second².
  public var xAcceleration = 0.0
  /// The acceleration downwards, in points per second².
  public var yAcceleration = 0.0
  /// The acceleration towards the viewer, in points per second².
  public var zAcceleration = 0.0
  /// Mean factor on the size of the contents.
  public var scale = 1.0
  /// The deviation of the factor.
  public var scaleRange = 0.0
  /// Change of the factor per second.
  public var scaleSpeed = 0.0
  /// Mean rotation speed, in radians per second, clockwise.
  public var spin = 0.0
  /// The deviation of rotation speeds, in radians per second.
  public var spinRange = 0.0
  /// The mean color, which multiplies the contents.
  public var color = Color()
  /// The deviation of red, 0…1.
  public var redRange = 0.0
  /// The deviation of green, 0…1.
  public var greenRange = 0.0
  /// The deviation of blue, 0…1.
  public var blueRange = 0.0
  /// The deviation of alpha, 0…1.
  public var alphaRange = 0.0
  /// Change per second.
  public var redSpeed = 0.0
  /// Change per second.
  public var greenSpeed = 0.0
  /// Change per second.
  public var blueSpeed = 0.0
  /// Change per second.
  public var alphaSpeed = 0.0
  /// What a particle looks like. Apple's cells are invisible until they have contents; here `.none` says that.
  public var contents = Contents.soft
  /// The part of the picture that is shown.
  public var contentsRect = UnitRect()
  /// Pixels of the picture per point.
  public var contentsScale = 1.0
  /// The filter for drawing the picture smaller.
  public var minificationFilter = ContentsFilter.linear
  /// The filter for drawing the picture larger.
  public var magnificationFilter = ContentsFilter.linear
  /// Added to the mipmap level that a filter chooses; a positive one chooses a smaller picture.
  public var minificationFilterBias = 0.0
  /// When the cell begins, in the layer's time, and how fast its own time runs.
  public var timing = Timing()
  /// The cells that each particle of this one emits.
  public var cells: [Cell] = []

  /// A cell with Apple's defaults.
  public init(name: String = "") { self.name = name }
}

/// The time of a cell within the time of its layer, with the properties of CAMediaTiming and Apple's defaults.
public struct Timing: Hashable, Sendable {
  /// When the cell begins, in seconds of the layer's time.
  public var beginTime = 0.0
  /// Length of one run, in seconds of the cell's own time.
  public var duration = Double.infinity
  /// Seconds of own time per second of the layer's time.
  public var speed = 1.0
  /// The cell's own time at its beginning, in seconds.
  public var timeOffset = 0.0
  /// The number of runs; less than 1 counts as 1.
  public var repeatCount = 0.0
  /// Whether a run backwards follows each run forwards.
  public var autoreverses = false
  /// Whether the cell emits before its beginning and after its end.
  public var fillMode = FillMode.removed

  /// Makes the timing that Apple's defaults give.
  public init() {}
}

/// Whether a cell emits before its time begins and after it ends. Raw values are Apple's names.
public enum FillMode: String, Sendable, CaseIterable {
  /// It emits at neither end.
  case removed
  /// It goes on emitting after its end.
  case forwards
  /// It emits before its beginning.
  case backwards
  /// It emits before its beginning and after its end.
  case both

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .removed: "nothing before and after"
    case .forwards: "the end goes on"
    case .backwards: "the beginning holds before it"
    case .both: "forwards and backwards"
    }
  }
}
