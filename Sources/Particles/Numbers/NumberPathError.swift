/// Why a path names no number: the reason, the position in the path, and the words that are allowed there.
public struct NumberPathError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The path ends before a number.
    case incomplete
    /// There is no cell of that name.
    case unknownCell
    /// There is no property of that name.
    case unknownProperty
    /// The property exists but is no number. The value is its kind, such as `a color`.
    case notANumber(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The whole path, as given.
  public let path: String
  /// The part at fault, as given.
  public let part: String
  /// The position of that part in the path, in Unicode scalars from 0; empty at the end of an incomplete path.
  public let position: Range<Int>
  /// The plain path of the layer or cell that was searched, such as `cells.spark`; empty for the layer.
  public let place: String
  /// The plain names that are allowed there.
  public let known: [String]
  /// All words that are allowed there, including Apple's full names.
  public let words: [String]

  /// The stable error code, in kebab case.
  public var code: String {
    switch reason {
    case .incomplete: "key-incomplete"
    case .unknownCell: "unknown-cell"
    case .unknownProperty: "unknown-key"
    case .notANumber: "key-not-a-number"
    }
  }
}

extension NumberPathError {
  /// The path that the author probably meant, or nil. The part at fault is replaced by the nearest known word, or a
  /// missing `cells.` is put before a cell's name. [control]
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

  /// The allowed word with the least edit distance from the part at fault; nil if that distance is above a third of the
  /// letters, within 1…3. Looks at the first 1000 words, and at words of up to 64 letters.
  private var nearestWord: String? {
    let letters = Array(part.lowercased().unicodeScalars.prefix(65))
    guard (1...64).contains(letters.count) else { return nil }
    var best: (word: String, distance: Int)?
    for word in words.prefix(1000) {
      let other = Array(word.lowercased().unicodeScalars.prefix(65))
      let mostEdits = max(1, min(3, min(letters.count, other.count) / 3))
      guard other.count <= 64, abs(other.count - letters.count) <= mostEdits else { continue }
      let distance = Self.distance(letters, other)
      if distance <= mostEdits, distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  /// The Levenshtein distance: the least number of insertions, deletions and replacements of letters.
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
