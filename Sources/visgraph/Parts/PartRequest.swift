/// Parts of films. [any]
extension PartArgument {
  static let mostOfFilm = 100_000

  /// The segments of this part, from 0, of a film with `expected` segments. The last part has no upper bound, because
  /// the film may turn out longer.
  func segments(of expected: Int) -> Range<Int> {
    let first = (number - 1) * expected / count
    return first..<(number == count ? .max : number * expected / count)
  }
}

/// The part that the command line asks for, with the inputs of its film. [any]
struct PartRequest {
  var part: PartArgument
  /// The length of a segment, in s.
  var segment: Double
  /// The inputs of the film. Parts can be joined only if these are equal.
  var facts: [FilmFact]
}
