/// The declaration of a number of a layer or cell.
public struct NumberProperty<Root>: Sendable {
  /// The name in paths (`scale`, `position.x`). It never changes once released.
  public let name: String
  /// Apple's full names, which paths may use as well (`emitterPosition.x`).
  public let aliases: [String]
  /// Its unit.
  public let unit: NumberUnit
  /// The legal range, both ends included.
  public let range: ClosedRange<Double>
  /// The meaning, in a sentence.
  public let help: String
  /// The property that stores the number.
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

/// A layer or a cell: it has numbers and cells, which paths find by name.
public protocol NumberHolder {
  /// Its own numbers, in the order of the docs.
  static var numbers: [NumberProperty<Self>] { get }
  /// Properties that are no numbers, each with the kind of value that it has.
  static var others: [String: String] { get }
  /// The cells that it emits.
  var cells: [Cell] { get }
}

/// The unit of a number of a layer or cell.
public enum NumberUnit: String, Sendable, CaseIterable {
  /// A factor or another number without a unit.
  case factor
  /// A whole number.
  case whole
  case seconds
  /// Births per second.
  case perSecond
  case factorPerSecond
  case radians
  case radiansPerSecond
  /// Points, neither across nor down.
  case points
  /// Points from left to right.
  case pointsAcross
  /// Points from top to bottom.
  case pointsDown
  case pointsPerSecond
  case pointsPerSecondSquared
  /// A fraction of a whole, 0…1.
  case part
  /// Change of a fraction per second.
  case partPerSecond
}
