/// Checks the scenes of a file: each as the graph that results from it. [control]
struct SceneCheck {
  /// Wires nodes with changed settings; faults go to the context.
  typealias Wire = (_ entries: [NodeEntry], _ context: ReadContext) -> [CheckedNode?]

  private let scenes: [SceneInheritance.Scene]
  /// The nodes of the file. Overrides, of the command line or made live, are left out for settings that scenes set.
  private let entries: [NodeEntry]
  private let nodes: [CheckedNode]
  private let context: ReadContext
  private let wire: Wire
  /// The paths of all settings that some scene sets, in file order.
  private let paths: [String]

  /// The names of all scenes of a file, including invalid ones.
  static func names(_ tree: Tree?) -> [String] {
    (tree?.map ?? []).compactMap(\.key.text).filter { !$0.hasPrefix("x-") }
  }

  /// The settings of nodes in a scene, by id: of nodes that scenes set, and of nodes that are like those.
  typealias Typed = [String: any TypedSettings]

  /// Checks all scenes. Returns them in file order, none if there are faults, with the settings of nodes by the names of
  /// scenes, and the nodes as the scene `main` sets them.
  ///
  /// `wired`: the nodes with the overrides of the command line; nil for a node with a fault. `broken`: the ids of
  /// nodes that could not be read. Nothing more is reported of these nodes. `isFaulty`: the file has other faults, so
  /// scenes are not checked against the whole graph.
  static func check(
    _ named: Named<SceneSettings>, main: (name: String, mark: SourceRange)?, _ tree: Tree?,
    _ entries: [NodeEntry], _ wired: [CheckedNode?], broken: Set<String>, isFaulty: Bool,
    _ context: ReadContext,
    _ wire: @escaping Wire
  ) -> (scenes: [ShowScene], typed: [String: Typed], nodes: [CheckedNode?]) {
    guard named.entries.count <= Limits.scenes else {
      context.report(.tooManyScenes(named.entries.count, at: tree?.mark))
      return ([], [:], wired)
    }
    let nodes = wired.compactMap(\.self)
    let isWell = !isFaulty && context.count == 0
    let lost = zip(entries, wired).filter { $0.1 == nil }.map(\.0.id)
    let scenes = SceneInheritance.scenes(
      of: named.entries, tree, nodes: nodes, broken: broken.union(lost), context)
    let names = names(tree)
    if let main, !names.contains(main.name) {
      context.report(.unknownScene(main.name, known: names, at: main.mark))
    }
    for case (let entry, let node?) in zip(entries, wired) {
      guard let (setting, choice) = node.typed.sceneChange, case .named(let name) = choice,
        !names.contains(name)
      else { continue }
      let mark = entry.override(of: setting)?.mark ?? entry.value(of: setting)?.mark ?? entry.mark
      context.report(.unknownScene(name, known: names, at: mark))
    }
    guard isWell, context.count == 0, !scenes.isEmpty else {
      if !isWell { checkValues(of: scenes, nodes, context) }
      return ([], [:], wired)
    }
    let check = SceneCheck(scenes, entries, nodes, context, wire)
    guard let (checked, typed) = check.checked() else { return ([], [:], nodes) }
    guard let main, let scene = check.scenes.first(where: { $0.name == main.name }) else {
      return (checked, typed, nodes)
    }
    return (checked, typed, wire(check.entries(entries, in: scene, isBelow: true), context))
  }

  /// Checks the values that scenes set by their declarations alone, because the rest of the graph has faults.
  private static func checkValues(
    of scenes: [SceneInheritance.Scene], _ nodes: [CheckedNode], _ context: ReadContext
  ) {
    let byID = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<SourceRange> = []
    for setting in scenes.flatMap(\.settings) where seen.insert(setting.mark).inserted {
      guard let target = SettingTarget(setting.path), let node = byID[target.node] else { continue }
      node.checkValue(setting.value, at: target.setting, context)
    }
  }

  private init(
    _ scenes: [SceneInheritance.Scene], _ entries: [NodeEntry], _ nodes: [CheckedNode],
    _ context: ReadContext, _ wire: @escaping Wire
  ) {
    var (known, paths) = (Set<String>(), [String]())
    let byID = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let resolved = scenes.map { scene in
      var scene = scene
      for (id, mark) in scene.off {
        guard let node = byID[id] else { continue }
        // An inherited scene may set the same setting, of all channels or of one; `off` replaces that.
        scene.settings.removeAll { node.isOffSetting($0.path) }
        for (path, value) in node.offSettings {
          let value = Tree(.scalar(value, quoted: false), mark: mark)
          scene.settings.append(SceneSettings.Setting(path: path, mark: mark, value: value))
        }
      }
      return scene
    }
    for setting in resolved.flatMap(\.settings) where known.insert(setting.path).inserted {
      paths.append(setting.path)
    }
    self.scenes = resolved
    self.context = context
    self.wire = wire
    self.paths = paths
    // A scene has the values of the file, not those of overrides.
    self.entries = entries.map { entry in
      var entry = entry
      entry.overrides.removeAll { override in
        let path = byID[entry.id]?.known(override.path.joined(separator: "."))?.path ?? ""
        return paths.prefix(Limits.sceneSettings).contains { SettingTarget.overlap($0, path) }
      }
      return entry
    }
    let hasOverrides = zip(self.entries, entries).contains { $0.overrides.count != $1.overrides.count }
    let wiring = context.separate()
    self.nodes = hasOverrides ? wire(self.entries, wiring).compactMap(\.self) : nodes
    context.takeOver(wiring)
  }

  /// The scenes, each with a value for every path in `paths`, and their settings of nodes; nil if there is a fault.
  private func checked() -> ([ShowScene], [String: Typed])? {
    let marks = Dictionary(
      scenes.flatMap(\.settings).map { ($0.path, $0.mark) }, uniquingKeysWith: { first, _ in first })
    guard paths.count <= Limits.sceneSettings else {
      context.report(.tooManySceneSettings(paths.count, at: marks[paths[Limits.sceneSettings]]))
      return nil
    }
    for path in paths {
      if let inner = paths.first(where: { $0 != path && SettingTarget.lies($0, within: path) }) {
        context.report(.sceneOverlap(path, inner, at: marks[inner]))
      }
    }
    guard cost * scenes.count <= Limits.sceneChecks else {
      context.report(.tooManyScenes(scenes.count, at: scenes.last?.mark))
      return nil
    }
    let touched = touched
    var typed: [String: Typed] = [:]
    let checked = scenes.map { scene in
      let made = check(scene)
      for node in made where touched.contains(node.id) {
        typed[scene.name, default: [:]][node.id] = node.typed
      }
      let own = Dictionary(
        scene.settings.map { ($0.path, $0.value.overrideText) }, uniquingKeysWith: { _, last in last })
      return ShowScene(
        name: scene.name, seconds: scene.seconds,
        settings: paths.map { path in
          // A channel without a value of its own has that of all channels in this scene, which may differ from the
          // file's.
          ShowScene.Setting(path: path, value: own[path] ?? Self.text(of: path, in: made) ?? "none")
        },
        off: scene.off.map(\.id))
    }
    return context.count == 0 ? (checked, typed) : nil
  }

  /// The ids of the nodes that scenes set, and of those that are like them.
  private var touched: Set<String> {
    var found = Set(paths.compactMap { SettingTarget($0)?.node })
    var count = 0
    // As often as the longest chain of `like` is long.
    while found.count > count {
      count = found.count
      for entry in entries {
        if let base = entry.value(of: "like")?.text, found.contains(base) { found.insert(entry.id) }
      }
    }
    return found
  }

  /// The cost of one check of the graph: the number of values to read and of channels to wire.
  private var cost: Int {
    var cost = 0
    for pair in entries.flatMap(\.pairs) { cost += 1 + pair.value.size }
    for port in nodes.flatMap({ $0.inputs }) { cost += port.channels.count }
    for port in nodes.flatMap({ $0.outputs }) { cost += port.channels.count }
    return cost
  }

  /// Checks the graph with the settings of a scene, and returns its nodes.
  private func check(_ scene: SceneInheritance.Scene) -> [CheckedNode] {
    let wiring = context.separate()
    let made = wire(entries(entries, in: scene, isBelow: false), wiring).compactMap(\.self)
    // Faults of inherited settings have been reported with the scene that has them.
    for fault in wiring.diagnostics where !context.hasReported(fault) { context.report(fault) }
    guard wiring.count == 0 else { return made }
    for node in made {
      guard let (name, choice) = node.typed.sceneChange, case .named(let wanted) = choice,
        !scenes.contains(where: { $0.name == wanted }),
        let setting = scene.settings.last(where: { $0.path == "\(node.id).\(name)" })
      else { continue }
      context.report(.unknownScene(wanted, known: scenes.map(\.name), at: setting.value.mark))
    }
    for (node, new) in zip(nodes, made) where !node.hasPorts(of: new) {
      // A node without settings in the scene changed only because of a node before it, which is reported.
      guard let setting = scene.settings.first(where: { $0.path.hasPrefix("\(node.id).") }) else { continue }
      context.report(.sceneChangesPorts(scene.name, node.id, at: setting.mark))
    }
    return made
  }

  /// The nodes with the settings of a scene as overrides. `isBelow`: the overrides that a node has take precedence
  /// over the scene; otherwise the scene does.
  private func entries(
    _ entries: [NodeEntry], in scene: SceneInheritance.Scene, isBelow: Bool
  ) -> [NodeEntry] {
    entries.map { entry in
      var entry = entry
      let own = scene.settings.filter { $0.path.hasPrefix("\(entry.id).") }.map { setting in
        (
          path: setting.path.split(separator: ".").dropFirst().map(String.init), value: setting.value
        )
      }
      entry.overrides = isBelow ? own + entry.overrides : entry.overrides + own
      return entry
    }
  }

  private static func text(of path: String, in nodes: [CheckedNode]) -> String? {
    guard let target = SettingTarget(path), let node = nodes.first(where: { $0.id == target.node }) else {
      return nil
    }
    return node.text(at: target.setting, channel: target.channel)
  }
}

extension TypedSettings {
  /// The scene to which events at this node switch, and the setting that names it; nil if they switch to none.
  var sceneChange: (setting: String, choice: SceneChoice)? { Node.sceneChoice(values.all) }
}

extension CheckedNode {
  /// Whether another node has the same ports and channels.
  fileprivate func hasPorts(of other: CheckedNode) -> Bool {
    inputs.map(\.name) == other.inputs.map(\.name)
      && outputs.map(\.name) == other.outputs.map(\.name)
      && zip(outputs, other.outputs).allSatisfy { $0.channels.map(\.name) == $1.channels.map(\.name) }
  }
}

extension Tree {
  /// The value as `--set` takes it after the `=`.
  fileprivate var overrideText: String {
    guard let text, let first = text.utf8.first, !"[{\"'".utf8.contains(first) else { return flow }
    return text
  }
}
