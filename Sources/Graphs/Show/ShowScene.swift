/// A scene of a graph: the values of all settings that any scene sets. [any]
public struct ShowScene: Equatable, Sendable {
  /// A setting and its value in the scene.
  public struct Setting: Equatable, Sendable {
    /// The path of the setting, such as `sparks.cells.spark.birthRate` or `gain.each.2.gain`.
    public let path: String
    /// The value as text of a graph file.
    public let value: String

    /// Makes a setting.
    public init(path: String, value: String) { (self.path, self.value) = (path, value) }
  }

  /// The range of a crossing's duration, in seconds.
  public static let times = 0.0...3600

  /// The name of the scene.
  public let name: String
  /// The default duration of the crossing to it, in seconds; nil: at once.
  public let seconds: Double?
  /// Every setting that any scene of the graph sets, in file order. A setting that this scene leaves out has its value
  /// of the node.
  public let settings: [Setting]
  /// The ids of nodes that are off.
  public let off: [String]
}

/// A choice of a scene.
public enum SceneChoice: Equatable, Sendable {
  /// The scene with a name.
  case named(String)
  /// The scene after the current one, in file order; after the last comes the first.
  case next
  /// The scene before the current one; before the first comes the last.
  case previous
}

/// A scene as a graph file writes it.
struct SceneSettings: FieldRecord, FieldValue {
  /// A setting by its path, with its place.
  struct Setting {
    let path: String
    let mark: SourceRange
    let value: Tree
  }

  var like: String?
  var off: [String]?
  var seconds: Double?
  /// The settings that the scene sets itself, without those of `like`.
  private(set) var settings: [Setting] = []
  /// The place of `like`, and those of the entries of `off`.
  private(set) var likeMark: SourceRange?
  private(set) var offMarks: [SourceRange] = []

  static let recordName = "scene"
  static let takesPaths = true
  static let fields: [Field<SceneSettings>] = [
    Field("like", \.like, .text(), "Another scene, whose settings and nodes that are off hold here too."),
    Field(
      "off", \.off, .list(.text(), count: 0...1000),
      "The ids of nodes that are off. What that means is stated by each type (`visgraph nodes TYPE`): a source is "
        + "silent and plays on, an emitter has no more births, an output sends 0."),
    Field(
      "seconds", \.seconds, .number(.seconds, ShowScene.times),
      "How long the change to this scene takes, if a command or a cue states no other time; none is at once."),
  ]

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> SceneSettings? {
    if tree.isNothing { return SceneSettings() }
    guard let pairs = tree.map else {
      context.expected("a map of settings by their paths, such as { sparks.birthRate: 2 }", tree)
      return nil
    }
    let before = context.count
    var scene = SceneSettings()
    let paths = pairs.flatMap { pair in Self.nested(pair, context) ?? [pair] }
    scene.read(paths.filter { $0.key.text?.contains(".") != true }, in: recordName, context)
    for pair in paths {
      guard let key = pair.key.text, !key.hasPrefix("x-") else { continue }
      if key == "like" { scene.likeMark = pair.value.mark }
      if key == "off" { scene.offMarks = pair.value.list?.map(\.mark) ?? [] }
      guard key.contains(".") else { continue }
      if pair.value.isNothing {
        context.within(key) { context.expected("a value", pair.value) }
      } else {
        scene.settings.append(Setting(path: key, mark: pair.key.mark, value: pair.value))
      }
    }
    return context.count == before ? scene : nil
  }

  /// Reports a nested map such as `gain: { gain: -6 }` and returns its settings by path; nil for other pairs.
  private static func nested(_ pair: Tree.Pair, _ context: ReadContext) -> [Tree.Pair]? {
    guard let key = pair.key.text, field(key) == nil, !key.contains("."), !key.hasPrefix("x-"),
      let inner = pair.value.map, !inner.isEmpty, isName(key)
    else { return nil }
    // Inside a key such as `settings:` the keys already are paths.
    let hasPaths = inner.contains { $0.key.text?.contains(".") == true }
    context.report(
      .nestedSceneSettings(key, inner.compactMap(\.key.text), hasPaths: hasPaths, at: pair.key.mark))
    return inner.map { setting in
      let name = setting.key.text ?? ""
      return Tree.Pair(
        key: Tree(.scalar(hasPaths ? name : "\(key).\(name)", quoted: true), mark: setting.key.mark),
        value: setting.value)
    }
  }
}
