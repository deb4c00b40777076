/// The address of one number in a layer's tree of cells. It consists of indices, so that access compares no names.
///
/// It is valid for the layer for which it was resolved, and for every copy with the same cells.
public struct ResolvedNumber: Hashable, Sendable {
  /// The plain path (`cells.spark.scale`), also if it was resolved from Apple's names.
  public let path: String
  /// Its unit.
  public let unit: NumberUnit
  /// Its legal range.
  public let range: ClosedRange<Double>
  /// The index of the cell at each depth; empty for a number of the layer itself.
  let cells: [Int]
  /// The index among the numbers of the layer or cell.
  let index: Int

  /// Two addresses are the same when they lead to the same number.
  public static func == (a: ResolvedNumber, b: ResolvedNumber) -> Bool {
    a.index == b.index && a.cells == b.cells
  }

  /// Hashes the indices, not the path.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(cells)
    hasher.combine(index)
  }
}

extension Layer {
  /// Reads or writes the number at an address. Where the layer has no such cell, reading gives NaN and writing does
  /// nothing. [frame]
  public subscript(address: ResolvedNumber) -> Double {
    get {
      guard let first = address.cells.first else { return self[keyPath: Self.numbers[address.index].path] }
      guard cells.indices.contains(first) else { return .nan }
      return cells[first].value(address, depth: 1)
    }
    set {
      guard let first = address.cells.first else {
        self[keyPath: Self.numbers[address.index].path] = newValue
        return
      }
      if cells.indices.contains(first) { cells[first].set(address, depth: 1, to: newValue) }
    }
  }
}

extension Cell {
  fileprivate func value(_ address: ResolvedNumber, depth: Int) -> Double {
    guard depth < address.cells.count else { return self[keyPath: Self.numbers[address.index].path] }
    let next = address.cells[depth]
    return cells.indices.contains(next) ? cells[next].value(address, depth: depth + 1) : .nan
  }

  fileprivate mutating func set(_ address: ResolvedNumber, depth: Int, to value: Double) {
    guard depth < address.cells.count else {
      self[keyPath: Self.numbers[address.index].path] = value
      return
    }
    let next = address.cells[depth]
    if cells.indices.contains(next) { cells[next].set(address, depth: depth + 1, to: value) }
  }
}
