import Rendering

/// Which of the parts of a film is made. [any]
struct FilmPart: Equatable, CustomStringConvertible {
  /// The most parts of a film.
  static let most = 100_000

  /// From 1.
  let number: Int
  /// How many there are.
  let count: Int

  /// Reads `3/7`; nil where it is no part of that many.
  init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      let number = Int(words[0]), let count = Int(words[1]), count <= Self.most, number >= 1, number <= count
    else { return nil }
    self.number = number
    self.count = count
  }

  var description: String { "\(number)/\(count)" }

  /// Its segments, from 0, of a film that is expected to have so many. The last part goes to the end, wherever that is.
  func segments(of expected: Int) -> Range<Int> {
    let first = (number - 1) * expected / count
    return first..<(number == count ? .max : number * expected / count)
  }
}

/// What a part is asked for with. [any]
struct PartRequest {
  /// Which one.
  var part: FilmPart
  /// How long a segment is, in seconds.
  var segment: Double
  /// What tells films of this show from others.
  var facts: [FilmFact]
}
