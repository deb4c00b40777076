/// A note that suggests the nearest known word; empty where none is near.
func didYouMean(_ word: String, _ known: [String]) -> [String] {
  nearest(to: word, among: known).map { ["did you mean \($0)?"] } ?? []
}

/// The nearest known word by edit distance; nil where none is near enough. Of equals the first is taken.
func nearest(to word: String, among known: [String]) -> String? {
  let letters = letters(of: word)
  guard (1...64).contains(letters.count) else { return nil }
  var rows = DistanceRows()
  var best: (word: String, distance: Int)?
  // The candidates are limited to bound the time.
  for candidate in known.prefix(500) where candidate.utf8.count <= 256 {
    let other = Graphs.letters(of: candidate)
    let most = min(3, min(letters.count, other.count) / 3, (best?.distance ?? .max) - 1)
    guard other.count <= 64, abs(other.count - letters.count) <= most else { continue }
    if let distance = rows.distance(letters, other, most: most) { best = (candidate, distance) }
  }
  return best?.word
}

/// The first code points of a word, in lower case.
private func letters(of word: String) -> [UInt32] {
  let bytes = word.utf8.prefix(65)
  if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map { UInt32($0 &- 0x41 < 26 ? $0 | 0x20 : $0) } }
  return word.prefix(65).lowercased().unicodeScalars.prefix(65).map(\.value)
}

/// The rows of the distance matrix, kept to avoid an allocation per word.
private struct DistanceRows {
  private var beforeLast = [Int](repeating: 0, count: 66)
  private var last = [Int](repeating: 0, count: 66)
  private var row = [Int](repeating: 0, count: 66)

  /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors. Words have at
  /// most 64 code points. Nil above `most`.
  mutating func distance(_ first: [UInt32], _ second: [UInt32], most: Int) -> Int? {
    let far = most + 1
    for j in 0...second.count { last[j] = min(j, far) }
    for i in 0..<first.count {
      // Cells further from the diagonal than `most` have a larger distance.
      let (low, high) = (max(0, i - most), min(second.count - 1, i + most))
      guard low <= high else { return nil }
      row[low] = low == 0 ? min(i + 1, far) : far
      var least = row[low]
      for j in low...high {
        let same = first[i] == second[j]
        var way = min(row[j] + 1, (j < i + most ? last[j + 1] : far) + 1, last[j] + (same ? 0 : 1))
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          way = min(way, beforeLast[j - 1] + 1)
        }
        row[j + 1] = min(way, far)
        least = min(least, way)
      }
      if least > most { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[second.count] <= most ? last[second.count] : nil
  }
}
