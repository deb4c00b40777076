/// The value of `--part`: the K-th of N parts of a job. [any]
struct PartArgument: Equatable, Sendable, CustomStringConvertible {
  /// The part, from 1.
  let number: Int
  /// The number of parts.
  let count: Int

  /// Reads `3/7`; nil unless 1 ≤ K ≤ N ≤ `mostParts`.
  init?(_ text: String, mostParts: Int = .max) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      let number = Int(parts[0]), let count = Int(parts[1]), count <= mostParts, number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }
}
