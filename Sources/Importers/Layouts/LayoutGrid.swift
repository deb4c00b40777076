import Rendering

/// Recognizes a full grid among positions, and the order of its wire. [control]
enum LayoutGrid {
  /// The columns, rows, first corner and order of the wire. Nil where a position is missing or off the grid, where
  /// the wire follows no known order, or where a side is longer than a graph allows.
  static func found(
    _ places: [LedLayout.Place?]
  ) -> (columns: Int, rows: Int, start: String, order: String)? {
    let known = places.compactMap(\.self)
    guard known.count == places.count, known.count > 1, known.allSatisfy({ $0.z == known[0].z }) else {
      return nil
    }
    let (left, right) = known.reduce((Double.infinity, -Double.infinity)) {
      (min($0.0, $1.x), max($0.1, $1.x))
    }
    let (top, bottom) = known.reduce((Double.infinity, -Double.infinity)) {
      (min($0.0, $1.y), max($0.1, $1.y))
    }
    // Neighbors of a grid are 1 apart.
    let (columns, rows) = (right - left + 1, bottom - top + 1)
    guard columns * rows == Double(known.count), max(columns, rows) <= Double(Canvas.most) else { return nil }
    let cells = known.map { (column: $0.x - left, row: $0.y - top) }
    for corner in ["top-left", "top-right", "bottom-left", "bottom-right"] {
      for order in ["rows", "serpentine", "columns", "serpentine-columns"]
      where runs(cells, Int(columns), Int(rows), corner, order) {
        return (Int(columns), Int(rows), corner, order)
      }
    }
    return nil
  }

  /// Whether the wire runs from this corner through all cells in this order.
  private static func runs(
    _ cells: [(column: Double, row: Double)], _ columns: Int, _ rows: Int, _ corner: String, _ order: String
  ) -> Bool {
    let isByColumns = order.hasSuffix("columns")
    let (isTurning, length) = (order.hasPrefix("serpentine"), isByColumns ? rows : columns)
    return cells.enumerated().allSatisfy { led, cell in
      let (line, step) = (led / length, led % length)
      let along = isTurning && line % 2 == 1 ? length - 1 - step : step
      var (column, row) = isByColumns ? (line, along) : (along, line)
      if corner.hasSuffix("right") { column = columns - 1 - column }
      if corner.hasPrefix("bottom") { row = rows - 1 - row }
      return cell.column == Double(column) && cell.row == Double(row)
    }
  }
}
