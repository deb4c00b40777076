extension Layer {
  /// Resolves a path such as `scale`, `emitterPosition.x` or `cells.spark.cells.glow.scale`.
  ///
  /// Apple's full names are accepted (`emitterCells.cell.scale`). A cell's name may contain dots; where several names
  /// match, the longest counts. [control]
  public func number(at path: String) throws(NumberPathError) -> ResolvedNumber {
    var walk = PathWalk(path)
    return try walk.resolve(in: self)
  }

  /// The addresses of all numbers: the layer's own first, then those of its cells. [control]
  public var allNumbers: [ResolvedNumber] { everyNumber(of: self, place: "", cells: []) }
}

/// `place`: the path of the holder, ending in a dot; `cells`: the same as indices of cells.
private func everyNumber(of holder: some NumberHolder, place: String, cells: [Int]) -> [ResolvedNumber] {
  var found = own(of: holder, place: place, cells: cells)
  for (index, cell) in holder.cells.enumerated() {
    found += everyNumber(of: cell, place: "\(place)cells.\(cell.name).", cells: cells + [index])
  }
  return found
}

private func own<Holder: NumberHolder>(of holder: Holder, place: String, cells: [Int]) -> [ResolvedNumber] {
  Holder.numbers.enumerated().map { index, number in
    ResolvedNumber(
      path: place + number.name, unit: number.unit, range: number.range, cells: cells, index: index)
  }
}

/// The state of resolving one path. Positions are indices of `scalars`.
private struct PathWalk {
  private let path: String
  private let scalars: [Unicode.Scalar]
  /// The position up to which the path has been resolved.
  private var start = 0
  /// The plain path of the cell that has been reached; empty for the layer.
  private var place = ""
  /// The index of the cell at each depth.
  private var cells: [Int] = []

  init(_ path: String) {
    self.path = path
    scalars = Array(path.unicodeScalars)
  }

  mutating func resolve<Holder: NumberHolder>(in holder: Holder) throws(NumberPathError) -> ResolvedNumber {
    let rest = text(start..<scalars.count)
    if let index = Holder.numbers.firstIndex(where: { $0.name == rest || $0.aliases.contains(rest) }) {
      let number = Holder.numbers[index]
      return ResolvedNumber(
        path: prefix + number.name, unit: number.unit, range: number.range, cells: cells, index: index)
    }
    let head = text(start..<end(from: start))
    guard head == "cells" || head == "emitterCells" else { throw noNumber(rest, head, Holder.self, holder) }
    let headEnd = start + head.unicodeScalars.count
    guard headEnd < scalars.count - 1 else {
      let names = holder.cells.map(\.name)
      throw fault(.incomplete, scalars.count..<scalars.count, known: names, words: names)
    }
    start = headEnd + 1
    let found = try cell(among: holder.cells)
    let cell = holder.cells[found.index]
    place = prefix + "cells." + cell.name
    cells.append(found.index)
    guard found.end < scalars.count - 1 else {
      throw fault(
        .incomplete, scalars.count..<scalars.count, known: words(of: Cell.self, cell, plain: true),
        words: words(of: Cell.self, cell, plain: false))
    }
    start = found.end + 1
    return try resolve(in: cell)
  }

  private var prefix: String { place.isEmpty ? "" : place + "." }

  /// The cell with the longest name that the path continues with: its index, and the position after its name.
  private func cell(among cells: [Cell]) throws(NumberPathError) -> (index: Int, end: Int) {
    var best: (index: Int, end: Int)?
    // Access by index, because iterating would copy every cell.
    for index in cells.indices {
      var end = start
      for scalar in cells[index].name.unicodeScalars {
        // Stops at the first difference: there may be thousands of cells, and most names differ in the first letter.
        guard end < scalars.count, scalars[end] == scalar else {
          end = start
          break
        }
        end += 1
      }
      guard end > best?.end ?? start, end == scalars.count || scalars[end] == "." else { continue }
      best = (index, end)
    }
    if let best { return best }
    let names = cells.map(\.name)
    throw fault(.unknownCell, start..<end(from: start), known: names, words: names)
  }

  /// Makes the error for a path that continues with `rest`, whose first part is `head`.
  private func noNumber<Holder: NumberHolder>(
    _ rest: String, _ head: String, _ type: Holder.Type, _ holder: Holder
  ) -> NumberPathError {
    if rest.isEmpty {
      return fault(
        .incomplete, start..<start, known: words(of: type, holder, plain: true),
        words: words(of: type, holder, plain: false))
    }
    if let kind = Holder.others[rest] {
      let inside = Holder.numbers.filter { number in
        ([number.name] + number.aliases).contains { $0.hasPrefix(rest + ".") }
      }.map(\.name)
      let known = inside.isEmpty ? words(of: type, holder, plain: true) : inside
      return fault(.notANumber(kind), start..<scalars.count, known: known, words: known)
    }
    return fault(
      .unknownProperty, start..<scalars.count, known: words(of: type, holder, plain: true),
      words: words(of: type, holder, plain: false))
  }

  /// The words that may follow; if `plain`, without Apple's full names.
  private func words<Holder: NumberHolder>(of type: Holder.Type, _ holder: Holder, plain: Bool) -> [String] {
    let own = type.numbers.flatMap { plain ? [$0.name] : [$0.name] + $0.aliases }
    let inside = holder.cells.map { "cells.\($0.name)" }
    return own + inside
  }

  private func fault(
    _ reason: NumberPathError.Reason, _ position: Range<Int>, known: [String], words: [String]
  ) -> NumberPathError {
    NumberPathError(
      reason: reason, path: path, part: text(position), position: position, place: place, known: known,
      words: words)
  }

  /// The position of the next dot.
  private func end(from start: Int) -> Int { scalars[start...].firstIndex(of: ".") ?? scalars.count }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }
}
