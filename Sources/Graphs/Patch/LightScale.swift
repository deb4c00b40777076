internal import Particles

/// A map from numbers in the unit of an attribute to the level 0…1 of its slots. [any]
public struct LightScale: Sendable, Equatable {
  /// A range of levels with numbers, interpolated linearly between its ends.
  struct Piece: Sendable, Equatable {
    /// The levels at both ends.
    let levels: (low: Double, high: Double)
    /// The level where both ends have the same number.
    let middle: Double
    /// The numbers at both ends; the first may be the larger one.
    let numbers: (low: Double, high: Double)
    /// The color of a wheel's filter in sRGB, scaled so that its largest component is 1; nil: no filter.
    let color: SIMD3<Float>?

    static func == (one: Piece, other: Piece) -> Bool {
      one.levels == other.levels && one.middle == other.middle && one.numbers == other.numbers
        && one.color == other.color
    }
  }

  /// A level with a name: a gobo, a program.
  struct Position: Sendable, Equatable {
    let name: String
    let level: Float
  }

  /// The number at level 0, in the unit of the attribute.
  public let low: Double
  /// The number at level 1.
  public let high: Double
  /// The ranges with numbers. Without any, numbers are interpolated from `low` to `high`.
  let pieces: [Piece]
  /// The levels with names.
  let positions: [Position]

  /// A linear map.
  init(_ low: Double, _ high: Double) {
    (self.low, self.high, pieces, positions) = (low, high, [], [])
  }

  /// The map of a channel of 1…3 slots with ranges. `numbersAll`: if no range has a number, the ranges are numbered
  /// from 1, as on wheels.
  init(_ ranges: [FixtureRange], width: Int, numbersAll: Bool, _ whole: (Double, Double)) {
    let finer = Double(1 << (8 * (width - 1)))
    let full = 256 * finer - 1
    let counts = numbersAll && !ranges.contains { $0.numbers != nil }
    var (pieces, positions) = ([Piece](), [Position]())
    for (index, range) in ranges.enumerated() {
      let (first, last) = (Double(range.first), Double(range.last))
      let middle = ((first + last) / 2).rounded(.down) * finer / full
      if let name = range.name { positions.append(Position(name: name, level: Float(middle))) }
      guard let numbers = range.numbers ?? (counts ? (Double(index + 1), Double(index + 1)) : nil) else {
        continue
      }
      pieces.append(
        Piece(
          levels: (first * finer / full, (last * finer + finer - 1) / full), middle: middle, numbers: numbers,
          color: range.color.map(Self.pure)))
    }
    (self.pieces, self.positions) = (pieces, positions)
    let ends = pieces.flatMap { [$0.numbers.low, $0.numbers.high] }
    (low, high) = (ends.min() ?? whole.0, ends.max() ?? whole.1)
  }

  private init(_ low: Double, _ high: Double, _ pieces: [Piece], _ positions: [Position]) {
    (self.low, self.high, self.pieces, self.positions) = (low, high, pieces, positions)
  }

  /// The map without numbers above `most`, and without names of levels outside the remaining ranges. A slot without
  /// remaining ranges stays 0. A linear map is returned as it is.
  public func limited(to most: Double) -> LightScale {
    if pieces.isEmpty { return LightScale(low, high, [], []) }
    var kept: [Piece] = []
    for piece in pieces {
      var (numbers, levels) = (piece.numbers, piece.levels)
      guard min(numbers.low, numbers.high) <= most else { continue }
      let part = (most - numbers.low) / (numbers.high - numbers.low)
      // Rounds to the side of the smaller number, so that the rounding of the slot does not exceed `most`.
      let value = (levels.low + part * (levels.high - levels.low)) * Double(UInt8.max)
      let isRising = (levels.high > levels.low) == (numbers.high > numbers.low)
      let step = value.rounded(isRising ? .down : .up) / Double(UInt8.max)
      let ends = (min(levels.low, levels.high), max(levels.low, levels.high))
      let level = max(ends.0, min(ends.1, step))
      if numbers.high > most { (numbers.high, levels.high) = (most, level) }
      if numbers.low > most { (numbers.low, levels.low) = (most, level) }
      let isPoint = piece.numbers.low != piece.numbers.high && numbers.low == numbers.high
      kept.append(
        Piece(levels: levels, middle: isPoint ? level : piece.middle, numbers: numbers, color: piece.color))
    }
    let known = positions.filter { position in
      kept.contains { piece in
        let (low, high) = (min(piece.levels.low, piece.levels.high), max(piece.levels.low, piece.levels.high))
        return (low...high).contains(Double(position.level))
      }
    }
    if kept.isEmpty { kept = [Piece(levels: (0, 0), middle: 0, numbers: (0, 0), color: nil)] }
    return LightScale(low, min(high, most), kept, known)
  }

  /// Whether each number 0…1 is its own level.
  public var isPlain: Bool { pieces.isEmpty && low == 0 && high == 1 }

  /// Whether some range has a filter's color.
  public var hasColors: Bool { pieces.contains { $0.color != nil } }

  /// The numbers at levels 0 and 1 of a linear map; nil for a map with ranges.
  public var line: (low: Double, high: Double)? { pieces.isEmpty ? (low, high) : nil }

  /// The level of a number in a linear map, clamped to 0…1.
  @inlinable public static func level(of number: Double, from low: Double, to high: Double) -> Float {
    Float(max(0, min(1, (number - low) / (high - low))))
  }

  /// The level of the nearest number of the map.
  public func level(of number: Double) -> Float {
    if pieces.isEmpty { return Self.level(of: number, from: low, to: high) }
    var (nearest, level) = (Double.infinity, 0.0)
    for piece in pieces {
      let numbers = piece.numbers
      let inside = max(min(numbers.low, numbers.high), min(max(numbers.low, numbers.high), number))
      let distance = abs(number - inside)
      guard distance < nearest else { continue }
      nearest = distance
      level =
        numbers.low == numbers.high
        ? piece.middle
        : piece.levels.low + (inside - numbers.low) / (numbers.high - numbers.low)
          * (piece.levels.high - piece.levels.low)
    }
    return Float(max(0, min(1, level)))
  }

  /// The level of the filter nearest to an sRGB color. Both are scaled so that their largest component is 1, then
  /// compared by squared distance.
  public func level(ofColor light: SIMD3<Float>) -> Float {
    let wanted = Self.pure(light)
    var (nearest, level) = (Float.infinity, 0.0)
    for piece in pieces {
      guard let color = piece.color else { continue }
      let apart = ((color - wanted) * (color - wanted)).sum()
      if apart < nearest { (nearest, level) = (apart, piece.middle) }
    }
    return Float(level)
  }

  /// The level of a name, case-insensitive; nil for an unknown name.
  public func level(named name: String) -> Float? {
    let name = name.lowercased()
    return positions.first { $0.name.lowercased() == name }?.level
  }

  /// The names for `level(named:)`, in the order of the ranges.
  public var names: [String] { positions.map(\.name) }

  /// A color scaled so that its largest component is 1; black becomes white.
  private static func pure(_ light: SIMD3<Float>) -> SIMD3<Float> {
    let most = light.max()
    return most > 0 ? light / most : SIMD3(repeating: 1)
  }

  private static func pure(_ color: Color) -> SIMD3<Float> {
    pure(SIMD3(Float(color.red), Float(color.green), Float(color.blue)))
  }
}
