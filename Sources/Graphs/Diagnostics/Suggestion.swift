/// A note with the known word that is nearest to what was written; empty when none is near.
func didYouMean(_ word: String, _ known: [String]) -> [String] {
  nearest(to: word, among: known).map { ["did you mean \($0)?"] } ?? []
}

/// The nearest known word by edit distance, if it is near enough to be meant; the first of equals.
func nearest(to word: String, among known: [String]) -> String? {
  let letters = Array(word.lowercased().unicodeScalars.prefix(65))
  guard (1...64).contains(letters.count) else { return nil }
  var best: (word: String, distance: Int)?
  for candidate in known.prefix(1000) {
    let other = Array(candidate.lowercased().unicodeScalars.prefix(65))
    let most = min(3, min(letters.count, other.count) / 3)
    guard other.count <= 64, abs(other.count - letters.count) <= most else { continue }
    let distance = editDistance(letters, other)
    if distance <= most, distance < best?.distance ?? Int.max { best = (candidate, distance) }
  }
  return best?.word
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
  var beforeLast = [Int](repeating: 0, count: second.count + 1)
  var last = Array(0...second.count)
  for i in 0..<first.count {
    var row = [i + 1] + [Int](repeating: 0, count: second.count)
    for j in 0..<second.count {
      let same = first[i] == second[j]
      row[j + 1] = min(row[j] + 1, last[j + 1] + 1, last[j] + (same ? 0 : 1))
      if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
        row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
      }
    }
    beforeLast = last
    last = row
  }
  return last[second.count]
}
