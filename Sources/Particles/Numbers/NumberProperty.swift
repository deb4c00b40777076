/// One number of a layer or cell, declared once: its names, unit, legal range, meaning and place.
public struct NumberProperty<Root>: Sendable {
  /// The name in paths (`scale`, `position.x`); it never changes once released.
  public let name: String
  /// Apple's full words, understood as well (`emitterPosition.x`).
  public let aliases: [String]
  /// Its unit.
  public let unit: NumberUnit
  /// Its legal range; both ends belong to it.
  public let range: ClosedRange<Double>
  /// What it is, in a sentence.
  public let help: String
  /// Where it is kept.
  public let path: any WritableKeyPath<Root, Double> & Sendable

  init(
    _ name: String, _ path: any WritableKeyPath<Root, Double> & Sendable, _ unit: NumberUnit,
    _ range: ClosedRange<Double>, aliases: [String] = [], _ help: String
  ) {
    self.name = name
    self.aliases = aliases
    self.unit = unit
    self.range = range
    self.help = help
    self.path = path
  }
}

/// What layers and cells have in common: numbers and cells under names.
public protocol NumberHolder {
  /// Every number of its own, in the order of the docs.
  static var numbers: [NumberProperty<Self>] { get }
  /// Names of what is not a number, and what it is.
  static var others: [String: String] { get }
  /// What it emits.
  var cells: [Cell] { get }
}

/// The unit of a number of a layer or cell.
public enum NumberUnit: String, Sendable, CaseIterable {
  /// A factor or a plain number.
  case factor
  /// A whole number.
  case whole
  case seconds
  /// Births a second.
  case perSecond
  case factorPerSecond
  case radians
  case radiansPerSecond
  /// Points in no direction of the stage.
  case points
  /// Points from left to right.
  case pointsAcross
  /// Points from top to bottom.
  case pointsDown
  case pointsPerSecond
  case pointsPerSecondSquared
  /// Parts of a whole, 0…1.
  case part
  /// Parts of a whole, each second.
  case partPerSecond
}
