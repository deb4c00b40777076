/// Which of the parts is made that a work is divided into, as `--part` has it. [any]
struct PartArgument: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  let number: Int
  /// How many there are.
  let count: Int

  /// Reads `3/7`; nil where it is no part of that many, or where there are more than `most`.
  init?(_ text: String, most: Int = .max) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      let number = Int(words[0]), let count = Int(words[1]), count <= most, number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }
}
