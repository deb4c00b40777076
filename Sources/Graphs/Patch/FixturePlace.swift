/// The positions of a row's fixtures on the stage: one point, or a polyline, in 0…1 of the width and height from the
/// top left.
struct FixturePlace: FieldValue {
  /// One point, or the corners of the polyline.
  var corners: [SIMD2<Double>]

  private static let point = ValueKind.pair(.number(.ratio, 0...1))
  private static let line = ValueKind.list(point, count: 2...64)
  static let kind = ValueKind.oneOf([point, line])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> FixturePlace? {
    let isLine = tree.list?.first?.list != nil
    let numbers =
      isLine
      ? [[Double]].read(tree, as: line, context) : [Double].read(tree, as: point, context).map { [$0] }
    return numbers.map { FixturePlace(corners: $0.map { SIMD2($0[0], $0[1]) }) }
  }

  func written(as kind: ValueKind) -> String {
    let points = corners.map { [$0.x, $0.y].written(as: Self.point) }
    return points.count == 1 ? points[0] : "[" + points.joined(separator: ", ") + "]"
  }

  /// The position of fixture `number` (from 0) of `count`. Fixtures are spaced evenly from the start of the line to its
  /// end.
  func place(of number: Int, among count: Int) -> SIMD2<Double> {
    let legs = zip(corners, corners.dropFirst()).map { (from: $0, way: $1 - $0) }
    let lengths = legs.map { ($0.way * $0.way).sum().squareRoot() }
    var left = count > 1 ? lengths.reduce(0, +) * Double(number) / Double(count - 1) : 0
    for (leg, length) in zip(legs, lengths) {
      if left <= length, length > 0 { return leg.from + leg.way * (left / length) }
      left -= length
    }
    return number == 0 ? corners[0] : corners[corners.count - 1]
  }
}
