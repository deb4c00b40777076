import Particles

/// An emitter made from a particle file. Every number is clamped to its range, and that is noted. [control]
struct EmitterDraft {
  /// The layer, without its cell.
  var layer = Layer()
  /// Its only cell.
  var cell = Cell(name: "particle")
  /// The losses and changes so far.
  private(set) var notes: [ImportNote] = []

  /// Notes that something was lost or changed.
  mutating func note(_ kind: ImportNote.Kind, _ keys: [String], _ message: String) {
    if !keys.isEmpty { notes.append(ImportNote(kind, keys, message)) }
  }

  /// Sets a number of the cell. `keys` are the keys of the particle file that it comes from.
  mutating func set(
    cell path: any WritableKeyPath<Cell, Double> & Sendable, _ value: Double, from keys: String...
  ) {
    cell[keyPath: path] = clamped(value, Cell.numbers.first { ($0.path as AnyKeyPath) == path }, keys)
  }

  /// Sets a number of the layer.
  mutating func set(
    layer path: any WritableKeyPath<Layer, Double> & Sendable, _ value: Double, from keys: String...
  ) {
    layer[keyPath: path] = clamped(value, Layer.numbers.first { ($0.path as AnyKeyPath) == path }, keys)
  }

  /// Sets the most living particles.
  mutating func setLimit(_ value: Double, from key: String) {
    let legal = min(max(value, 1), 1_000_000)
    if legal != value {
      note(
        .changed, [key],
        "limit takes 1…1000000, so it is \(Decimal.text(legal)) and not \(Decimal.text(value))")
    }
    layer.limit = Int(legal)
  }

  /// Clamps a value to the range of its property, and notes a change.
  private mutating func clamped<Root>(
    _ value: Double, _ property: NumberProperty<Root>?, _ keys: [String]
  ) -> Double {
    guard let property else { return value }
    guard !value.isNaN else {
      note(.changed, keys, "\(property.name) comes to no number, so it stays as it is")
      return max(0, property.range.lowerBound)
    }
    let legal = min(max(value, property.range.lowerBound), property.range.upperBound)
    if legal != value {
      note(
        .changed, keys,
        "\(property.name) takes \(Decimal.text(property.range.lowerBound))…\(Decimal.text(property.range.upperBound))"
          + ", so it is \(Decimal.text(legal)) and not \(Decimal.text(value))")
    }
    // The programs that write these files use single precision; rounded so, the number has few digits.
    return Double(Float(legal))
  }
}
