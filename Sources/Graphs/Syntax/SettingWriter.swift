/// Writes settings into the text of a graph file and leaves all else of it as it is: comments, order, spaces. [control]
///
/// Nothing is taken on trust: a text counts only when the graph that is read from it is the one that was wanted.
public struct SettingWriter {
  /// What became of the settings.
  public struct Result {
    /// The text with the settings in it.
    public var source: SourceText
    /// The targets of those that are in it.
    public var written: [String] = []
    /// The targets of those that have no place in the file: the value is made of parts, or the command line says otherwise.
    public var left: [String] = []
  }

  private let checker: Checker
  /// What the command line sets, which stays there.
  private let given: [Override]

  /// A writer of graphs that this checker takes.
  public init(_ checker: Checker, given: [Override]) {
    self.checker = checker
    self.given = given
  }

  /// Writes settings into a text, one after the other; those that the scene sets which runs into that scene.
  public func write(_ overrides: [Override], into source: SourceText, scene: String? = nil) -> Result {
    var result = Result(source: source)
    var overrides = overrides
    if let scene { overrides = write(overrides, into: &result, scene: scene) }
    guard let wanted = checker.check(result.source, overrides: given + overrides).graph?.writtenSettings
    else {
      result.left += overrides.map(\.target)
      return result
    }
    var kept: [Override] = []
    for (index, override) in overrides.enumerated() {
      let rest = kept + overrides[(index + 1)...]
      let new = edits(for: override, in: result.source).lazy.map { apply($0, to: result.source) }.first {
        text in
        checker.check(text, overrides: given + rest).graph?.writtenSettings == wanted
      }
      if let new {
        result.source = new
        result.written.append(override.target)
      } else {
        kept.append(override)
        result.left.append(override.target)
      }
    }
    return result
  }

  /// Writes what a scene sets into that scene, and gives all else.
  private func write(_ overrides: [Override], into result: inout Result, scene name: String) -> [Override] {
    func read(_ source: SourceText) -> CheckedGraph? { checker.check(source, overrides: given).graph }
    guard let graph = read(result.source), let scene = graph.scene(.named(name), from: nil) else {
      return overrides
    }
    let paths = Set(scene.settings.map(\.path))
    return overrides.filter { override in
      guard paths.contains(override.target) else {
        // What is a part of what the scene sets, or has it as a part, would have no effect in the node.
        guard paths.contains(where: { SettingTarget.overlap($0, override.target) }) else { return true }
        result.left.append(override.target)
        return false
      }
      let new = sceneEdit(for: override, in: result.source, scene: name).map { apply($0, to: result.source) }
      if let new, let before = read(result.source), let after = read(new),
        after.isLike(before, butFor: override, inScene: name)
      {
        result.source = new
        result.written.append(override.target)
      } else {
        result.left.append(override.target)
      }
      return false
    }
  }

  private func sceneEdit(for override: Override, in source: SourceText, scene: String) -> Edit? {
    let (tree, faults) = Composer.compose(source)
    guard faults.isEmpty, let scene = tree?["scenes"]?[scene],
      let value = override.tree(ReadContext(fps: FrameRate(60), stage: Stage(), folder: "."))
    else { return nil }
    return TextPlace(source).edit(scene, [override.target], value.asWritten, nil)
      .map { Edit(bytes: $0.bytes, text: $0.text) }
  }

  /// A piece of text in place of some bytes.
  private struct Edit {
    var bytes: Range<Int>
    var text: String
  }

  private func apply(_ edit: Edit, to source: SourceText) -> SourceText {
    var bytes = source.bytes
    bytes.replaceSubrange(edit.bytes, with: Array(edit.text.utf8))
    return SourceText(path: source.path, bytes: bytes)
  }

  /// Where a setting may stand, the likeliest place first.
  private func edits(for override: Override, in source: SourceText) -> [Edit] {
    let path = override.target.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (tree, faults) = Composer.compose(source)
    guard faults.isEmpty, let tree, path.count > 1, let node = tree["nodes"]?[path[0]],
      let value = override.tree(ReadContext(fps: FrameRate(60), stage: Stage(), folder: "."))
    else { return [] }
    let type = node["type"]?.text.flatMap { checker.catalog[$0] }
    let place = TextPlace(source)
    let text = value.asWritten
    var ways = [Array(path.dropFirst())]
    // What a file of settings says is changed by its path.
    if let changes = type?.settingsFile?.changes {
      ways.append([changes, path.dropFirst().joined(separator: ".")])
    }
    return ways.compactMap {
      place.edit(node, $0[...], text, type).map { Edit(bytes: $0.bytes, text: $0.text) }
    }
  }
}

/// Finds where in a text a value stands, or would stand.
private struct TextPlace {
  private let bytes: [UInt8]
  private let lines: Lines

  init(_ source: SourceText) {
    bytes = source.bytes
    lines = Lines(source.bytes)
  }

  /// What to put where, so that a key within a tree has a value; nil where there is no place for it. `type` is that of the
  /// node whose settings the first key is one of.
  func edit(
    _ tree: Tree, _ keys: ArraySlice<String>, _ value: String, _ type: (any NodeType.Type)?
  ) -> (bytes: Range<Int>, text: String)? {
    guard !keys.isEmpty else { return replacement(of: tree, by: value) }
    // Names may hold dots: the longest that fits is meant.
    for count in (1...keys.count).reversed() {
      let name = keys.prefix(count).joined(separator: ".")
      if let pair = tree.map?.first(where: { isMeant($0, name, type) }) {
        return edit(pair.value, keys.dropFirst(count), value, nil)
      }
    }
    let new = keys.dropFirst().reversed().reduce(value) { "{ \(key($1)): \($0) }" }
    return insertion(into: tree, "\(key(keys[keys.startIndex])): \(new)")
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

  private func replacement(of tree: Tree, by value: String) -> (Range<Int>, String)? {
    guard let begin = offset(tree.mark.line, tree.mark.column), let end = end(of: tree), begin <= end else {
      return nil
    }
    if tree.isNothing { return (begin..<begin, " \(value)") }
    // A list may be as deep as its key, and what stands in its place has to lie deeper.
    let isBlockList = tree.list != nil && begin < bytes.count && bytes[begin] == UInt8(ascii: "-")
    return (begin..<end, isBlockList ? "  \(value)" : value)
  }

  private func insertion(into tree: Tree, _ text: String) -> (Range<Int>, String)? {
    guard let begin = offset(tree.mark.line, tree.mark.column) else { return nil }
    if tree.isNothing { return (begin..<begin, " { \(text) }") }
    guard let pairs = tree.map else { return nil }
    let isFlow = begin < bytes.count && bytes[begin] == UInt8(ascii: "{")
    guard let last = pairs.last else { return isFlow ? (begin + 1..<begin + 1, " \(text) ") : nil }
    if isFlow {
      guard let end = end(of: last.value) else { return nil }
      return (end..<end, ", \(text)")
    }
    let indent = String(repeating: " ", count: pairs[0].key.mark.column - 1)
    // Behind the line that says what the node is, with the comment that may stand there.
    let head = pairs.first { ["type", "like"].contains($0.key.text) } ?? pairs[0]
    if let value = head.value.text, !value.contains("\n"), head.value.mark.line == head.value.mark.endLine,
      !isBlockText(head.value), let end = endOfLine(head.value.mark.line)
    {
      let isWindows = end > 0 && end < bytes.count && bytes[end] == 0x0D
      return (end..<end, (isWindows ? "\r\n" : "\n") + indent + text)
    }
    guard let key = offset(pairs[0].key.mark.line, pairs[0].key.mark.column) else { return nil }
    return (key..<key, "\(text)\n\(indent)")
  }

  /// Where a tree ends. The end that libyaml tells of a block is the beginning of what follows, comments skipped.
  private func end(of tree: Tree) -> Int? {
    let begin = offset(tree.mark.line, tree.mark.column)
    switch tree.content {
    case .scalar: return isBlockText(tree) ? nil : offset(tree.mark.endLine, tree.mark.endColumn)
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

  /// Whether it is a text of several lines, which begins with | or >.
  private func isBlockText(_ tree: Tree) -> Bool {
    guard case .scalar(_, quoted: _) = tree.content, let begin = offset(tree.mark.line, tree.mark.column),
      begin < bytes.count
    else { return false }
    return bytes[begin] == UInt8(ascii: "|") || bytes[begin] == UInt8(ascii: ">")
  }

  private func offset(_ line: Int, _ column: Int) -> Int? { lines.offset(line: line, column: column) }

  /// Where the break of a line begins.
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

extension Tree {
  /// The value under a key of a map.
  fileprivate subscript(key: String) -> Tree? { map?.first { $0.key.text == key }?.value }

  /// A value of the control port as a person would write it: bare where YAML takes it so.
  fileprivate var asWritten: String {
    guard case .scalar(let text, quoted: false) = content else { return flow }
    let characters = "._%+-/ ".utf8
    let isPlain = text.utf8.allSatisfy {
      ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || characters.contains($0)
    }
    return isPlain && text.utf8.first != 0x20 && text.utf8.last != 0x20 && !text.hasPrefix("- ")
      && !text.isEmpty
      ? text : flow
  }
}

extension CheckedGraph {
  /// Whether a graph differs from another in one setting of a scene alone, which has a value there. Scenes that are like
  /// that scene may have it too.
  fileprivate func isLike(_ other: CheckedGraph, butFor override: Override, inScene name: String) -> Bool {
    func value(_ text: String?) -> String? {
      text.flatMap { setting(Override(target: override.target, value: $0))?.graph.text(at: override.target) }
    }
    func rest(_ scene: ShowScene) -> [ShowScene.Setting] {
      scene.settings.filter { $0.path != override.target }
    }
    let found = scene(.named(name), from: nil)?.settings.first { $0.path == override.target }?.value
    return value(found) != nil && value(found) == value(override.value)
      && scenes.map(\.name) == other.scenes.map(\.name) && scenes.map(rest) == other.scenes.map(rest)
      && (name == main || writtenSettings == other.writtenSettings)
  }

  /// All settings of all nodes, as a graph file would write them: equal for graphs that do the same.
  fileprivate var writtenSettings: [String] { nodes.map { "\($0.id): \($0.typed.writtenSettings)" } }
}

extension TypedSettings {
  fileprivate var writtenSettings: String {
    let values = values
    let each = values.each.keys.sorted().map { "\($0): \(Self.text(values.each[$0] ?? values.all))" }
    return "\(Node.name) \(Self.text(values.all)) \(each)"
  }

  private static func text(_ settings: Node.Settings) -> String {
    Node.Settings.fields.map { "\($0.name): \($0.written(settings))" }.joined(separator: ", ")
  }
}
