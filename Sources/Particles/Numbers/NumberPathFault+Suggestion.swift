extension NumberPathFault {
  /// The whole path that was probably meant, if one is near: the part at fault in the nearest known word, or a cell's
  /// name with the `cells.` in front that was left out. [control]
  public var suggestion: String? {
    let scalars = Array(path.unicodeScalars)
    let head = part.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
    let word = words.contains("cells." + head) ? "cells." + part : nearestWord
    guard let word, reason != .incomplete else { return nil }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars[..<position.lowerBound])
    result.append(contentsOf: word.unicodeScalars)
    result.append(contentsOf: scalars[position.upperBound...])
    return String(result)
  }

  private var nearestWord: String? {
    let letters = Array(part.lowercased().unicodeScalars.prefix(65))
    guard (1...64).contains(letters.count) else { return nil }
    var best: (word: String, distance: Int)?
    for word in words.prefix(1000) {
      let other = Array(word.lowercased().unicodeScalars.prefix(65))
      let most = max(1, min(3, min(letters.count, other.count) / 3))
      guard other.count <= 64, abs(other.count - letters.count) <= most else { continue }
      let distance = Self.distance(letters, other)
      if distance <= most, distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  /// Levenshtein's distance: insertions, deletions and replacements.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
      }
    }
    return row[second.count]
  }
}
