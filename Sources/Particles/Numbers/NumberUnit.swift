/// The unit of a number of a layer or cell.
public enum NumberUnit: String, Sendable, CaseIterable {
  /// A factor or a plain number.
  case factor
  /// A whole number.
  case whole
  /// Seconds.
  case seconds
  /// Births a second.
  case perSecond
  /// Factors a second.
  case factorPerSecond
  /// Radians.
  case radians
  /// Radians a second.
  case radiansPerSecond
  /// Points in no direction of the stage.
  case points
  /// Points from left to right.
  case pointsAcross
  /// Points from top to bottom.
  case pointsDown
  /// Points a second.
  case pointsPerSecond
  /// Points a second, each second.
  case pointsPerSecondSquared
  /// Parts of a whole, 0…1.
  case part
  /// Parts of a whole, each second.
  case partPerSecond
}
