/// A text that is changed by lines and words.
struct LinedText {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The lines without their ends.
  private var lines: [[UInt8]] {
    get { bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init) }
    set { bytes = Array(newValue.joined(separator: [10])) }
  }

  mutating func insert(_ piece: [UInt8], at place: Int) { bytes.insert(contentsOf: piece, at: place) }

  mutating func moveLine(_ dice: inout Dice) {
    var lines = lines
    let line = lines.remove(at: dice.pick(lines.count))
    lines.insert(line, at: dice.pick(lines.count + 1))
    self.lines = lines
  }

  mutating func copyLine(_ dice: inout Dice) {
    var lines = lines
    lines.insert(dice.one(of: lines), at: dice.pick(lines.count + 1))
    self.lines = lines
  }

  mutating func removeLine(_ dice: inout Dice) {
    var lines = lines
    lines.remove(at: dice.pick(lines.count))
    self.lines = lines
  }

  /// Repeats some lines.
  mutating func repeatBlock(_ dice: inout Dice) {
    var lines = lines
    let start = dice.pick(lines.count)
    let block = lines[start..<min(lines.count, start + 1 + dice.pick(6))]
    let copies = repeatElement(block, count: 1 << dice.pick(8)).joined()
    lines.insert(contentsOf: Array(copies), at: start)
    self.lines = lines
  }

  /// Inserts a line of another text, with all lines indented under it, at the indentation of this place.
  mutating func splice(_ other: LinedText, _ dice: inout Dice) {
    let theirs = other.lines
    let start = dice.pick(theirs.count)
    let depth = Self.indent(theirs[start])
    var block = [theirs[start]]
    for line in theirs[(start + 1)...] {
      guard Self.indent(line) > depth else { break }
      block.append(line)
    }
    var lines = lines
    let place = dice.pick(lines.count)
    let shift = Self.indent(lines[place]) - depth
    let shifted = block.map { line in
      shift >= 0
        ? Array(repeating: 32, count: shift) + line : Array(line.dropFirst(min(-shift, Self.indent(line))))
    }
    lines.insert(contentsOf: shifted, at: place)
    self.lines = lines
  }

  private static func indent(_ line: [UInt8]) -> Int { line.prefix { $0 == 32 }.count }

  // MARK: - Words

  /// A random word of the text.
  func word(_ dice: inout Dice) -> String? {
    let words = ranges { $0.isWord }
    return words.isEmpty ? nil : String(decoding: bytes[dice.one(of: words)], as: UTF8.self)
  }

  mutating func replaceWord(with word: String, _ dice: inout Dice) {
    let words = ranges { $0.isWord }
    if !words.isEmpty { bytes.replaceSubrange(dice.one(of: words), with: word.utf8) }
  }

  mutating func replaceNumber(with number: String, _ dice: inout Dice) {
    let numbers = ranges { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x2D }.filter {
      bytes[$0].contains { $0 &- 0x30 < 10 }
    }
    if !numbers.isEmpty { bytes.replaceSubrange(dice.one(of: numbers), with: number.utf8) }
  }

  /// Replaces the value after a colon, up to a comma, a bracket or the end of the line.
  mutating func replaceValue(with value: String, _ dice: inout Dice) {
    let colons = bytes.indices.filter { bytes[$0] == 0x3A && $0 + 1 < bytes.count && bytes[$0 + 1] == 32 }
    guard !colons.isEmpty else { return }
    let start = dice.one(of: colons) + 2
    let end = bytes[start...].firstIndex { $0 == 10 || $0 == 0x2C || $0 == 0x7D || $0 == 0x5D } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: value.utf8)
  }

  private func ranges(of isPart: (UInt8) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for index in bytes.indices {
      if isPart(bytes[index]) {
        if start == nil { start = index }
      } else if let begin = start {
        ranges.append(begin..<index)
        start = nil
      }
    }
    return ranges
  }

  // MARK: - Nodes and wires

  /// The ids of nodes: keys that are indented once.
  private var ids: [String] {
    lines.compactMap { line in
      guard Self.indent(line) == 2, let colon = line.firstIndex(of: 0x3A), colon > 2 else { return nil }
      return String(decoding: line[2..<colon], as: UTF8.self)
    }
  }

  mutating func add(wireWith selector: String, _ dice: inout Dice) {
    let ids = ids
    guard !ids.isEmpty else { return }
    var wire = "  - \(dice.one(of: ids))\(selector)"
    for _ in 0...dice.pick(3) { wire += " -> \(dice.one(of: ids))" }
    var lines = lines
    let place = lines.lastIndex { $0.starts(with: Array("wires:".utf8)) }.map { $0 + 1 } ?? lines.count
    lines.insert(Array(wire.utf8), at: place)
    self.lines = lines
  }

  /// Adds a setting to a node's own, in either style of YAML.
  mutating func add(setting: String, _ value: String, _ dice: inout Dice) {
    let braces = bytes.indices.filter { bytes[$0] == 0x7B }
    if dice.pick(2) == 0, !braces.isEmpty {
      insert(Array(" \(setting): \(value),".utf8), at: dice.one(of: braces) + 1)
    } else {
      var lines = lines
      let place = dice.pick(lines.count)
      let indent = String(repeating: " ", count: Self.indent(lines[place]))
      lines.insert(Array("\(indent)\(setting): \(value)".utf8), at: place)
      self.lines = lines
    }
  }

  mutating func add(node type: String, _ dice: inout Dice) {
    var lines = lines
    let place = lines.lastIndex { $0.starts(with: Array("nodes:".utf8)) }.map { $0 + 1 } ?? lines.count
    let ids = ids
    let like = ids.isEmpty || dice.pick(2) == 0
    let kind = like ? "type: \(type)" : "like: \(dice.one(of: ids))"
    lines.insert(Array("  n\(dice.pick(4)): { \(kind) }".utf8), at: place)
    self.lines = lines
  }
}

extension UInt8 {
  /// Whether it is part of a word in files.
  fileprivate var isWord: Bool {
    (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 || self == 0x2D || self == 0x5F || self == 0x2E
      || self >= 0x80
  }
}
