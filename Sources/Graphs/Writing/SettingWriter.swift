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
    /// The targets of those that have no place in the file.
    public var left: [String] { reasons.map(\.target) }
    /// Those again, and why each has none, in half a sentence.
    public var reasons: [(target: String, why: String)] = []
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
      result.reasons += overrides.map { ($0.target, "with it the graph has a fault") }
      return result
    }
    var kept: [Override] = []
    for (index, override) in overrides.enumerated() {
      let rest = kept + overrides[(index + 1)...]
      let texts = edits(for: override, in: result.source).map { apply($0, to: result.source) }
      let made = texts.lazy.map { ($0, checker.check($0, overrides: given + rest).graph?.writtenSettings) }
      if let (new, _) = made.first(where: { $0.1 == wanted }) {
        result.source = new
        result.written.append(override.target)
      } else {
        kept.append(override)
        result.reasons.append(
          (override.target, why(override, made.first?.1, wanted, hasPlace: !texts.isEmpty)))
      }
    }
    return result
  }

  /// Why a setting has no place: by what would be read where it is written, each node's settings, against what is wanted.
  private func why(
    _ override: Override, _ read: [String]?, _ wanted: [String], hasPlace: Bool
  ) -> String {
    if given.contains(where: { SettingTarget.overlap($0.target, override.target) }) {
      return "the command line sets it"
    }
    guard hasPlace else { return "what stands there cannot be replaced" }
    guard let read, read.count == wanted.count else { return "the graph would have a fault" }
    let node = override.target.prefix { $0 != "." }
    let changed = zip(read, wanted).filter { $0 != $1 }.map { $0.0.prefix { $0 != ":" } }
    let others = changed.filter { $0 != node }
    return others.isEmpty
      ? "it would be read as something else" : "\(others.joined(separator: ", ")) would change with it"
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
        result.reasons.append((override.target, "the scene \(name) sets a part of it, or the whole"))
        return false
      }
      let before = read(result.source)
      let texts = sceneEdits(for: override, in: result.source, scene: name, graph)
        .map { apply($0, to: result.source) }
      let new = texts.first { text in
        before.map { read(text)?.isLike($0, butFor: override, inScene: name) == true } ?? false
      }
      if let new {
        result.source = new
        result.written.append(override.target)
      } else {
        result.reasons.append((override.target, "what the scene \(name) has there cannot be replaced"))
      }
      return false
    }
  }

  private func sceneEdits(
    for override: Override, in source: SourceText, scene: String, _ graph: CheckedGraph
  ) -> [Edit] {
    let (tree, faults) = Composer.compose(source)
    guard faults.isEmpty, let scene = tree?["scenes"]?[scene],
      let value = SettingText(override, graph.kind(at: override.target))
    else { return [] }
    return TextPlace(source).edits(scene, [override.target], value, nil)
  }

  private func apply(_ edit: Edit, to source: SourceText) -> SourceText {
    var bytes = source.bytes
    bytes.replaceSubrange(edit.bytes, with: Array(edit.text.utf8))
    return source.with(bytes)
  }

  /// Where a setting may stand and how it may be written, the likeliest first.
  private func edits(for override: Override, in source: SourceText) -> [Edit] {
    let path = override.target.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (tree, faults) = Composer.compose(source)
    guard faults.isEmpty, let tree, path.count > 1, let node = tree["nodes"]?[path[0]] else { return [] }
    let type = node["type"]?.text.flatMap { checker.catalog[$0] }
    let setting = path.dropFirst(path[1] == "each" && path.count > 3 ? 3 : 1).joined(separator: ".")
    guard let value = SettingText(override, type?.setting(at: setting)?.kind) else { return [] }
    let place = TextPlace(source)
    var ways = [Array(path.dropFirst())]
    // What a file of settings says is changed by its path.
    if let changes = type?.settingsFile?.changes {
      ways.append([changes, path.dropFirst().joined(separator: ".")])
    }
    return ways.flatMap { place.edits(node, $0[...], value, type) }
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
    return value(found) != nil && value(found) == value(override.value.text)
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
    // Changes by path have been carried out in the settings that they change.
    Node.Settings.fields.filter { $0.name != Node.settingsFile?.changes }
      .map { "\($0.name): \($0.written(settings))" }.joined(separator: ", ")
  }
}
