/// Finds the place of a value in a text, or the place where a new one may be written.
struct TextPlace {
  private let bytes: [UInt8]
  private let lines: Lines

  init(_ source: SourceText) {
    bytes = source.bytes
    lines = Lines(source.bytes)
  }

  /// The possible edits that give a key within a tree a value, the likeliest first; none if there is no place for it.
  /// `type` is the type of the node if the first key is a setting of a node.
  func edits(
    _ tree: Tree, _ keys: ArraySlice<String>, _ value: SettingText, _ type: (any NodeType.Type)?
  ) -> [Edit] {
    guard !keys.isEmpty else {
      return value.ways(inPlaceOf: tree).compactMap { replacement(of: tree, by: $0) }
    }
    // Names may have dots; the longest name that fits counts.
    for count in (1...keys.count).reversed() {
      let name = keys.prefix(count).joined(separator: ".")
      if let pair = tree.map?.first(where: { isMeant($0, name, type) }) {
        return edits(pair.value, keys.dropFirst(count), value, nil)
      }
    }
    return value.ways(inPlaceOf: nil).compactMap { text in
      let new = keys.dropFirst().reversed().reduce(text) { "{ \(key($1)): \($0) }" }
      return insertion(into: tree, "\(key(keys[keys.startIndex])): \(new)")
    }
  }

  private func isMeant(_ pair: Tree.Pair, _ name: String, _ type: (any NodeType.Type)?) -> Bool {
    guard let key = pair.key.text else { return false }
    return key == name || type?.isOneSetting(key, name) == true
  }

  private func key(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "._-".utf8.contains($0)
    }
    return isPlain ? name : yamlText(name)
  }

  private func replacement(of tree: Tree, by value: String) -> Edit? {
    guard let begin = offset(tree.mark.line, tree.mark.column), let end = end(of: tree), begin <= end else {
      return nil
    }
    if tree.isNothing { return Edit(bytes: begin..<begin, text: " \(value)") }
    // A list may be indented as its key is, but a value in its place has to be indented deeper.
    let isBlockList = tree.list != nil && begin < bytes.count && bytes[begin] == UInt8(ascii: "-")
    return Edit(bytes: begin..<end, text: isBlockList ? "  \(value)" : value)
  }

  private func insertion(into tree: Tree, _ text: String) -> Edit? {
    guard let begin = offset(tree.mark.line, tree.mark.column) else { return nil }
    if tree.isNothing { return Edit(bytes: begin..<begin, text: " { \(text) }") }
    guard let pairs = tree.map else { return nil }
    let isFlow = begin < bytes.count && bytes[begin] == UInt8(ascii: "{")
    guard let last = pairs.last else {
      return isFlow ? Edit(bytes: begin + 1..<begin + 1, text: " \(text) ") : nil
    }
    if isFlow {
      guard let end = end(of: last.value) else { return nil }
      return Edit(bytes: end..<end, text: ", \(text)")
    }
    let indent = String(repeating: " ", count: pairs[0].key.mark.column - 1)
    // After the line with `type` or `like`, and the comment that it may have.
    let head = pairs.first { ["type", "like"].contains($0.key.text) } ?? pairs[0]
    if let value = head.value.text, !value.contains("\n"), head.value.mark.line == head.value.mark.endLine,
      !isBlockText(head.value), let end = endOfLine(head.value.mark.line)
    {
      let isWindows = end > 0 && end < bytes.count && bytes[end] == 0x0D
      return Edit(bytes: end..<end, text: (isWindows ? "\r\n" : "\n") + indent + text)
    }
    guard let key = offset(pairs[0].key.mark.line, pairs[0].key.mark.column) else { return nil }
    return Edit(bytes: key..<key, text: "\(text)\n\(indent)")
  }

  /// The byte offset at which a tree ends. For a block, libyaml states the beginning of the next token, which lies
  /// after comments, so a block ends here with its last value.
  private func end(of tree: Tree) -> Int? {
    let begin = offset(tree.mark.line, tree.mark.column)
    switch tree.content {
    case .scalar: return isBlockText(tree) ? nil : offset(tree.mark.endLine, tree.mark.endColumn)
    case .number, .flag: return nil
    case .list(let values):
      if let begin, begin < bytes.count, bytes[begin] == UInt8(ascii: "[") {
        return offset(tree.mark.endLine, tree.mark.endColumn)
      }
      return values.last.flatMap(end)
    case .map(let pairs):
      if let begin, begin < bytes.count, bytes[begin] == UInt8(ascii: "{") {
        return offset(tree.mark.endLine, tree.mark.endColumn)
      }
      return pairs.last.flatMap { end(of: $0.value) }
    }
  }

  /// Whether a scalar is a block scalar, which begins with `|` or `>`.
  private func isBlockText(_ tree: Tree) -> Bool {
    guard case .scalar(_, quoted: _) = tree.content, let begin = offset(tree.mark.line, tree.mark.column),
      begin < bytes.count
    else { return false }
    return bytes[begin] == UInt8(ascii: "|") || bytes[begin] == UInt8(ascii: ">")
  }

  private func offset(_ line: Int, _ column: Int) -> Int? { lines.offset(line: line, column: column) }

  /// The byte offset of the line break of a line.
  private func endOfLine(_ line: Int) -> Int? {
    guard let text = lines[line] else { return nil }
    return lines.offset(line: line, column: 1).map { $0 + text.utf8.count }
  }
}

extension NodeType {
  /// Whether two keys are names of one setting.
  fileprivate static func isOneSetting(_ a: String, _ b: String) -> Bool {
    guard let field = Settings.field(a) else { return false }
    return field.name == Settings.field(b)?.name
  }
}
