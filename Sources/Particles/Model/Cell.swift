/// One kind of particle: what CAEmitterCell holds, with Apple's defaults. A particle may itself emit `cells`.
///
/// Source of names, units and defaults: CAEmitterCell.h and Apple's page on CAEmitterCell. Left out is `style`,
/// which only holds defaults for other properties.
public struct Cell: Hashable, Sendable {
  /// The name by which paths find it (`cells.NAME.scale`).
  public var name = ""
  /// Whether particles are born.
  public var enabled = true
  /// Births a second.
  public var birthRate = 0.0
  /// Seconds.
  public var lifetime = 0.0
  /// Seconds, to either side.
  public var lifetimeRange = 0.0
  /// Radians out of the plane, towards z.
  public var emissionLatitude = 0.0
  /// Radians in the plane of x and y.
  public var emissionLongitude = 0.0
  /// Radians: the opening of the cone about that direction.
  public var emissionRange = 0.0
  /// Points a second.
  public var velocity = 0.0
  /// Points a second, to either side.
  public var velocityRange = 0.0
  /// Points a second, each second.
  public var xAcceleration = 0.0
  /// Points a second, each second.
  public var yAcceleration = 0.0
  /// Points a second, each second.
  public var zAcceleration = 0.0
  /// A factor on the size of the contents.
  public var scale = 1.0
  /// A factor, to either side.
  public var scaleRange = 0.0
  /// By how much the factor grows a second.
  public var scaleSpeed = 0.0
  /// Radians a second.
  public var spin = 0.0
  /// Radians a second, to either side.
  public var spinRange = 0.0
  /// Multiplied with the contents.
  public var color = Color()
  /// To either side.
  public var redRange = 0.0
  /// To either side.
  public var greenRange = 0.0
  /// To either side.
  public var blueRange = 0.0
  /// To either side.
  public var alphaRange = 0.0
  /// By how much it grows a second.
  public var redSpeed = 0.0
  /// By how much it grows a second.
  public var greenSpeed = 0.0
  /// By how much it grows a second.
  public var blueSpeed = 0.0
  /// By how much it grows a second.
  public var alphaSpeed = 0.0
  /// What a particle looks like. Apple's cells show nothing until they are given contents; here that is `.none`.
  public var contents = Contents.soft
  /// The part of the picture that is shown.
  public var contentsRect = UnitRect()
  /// Pixels of the picture to a point.
  public var contentsScale = 1.0
  /// How the picture is made smaller.
  public var minificationFilter = ContentsFilter.linear
  /// How the picture is made larger.
  public var magnificationFilter = ContentsFilter.linear
  /// Shifts the choice among sizes of the picture for `trilinear`.
  public var minificationFilterBias = 0.0
  /// When it begins, within the layer's time, and how its own time runs.
  public var timing = Timing()
  /// What each of its particles emits.
  public var cells: [Cell] = []

  /// A cell with Apple's defaults.
  public init(name: String = "") { self.name = name }
}

/// The time of a cell within the time of its layer: what CAMediaTiming holds, with Apple's defaults.
public struct Timing: Hashable, Sendable {
  /// Seconds of the layer's time at which it begins.
  public var beginTime = 0.0
  /// Seconds; infinite unless given.
  public var duration = Double.infinity
  /// How fast its time runs; 1 is as fast as the layer's.
  public var speed = 1.0
  /// Seconds of its own time at which it begins.
  public var timeOffset = 0.0
  /// How often it repeats.
  public var repeatCount = 0.0
  /// Whether it runs backwards after each run forwards.
  public var autoreverses = false
  /// What holds before its beginning and after its end.
  public var fillMode = FillMode.removed

  /// Apple's defaults.
  public init() {}
}

/// What holds before a cell's time begins and after it ends; raw values are Apple's names.
public enum FillMode: String, Sendable, CaseIterable {
  /// Nothing at either end.
  case removed
  /// The end goes on.
  case forwards
  /// The beginning holds before it.
  case backwards
  /// Both.
  case both

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .removed: "nothing before and after"
    case .forwards: "the end goes on"
    case .backwards: "the beginning holds before it"
    case .both: "forwards and backwards"
    }
  }
}
