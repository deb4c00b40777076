/// A scene of a graph: how all that any of its scenes sets stands in this one. [any]
public struct ShowScene: Equatable, Sendable {
  /// A setting, and what it is in the scene.
  public struct Setting: Equatable, Sendable {
    /// The path of the setting, such as `sparks.cells.spark.birthRate` or `gain.each.2.gain`.
    public let path: String
    /// As a graph file would write it.
    public let value: String

    /// A setting that stands so.
    public init(path: String, value: String) { (self.path, self.value) = (path, value) }
  }

  /// How long a scene may be on its way, in seconds.
  public static let times = 0.0...3600

  /// What it is called.
  public let name: String
  /// In how many seconds it is crossed to where nobody says otherwise; nil: at once.
  public let seconds: Double?
  /// Every setting that any scene of the graph sets, in file order; what this one does not set stands as the nodes say.
  public let settings: [Setting]
  /// The ids of nodes that are off.
  public let off: [String]
}

/// Which scene is meant.
public enum SceneChoice: Equatable, Sendable {
  /// The one of a name.
  case named(String)
  /// The one after that which runs, in file order; after the last the first.
  case next
  /// The one before; before the first the last.
  case previous
}

/// A scene as a graph file writes it.
struct SceneSettings: FieldRecord, FieldValue {
  /// A setting by its path, with where it stands.
  struct Setting {
    let path: String
    let mark: SourceRange
    let value: Tree
  }

  var like: String?
  var off: [String]?
  var seconds: Double?
  /// What it sets itself.
  private(set) var settings: [Setting] = []
  /// Where `like` stands, and each of `off`.
  private(set) var likeMark: SourceRange?
  private(set) var offMarks: [SourceRange] = []

  static let recordName = "scene"
  static let takesPaths = true
  static let fields: [Field<SceneSettings>] = [
    Field("like", \.like, .text(), "Another scene: what it sets holds here too, and what it has off."),
    Field(
      "off", \.off, .list(.text(), count: 0...1000),
      "The ids of nodes that are off. What that means each type says (`visgraph nodes TYPE`): a source is silent and "
        + "plays on, an emitter bears no more particles, an output sends 0."),
    Field(
      "seconds", \.seconds, .number(.seconds, ShowScene.times),
      "In how many seconds it is crossed to where nobody says otherwise; none is at once."),
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

  /// `gain: { gain: -6 }`, which is reported, as the paths that are meant; nil for what is no map of settings.
  private static func nested(_ pair: Tree.Pair, _ context: ReadContext) -> [Tree.Pair]? {
    guard let key = pair.key.text, field(key) == nil, !key.contains("."), !key.hasPrefix("x-"),
      let inner = pair.value.map, !inner.isEmpty, isName(key)
    else { return nil }
    // `settings:` and the like: what lies in it has its paths already.
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
