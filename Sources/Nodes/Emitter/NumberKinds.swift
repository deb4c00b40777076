import Graphs
import Particles

extension NumberUnit {
  /// The unit as graph files have it; speeds are written as what is covered in a second.
  var inGraphs: Graphs.Unit {
    switch self {
    case .factor, .whole, .factorPerSecond: .none
    case .seconds: .seconds
    case .perSecond: .perSecond
    case .radians, .radiansPerSecond: .radians
    case .points, .pointsPerSecond, .pointsPerSecondSquared: .points
    case .pointsAcross: .pointsAcross
    case .pointsDown: .pointsDown
    case .part, .partPerSecond: .ratio
    }
  }
}

extension NumberProperty {
  /// What a graph file may give for it.
  var kind: Kind { .number(unit.inGraphs, range, whole: unit == .whole) }

  /// The declaration of a number by its name, which one of our own files spells.
  static func named(_ name: String) -> NumberProperty<Root> where Root: NumberHolder {
    guard let number = Root.numbers.first(where: { $0.name == name }) else { fatalError("no number \(name)") }
    return number
  }
}

extension NumberHolder {
  /// The numbers that are settings of their own, by index: all but the parts of points, colours and rectangles.
  static var plainNumbers: [Int] { numbers.indices.filter { !numbers[$0].name.contains(".") } }
}

extension DrivenNumber {
  /// What a graph file may give for it.
  var kind: Kind { .number(unit.inGraphs, range, whole: unit == .whole) }
}
