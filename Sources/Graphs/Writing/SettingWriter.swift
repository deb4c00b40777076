/// Writes settings into the text of a graph file, and leaves comments, order and spaces of the rest as they are.
/// [control]
///
/// Every edit is verified: it counts only if the graph that is read from the new text is the one that was wanted.
public struct SettingWriter {
  /// The new text, and the settings in it.
  public struct Result {
    /// The text with the settings in it.
    public var source: SourceText
    /// The targets of the settings that were written.
    public var written: [String] = []
    /// The targets of the settings that could not be written.
    public var left: [String] { reasons.map(\.target) }
    /// The same, each with the reason as a clause.
    public var reasons: [(target: String, why: String)] = []
  }

  private let checker: Checker
  /// The settings of the command line, which are not written into the file.
  private let given: [Override]

  /// Makes a writer that verifies its edits with a checker.
  public init(_ checker: Checker, given: [Override]) {
    self.checker = checker
    self.given = given
  }

  /// Writes settings into a text, one after the other. A setting that the scene `scene` sets is written into that
  /// scene.
  public func write(_ overrides: [Override], into source: SourceText, scene: String? = nil) -> Result {
    var result = Result(source: source)
    var overrides = overrides
    if let scene { overrides = write(overrides, into: &result, scene: scene) }
    guard let wanted = checker.check(result.source, overrides: given + overrides).graph?.writtenSettings
    else {
      result.reasons += overrides.map { ($0.target, "the graph would have a fault") }
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

  /// The reason why a setting was not written. `read`: the settings of each node as read with the first possible
  /// edit; nil if that graph has a fault. `wanted`: those that were wanted.
  private func why(
    _ override: Override, _ read: [String]?, _ wanted: [String], hasPlace: Bool
  ) -> String {
    if given.contains(where: { SettingTarget.overlap($0.target, override.target) }) {
      return "the command line sets it"
    }
    guard hasPlace else { return "it cannot be placed in the file" }
    guard let read, read.count == wanted.count else { return "the graph would have a fault" }
    let node = override.target.prefix { $0 != "." }
    let changed = zip(read, wanted).filter { $0 != $1 }.map { $0.0.prefix { $0 != ":" } }
    let others = changed.filter { $0 != node }
    return others.isEmpty
      ? "it would be read back as another value" : "\(others.joined(separator: ", ")) would change with it"
  }

  /// Writes settings that a scene sets into that scene, and returns the others.
  private func write(_ overrides: [Override], into result: inout Result, scene name: String) -> [Override] {
    func read(_ source: SourceText) -> CheckedGraph? { checker.check(source, overrides: given).graph }
    guard let graph = read(result.source), let scene = graph.scene(.named(name), from: nil) else {
      return overrides
    }
    let paths = Set(scene.settings.map(\.path))
    return overrides.filter { override in
      guard paths.contains(override.target) else {
        // The scene sets a part of this setting, or the whole of which it is a part; a value in the node would have
        // no effect.
        guard paths.contains(where: { SettingTarget.overlap($0, override.target) }) else { return true }
        result.reasons.append(
          (override.target, "the scene \(name) sets a part of it, or a setting that contains it"))
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
        result.reasons.append((override.target, "its value in the scene \(name) cannot be replaced"))
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

  /// The possible edits that write a setting, the likeliest first.
  private func edits(for override: Override, in source: SourceText) -> [Edit] {
    let path = override.target.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (tree, faults) = Composer.compose(source)
    guard faults.isEmpty, let tree, path.count > 1, let node = tree["nodes"]?[path[0]] else { return [] }
    let type = node["type"]?.text.flatMap { checker.catalog[$0] }
    let setting = path.dropFirst(path[1] == "each" && path.count > 3 ? 3 : 1).joined(separator: ".")
    guard let value = SettingText(override, type?.setting(at: setting)?.kind) else { return [] }
    let place = TextPlace(source)
    var ways = [Array(path.dropFirst())]
    // A setting that comes from a file of settings is changed by its path.
    if let changes = type?.settingsFile?.changes {
      ways.append([changes, path.dropFirst().joined(separator: ".")])
    }
    return ways.flatMap { place.edits(node, $0[...], value, type) }
  }
}

extension CheckedGraph {
  /// Whether this graph differs from `other` in one setting of a scene alone, which has the value of `override`.
  /// Scenes that inherit from that scene may have it, too.
  fileprivate func isLike(_ other: CheckedGraph, butFor override: Override, inScene name: String) -> Bool {
    func value(_ text: String?) -> String? {
      text.flatMap { setting(Override(target: override.target, value: $0))?.graph.text(at: override.target) }
    }
    func rest(_ scene: ShowScene) -> [ShowScene.Setting] {
      scene.settings.filter { $0.path != override.target }
    }
    let found = scene(.named(name), from: nil)?.settings.first { $0.path == override.target }?.value
    return value(found) != nil && value(found) == value(override.value.text)
      && self.scenes.map(\.name) == other.scenes.map(\.name)
      && self.scenes.map(rest) == other.scenes.map(rest)
      && (name == self.main || writtenSettings == other.writtenSettings)
  }

  /// All settings of all nodes, as a graph file would write them; equal for graphs that do the same.
  fileprivate var writtenSettings: [String] { nodes.map { "\($0.id): \($0.typed.writtenSettings)" } }
}

extension TypedSettings {
  fileprivate var writtenSettings: String {
    let values = values
    let each = values.each.keys.sorted().map { "\($0): \(Self.text(values.each[$0] ?? values.all))" }
    return "\(Node.name) \(Self.text(values.all)) \(each)"
  }

  private static func text(_ settings: Node.Settings) -> String {
    // Changes by path are contained in the settings that they change.
    Node.Settings.fields.filter { $0.name != Node.settingsFile?.changes }
      .map { "\($0.name): \($0.written(settings))" }.joined(separator: ", ")
  }
}
