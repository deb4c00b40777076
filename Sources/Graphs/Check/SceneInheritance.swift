/// Resolves `like:` of scenes, so that each has the settings that it inherits. [control]
struct SceneInheritance {
  /// A scene with all settings, inherited ones included, under their current names (no aliases).
  struct Scene {
    let name: String
    let mark: SourceRange
    var seconds: Double?
    var settings: [SceneSettings.Setting] = []
    /// The ids of nodes that are off, with the places in the file that say so.
    var off: [(id: String, mark: SourceRange)] = []
  }

  private let named: [Named<SceneSettings>.Entry]
  private let marks: [String: SourceRange]
  private let nodes: [String: CheckedNode]
  /// The ids of nodes with faults, of which nothing more is reported.
  private let broken: Set<String>
  private let context: ReadContext
  /// The scenes that have been resolved.
  private var found: [String: Scene] = [:]
  /// The scenes that are being resolved, each like the next.
  private var open: [String] = []
  private var faulty: Set<String> = []

  /// Returns the valid scenes of a file, in file order. `tree` is the value of `scenes:`.
  static func scenes(
    of named: [Named<SceneSettings>.Entry], _ tree: Tree?, nodes: [CheckedNode], broken: Set<String>,
    _ context: ReadContext
  ) -> [Scene] {
    var reading = SceneInheritance(named, tree, nodes, broken, context)
    for entry in named where !isName(entry.name) || ["next", "previous"].contains(entry.name) {
      reading.faulty.insert(entry.name)
      context.report(.wrongSceneName(entry.name, at: reading.mark(of: entry.name)))
    }
    return named.compactMap { reading.scene($0.name) }
  }

  private init(
    _ named: [Named<SceneSettings>.Entry], _ tree: Tree?, _ nodes: [CheckedNode], _ broken: Set<String>,
    _ context: ReadContext
  ) {
    self.named = named
    self.broken = broken
    self.context = context
    self.nodes = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    marks = Dictionary(
      (tree?.map ?? []).map { ($0.key.text ?? "", $0.key.mark) }, uniquingKeysWith: { first, _ in first })
  }

  private func mark(of name: String) -> SourceRange {
    marks[name] ?? SourceRange.start()
  }

  /// A scene with the settings that it inherits; nil if it, or a scene that it is like, has a fault.
  private mutating func scene(_ name: String) -> Scene? {
    if let known = found[name] { return known }
    guard !faulty.contains(name), let own = named.first(where: { $0.name == name })?.value else { return nil }
    if let start = open.firstIndex(of: name) {
      let loop = Array(open[start...])
      faulty.formUnion(loop)
      context.report(.sceneLoop(loop, at: own.likeMark))
      return nil
    }
    open.append(name)
    defer { open.removeLast() }
    var scene = Scene(name: name, mark: mark(of: name))
    if let like = own.like {
      guard let base = self.base(like, of: scene, own), !faulty.contains(name) else {
        faulty.insert(name)
        return nil
      }
      (scene.seconds, scene.settings, scene.off) = (base.seconds, base.settings, base.off)
    }
    let before = context.count
    add(own, to: &scene)
    check(scene.off, of: own)
    guard context.count == before else {
      faulty.insert(name)
      return nil
    }
    found[name] = scene
    return scene
  }

  /// The scene that a scene is like, with what it inherits; nil if it has a fault. Reports an unknown one, and a chain
  /// that is too long.
  private mutating func base(_ like: String, of scene: Scene, _ own: SceneSettings) -> Scene? {
    guard named.contains(where: { $0.name == like }) else {
      // An invalid scene is missing in `named`, but not unknown.
      if marks[like] == nil {
        context.report(.unknownScene(like, known: marks.keys.sorted(), at: own.likeMark ?? scene.mark))
      }
      return nil
    }
    let chain = chain(of: scene.name)
    // Longer chains have a part that is reported.
    if chain.count == Limits.likeChain + 2 { context.report(.sceneChain(chain, at: own.likeMark)) }
    return chain.count < Limits.likeChain + 2 ? self.scene(like) : nil
  }

  /// Adds what a scene sets itself to what it has inherited. Reports settings that are too many, unknown, or cannot
  /// change live.
  private func add(_ own: SceneSettings, to scene: inout Scene) {
    scene.seconds = own.seconds ?? scene.seconds
    if let off = own.off { scene.off = Array(zip(off, own.offMarks)) }
    if own.settings.count > Limits.sceneSettings {
      context.report(
        .tooManySceneSettings(own.settings.count, at: own.settings[Limits.sceneSettings].mark))
    }
    for setting in own.settings.prefix(Limits.sceneSettings) {
      guard let path = path(of: setting) else { continue }
      scene.settings.removeAll { $0.path == path }
      scene.settings.append(SceneSettings.Setting(path: path, mark: setting.mark, value: setting.value))
    }
  }

  /// Reports nodes that are unknown or cannot be off, and settings of the scene itself that contradict `off`. Inherited
  /// ones are no fault: `off` replaces them (`SceneCheck`).
  private func check(_ off: [(id: String, mark: SourceRange)], of own: SceneSettings) {
    for (id, mark) in own.off == nil ? [] : off { check(off: id, at: mark) }
    for (id, _) in off {
      for setting in own.settings where nodes[id]?.isOffSetting(setting.path) == true {
        context.report(.sceneSetsOff(id, setting.path, at: setting.mark))
      }
    }
  }

  /// The scene and those that it is like, one after another, up to the first that comes again, and at most three more
  /// than `Limits.likeChain`. It bounds the recursion of `scene`.
  private func chain(of name: String) -> [String] {
    var chain = [name]
    while chain.count < Limits.likeChain + 3, let last = chain.last,
      let like = named.first(where: { $0.name == last })?.value.like, !chain.contains(like)
    {
      chain.append(like)
    }
    return chain
  }

  /// The path of a setting under current names; nil, after reporting a fault, if it is unknown or cannot change live.
  private func path(of setting: SceneSettings.Setting) -> String? {
    let (id, rest) = ValueKind.split(setting.path[...])
    guard let node = nodes[id] else {
      if !broken.contains(id) {
        context.report(.unknownNode(id, known: nodes.keys.sorted(), at: setting.mark))
      }
      return nil
    }
    let text = String(rest ?? "")
    guard let known = node.known(text) else {
      let head = text.hasPrefix("each.") ? text : String(text.prefix { $0 != "." })
      context.report(
        .unknownSetting(
          head, of: node.type.name, allowed: node.type.settingNames, at: setting.mark,
          quick: context.hasPlenty))
      return nil
    }
    guard known.change == .live else {
      context.report(.sceneNotLive("\(id).\(text)", known.change, at: setting.mark))
      return nil
    }
    guard node.text(at: known.setting, channel: known.channel) != nil else {
      context.report(.noSuchSetting("\(id).\(text)", at: setting.mark))
      return nil
    }
    return known.path
  }

  private func check(off id: String, at mark: SourceRange) {
    guard let node = nodes[id] else {
      if !broken.contains(id) { context.report(.unknownNode(id, known: nodes.keys.sorted(), at: mark)) }
      return
    }
    if node.type.off == nil { context.report(.cannotBeOff(id, node.type.name, at: mark)) }
  }
}
