/// The resolved address of one number in the tree of a layer: a path read once, then followed without text.
///
/// It belongs to the layer it was resolved on and to every copy with the same cells.
public struct ResolvedNumber: Hashable, Sendable {
  /// The path in its plain form (`cells.spark.scale`), whatever words it was resolved from.
  public let path: String
  /// Its unit.
  public let unit: NumberUnit
  /// Its legal range.
  public let range: ClosedRange<Double>
  /// The way through the cells, by index; empty for a number of the layer itself.
  let cells: [Int]
  /// Which of the numbers of the layer or cell.
  let number: Int

  /// Two addresses are the same when they lead to the same number.
  public static func == (a: ResolvedNumber, b: ResolvedNumber) -> Bool {
    a.number == b.number && a.cells == b.cells
  }

  /// Hashes the way, not the words.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(cells)
    hasher.combine(number)
  }
}

extension Layer {
  /// The number at an address; NaN is read, and nothing written, where the layer has no such cell. [frame]
  public subscript(number: ResolvedNumber) -> Double {
    get {
      guard let first = number.cells.first else { return self[keyPath: Self.numbers[number.number].path] }
      guard cells.indices.contains(first) else { return .nan }
      return cells[first].value(number, depth: 1)
    }
    set {
      guard let first = number.cells.first else {
        self[keyPath: Self.numbers[number.number].path] = newValue
        return
      }
      if cells.indices.contains(first) { cells[first].set(number, depth: 1, to: newValue) }
    }
  }
}

extension Cell {
  fileprivate func value(_ number: ResolvedNumber, depth: Int) -> Double {
    guard depth < number.cells.count else { return self[keyPath: Self.numbers[number.number].path] }
    let next = number.cells[depth]
    return cells.indices.contains(next) ? cells[next].value(number, depth: depth + 1) : .nan
  }

  fileprivate mutating func set(_ number: ResolvedNumber, depth: Int, to value: Double) {
    guard depth < number.cells.count else {
      self[keyPath: Self.numbers[number.number].path] = value
      return
    }
    let next = number.cells[depth]
    if cells.indices.contains(next) { cells[next].set(number, depth: depth + 1, to: value) }
  }
}
