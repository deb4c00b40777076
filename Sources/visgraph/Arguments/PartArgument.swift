/// The value of `--part`: the K-th of N parts of a job. [any]
struct PartArgument: Equatable, Sendable, CustomStringConvertible {
  /// K, from 1.
  let number: Int
  /// N.
  let count: Int

  /// Reads `3/7`; nil unless 1 ≤ K ≤ N ≤ `most`.
  init?(_ text: String, most: Int = .max) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      let number = Int(words[0]), let count = Int(words[1]), count <= most, number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }
}
