/// Parts of films. [any]
extension PartArgument {
  /// The most parts of a film.
  static let mostOfFilm = 100_000

  /// The segments of the part, from 0, of a film that is expected to have so many. The last part goes to the end, wherever
  /// that is.
  func segments(of expected: Int) -> Range<Int> {
    let first = (number - 1) * expected / count
    return first..<(number == count ? .max : number * expected / count)
  }
}

/// What a part is asked for with. [any]
struct PartRequest {
  /// Which one.
  var part: PartArgument
  /// How long a segment is, in seconds.
  var segment: Double
  /// What tells films of this show from others.
  var facts: [FilmFact]
}
