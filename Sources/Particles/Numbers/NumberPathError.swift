/// Why a path names no number: the reason, the place in the path, and what could stand there.
public struct NumberPathError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The path ends before a number.
    case incomplete
    /// There is no cell of that name.
    case unknownCell
    /// There is no property of that name.
    case unknownProperty
    /// The property exists but is no number. The value says what it is, in two words.
    case notANumber(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The whole path, as given.
  public let path: String
  /// The part at fault, as given.
  public let part: String
  /// Where that part stands in the path, in Unicode scalars from 0; empty at the end of an incomplete path.
  public let position: Range<Int>
  /// The plain path of the layer or cell that was searched: empty for the layer, or such as `cells.spark`.
  public let place: String
  /// What could stand there, in the plain names.
  public let known: [String]
  /// All words that could stand there, Apple's full names included.
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
