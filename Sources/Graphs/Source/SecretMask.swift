/// Masks secrets (keys of the control port and the pages) in notes, logs, diagnostics and the status. [any]
///
/// Known keys are masked anywhere. Unknown ones are masked after `/visgraph/key`, and after `key=` in a URL.
public struct SecretMask: Sendable {
  /// The text in place of a key; its length says nothing about that of the key.
  public static let cover = "••••••••"
  /// The shortest key, in bytes. Shorter texts could be part of any word.
  static let shortest = 8
  /// A mask without known keys.
  public static let unknown = SecretMask([])

  private let words: [[Unicode.Scalar]]

  /// Makes a mask of known keys.
  public init(_ words: [String]) {
    // Longest first: where one key begins with another, the whole of it is masked.
    let long = Set(words).filter { $0.utf8.count >= Self.shortest }.map { Array($0.unicodeScalars) }
    self.words = long.sorted { $0.count > $1.count }
  }

  /// The known keys.
  public var texts: [String] { words.map { String(String.UnicodeScalarView($0)) } }

  /// A text with all keys masked.
  public func masked(_ text: String) -> String {
    guard !words.isEmpty || text.contains("key") else { return text }
    let scalars = Array(text.unicodeScalars)
    let hidden = ranges(in: scalars)
    return hidden.isEmpty ? text : MaskedLine(scalars, hiding: hidden).text
  }

  /// The places of keys in a text, in order and disjoint.
  func ranges(in text: [Unicode.Scalar]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place < text.count {
      let rest = text[place...]
      if let word = words.first(where: { rest.starts(with: $0) }) {
        found.append(place..<place + word.count)
        place += word.count
      } else if let range = Self.message(rest) ?? Self.query(rest) {
        if !range.isEmpty { found.append(range) }
        place = range.upperBound
      } else {
        place += 1
      }
    }
    return found
  }

  /// The rest of the address after `/visgraph/key`, or the argument; nil where no such message begins.
  private static func message(_ text: ArraySlice<Unicode.Scalar>) -> Range<Int>? {
    guard text.first == "/", text.starts(with: "/visgraph/key".unicodeScalars) else { return nil }
    var start = text.startIndex + 13
    guard start < text.endIndex, text[start] == "/" || text[start] == " " else { return start..<start }
    while start < text.endIndex, text[start] == "/" || text[start] == " " { start += 1 }
    guard start < text.endIndex, text[start] == "\"" else {
      return start..<(text[start...].firstIndex { " \"',]}".unicodeScalars.contains($0) } ?? text.endIndex)
    }
    return start + 1..<(text[(start + 1)...].firstIndex(of: "\"") ?? text.endIndex)
  }

  /// The value after `?key=` or `&key=`; nil where no such query begins.
  private static func query(_ text: ArraySlice<Unicode.Scalar>) -> Range<Int>? {
    guard text.first == "?" || text.first == "&", text.dropFirst().starts(with: "key=".unicodeScalars) else {
      return nil
    }
    let start = text.startIndex + 5
    return start..<(text[start...].firstIndex { "&# \"',]}".unicodeScalars.contains($0) } ?? text.endIndex)
  }
}

/// A line with masked parts, and the positions of its columns after masking.
struct MaskedLine {
  /// The line with its masks.
  let text: String
  private let hidden: [Range<Int>]

  /// Masks ranges of a line; they must be in order and disjoint.
  init(_ line: [Unicode.Scalar], hiding hidden: [Range<Int>]) {
    var shown = String.UnicodeScalarView()
    var place = 0
    for range in hidden {
      shown += line[place..<range.lowerBound]
      shown += SecretMask.cover.unicodeScalars
      place = range.upperBound
    }
    shown += line[place...]
    text = String(shown)
    self.hidden = hidden
  }

  /// The position of a column (from 0) after masking; for a masked column the start of the mask, or its end.
  func column(_ column: Int, isEnd: Bool) -> Int {
    var shift = 0
    for range in hidden where range.lowerBound < column {
      let width = SecretMask.cover.unicodeScalars.count
      guard column < range.upperBound else {
        shift += width - range.count
        continue
      }
      return range.lowerBound + shift + (isEnd ? width : 0)
    }
    return column + shift
  }
}

/// Finds keys in lines of a graph file, including lines that are no valid YAML. [any]
enum KeyedLine {
  /// The ranges of a line (from 1) that are keys. `marks`: known places of keys; `mask`: their texts.
  static func ranges(_ number: Int, of lines: Lines, marks: [SourceRange], _ mask: SecretMask) -> [Range<Int>]
  {
    guard let line = lines[number] else { return [] }
    let text = Array(line.unicodeScalars)
    var all = mask.ranges(in: text) + written(in: text, number, lines)
    for mark in marks where (mark.line...mark.endLine).contains(number) {
      let first = mark.line == number ? mark.column - 1 : 0
      let last = mark.endLine == number ? mark.endColumn - 1 : text.count
      if first < last { all.append(min(first, text.count)..<min(last, text.count)) }
    }
    return all.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { apart, range in
      if let last = apart.last, range.lowerBound < last.upperBound {
        apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else if !range.isEmpty {
        apart.append(range)
      }
    }
  }

  /// The values after `key:` outside nodes, and after `stage:` and `desk:` below such a key.
  private static func written(in line: [Unicode.Scalar], _ number: Int, _ lines: Lines) -> [Range<Int>] {
    let words = ["key", "stage", "desk"].flatMap { word in
      values(of: word, in: line).map { (word: word, range: $0) }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    guard !words.isEmpty else { return [] }
    let outer = ancestors(of: line, number, lines)
    let isBelowKey = outer.contains { $0.contains("key") }
    var isOfNode = outer.reversed().lazy.compactMap(section(of:)).first == "nodes"
    var place = 0
    return words.compactMap { word, range in
      // What stands before the word before is known, so that a long line is read once.
      if let section = section(of: String(String.UnicodeScalarView(line[place..<range.lowerBound]))) {
        isOfNode = section == "nodes"
      }
      place = range.lowerBound
      // On the line of its key, another word is part of that key's range.
      return !isOfNode && (word == "key" || isBelowKey) ? range : nil
    }
  }

  /// The last of `nodes`, `control` and `view` in a text; nil: none of them.
  private static func section(of text: String) -> Substring? {
    text.split { !$0.isLetter }.last { ["nodes", "control", "view"].contains($0) }
  }

  /// The values after a word and a colon: a map in braces, or the text up to a comma, bracket, quote or comment.
  private static func values(of word: String, in line: [Unicode.Scalar]) -> [Range<Int>] {
    // The ends of the last value of each form, which those of the next may be.
    var (brace, stop) = (-1, -1)
    func end(_ found: inout Int, _ letters: String, from place: Int) -> Int {
      if found < place {
        found = line[place...].firstIndex { letters.unicodeScalars.contains($0) } ?? line.count
      }
      return found
    }
    return line.indices.compactMap { place in
      guard line[place...].starts(with: word.unicodeScalars),
        place == 0 || !line[place - 1].properties.isAlphabetic
      else { return nil }
      var next = place + word.unicodeScalars.count
      func skip(_ letters: String) {
        while next < line.count, letters.unicodeScalars.contains(line[next]) { next += 1 }
      }
      skip("\"' ")
      guard next < line.count, line[next] == ":" else { return nil }
      next += 1
      skip(" \t\"'")
      guard next < line.count else { return nil }
      return next..<(line[next] == "{" ? end(&brace, "}", from: next) : end(&stop, ",}]\"'#", from: next))
    }
  }

  /// The lines that contain a line by indentation, outermost first.
  private static func ancestors(of line: [Unicode.Scalar], _ number: Int, _ lines: Lines) -> [String] {
    func indentation(_ line: some Sequence<Unicode.Scalar>) -> Int { line.prefix { $0 == " " }.count }
    var (found, indent) = ([String](), indentation(line))
    for number in stride(from: number - 1, to: 0, by: -1) {
      if indent == 0 { break }
      guard let text = lines[number], text.contains(where: { !$0.isWhitespace }) else { continue }
      let own = indentation(text.unicodeScalars)
      guard own < indent else { continue }
      (indent, found) = (own, [text] + found)
    }
    return found
  }
}

extension Diagnostic {
  /// The diagnostic with masked keys, including keys that are invalid because of their length.
  func masked(_ keys: [String], _ mask: SecretMask) -> Diagnostic {
    func masked(_ text: String) -> String {
      mask.masked(keys.reduce(text) { $0.replacing(quote($1), with: "\"\(SecretMask.cover)\"") })
    }
    var result = self
    (result.message, result.notes) = (masked(message), notes.map(masked))
    return result
  }
}
