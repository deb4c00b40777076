/// Holds the scenes of a file against its graph: each is checked as the graph that it makes. [control]
struct SceneCheck {
  /// Checks nodes and wires with some settings; what is wrong goes to the context.
  typealias Wire = (_ entries: [NodeEntry], _ context: ReadContext) -> [CheckedNode?]

  private let scenes: [SceneInheritance.Scene]
  /// What the command line sets, and what was set live, is left out of what scenes set.
  private let entries: [NodeEntry]
  private let nodes: [CheckedNode]
  private let context: ReadContext
  private let wire: Wire
  /// All that any scene sets, in file order.
  private let paths: [String]

  /// The names of the scenes that a file has, those at fault among them.
  static func names(_ tree: Tree?) -> [String] {
    (tree?.map ?? []).compactMap(\.key.text).filter { !$0.hasPrefix("x-") }
  }

  /// The scenes that are without fault, in file order, and the nodes as they are in the scene `main`; `wired` are those
  /// of the graph with all that the command line sets, nil where one is at fault. Of nodes at fault, and of those of the ids
  /// in `broken`, nothing more is reported; where anything `isFaulty`, scenes are not held against the whole graph.
  static func check(
    _ named: Named<SceneSettings>, main: (name: String, mark: SourceRange)?, _ tree: Tree?,
    _ entries: [NodeEntry], _ wired: [CheckedNode?], broken: Set<String>, isFaulty: Bool,
    _ context: ReadContext,
    _ wire: @escaping Wire
  ) -> (scenes: [ShowScene], nodes: [CheckedNode?]) {
    guard named.entries.count <= Limits.scenes else {
      context.report(.tooManyScenes(named.entries.count, at: tree?.mark))
      return ([], wired)
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
      return ([], wired)
    }
    let check = SceneCheck(scenes, entries, nodes, context, wire)
    guard let checked = check.checked() else { return ([], nodes) }
    guard let main, let scene = check.scenes.first(where: { $0.name == main.name }) else {
      return (checked, nodes)
    }
    return (checked, wire(check.entries(entries, in: scene, isBelow: true), context))
  }

  /// Holds what scenes set against the declarations alone, where the graph as a whole is at fault.
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
        // What a channel states for itself in the scene that this one is like is off as well.
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
    // A scene is what the file says, whatever the command line has set since.
    self.entries = entries.map { entry in
      var entry = entry
      entry.overrides.removeAll { override in
        let path = byID[entry.id]?.known(override.path.joined(separator: "."))?.path ?? ""
        return paths.prefix(Limits.sceneSettings).contains { SettingTarget.overlap($0, path) }
      }
      return entry
    }
    let hasOverrides = zip(self.entries, entries).contains { $0.overrides.count != $1.overrides.count }
    let quiet = context.apart()
    self.nodes = hasOverrides ? wire(self.entries, quiet).compactMap(\.self) : nodes
    context.takeOver(quiet)
  }

  /// The scenes, each with all that any sets; nil where something is wrong.
  private func checked() -> [ShowScene]? {
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
    let checked = scenes.map { scene in
      let made = check(scene)
      let own = Dictionary(
        scene.settings.map { ($0.path, $0.value.overrideText) }, uniquingKeysWith: { _, last in last })
      return ShowScene(
        name: scene.name, seconds: scene.seconds,
        settings: paths.map { path in
          // What a channel does not state is as all channels are in this scene, and not as they are in none.
          ShowScene.Setting(path: path, value: own[path] ?? Self.text(of: path, in: made) ?? "none")
        },
        off: scene.off.map(\.id))
    }
    return context.count == 0 ? checked : nil
  }

  /// What one check of the graph costs: values that are read, and channels that are wired.
  private var cost: Int {
    var cost = 0
    for pair in entries.flatMap(\.pairs) { cost += 1 + pair.value.size }
    for port in nodes.flatMap({ $0.inputs }) { cost += port.channels.count }
    for port in nodes.flatMap({ $0.outputs }) { cost += port.channels.count }
    return cost
  }

  /// Checks the graph as a scene makes it, and gives its nodes.
  private func check(_ scene: SceneInheritance.Scene) -> [CheckedNode] {
    let quiet = context.apart()
    let made = wire(entries(entries, in: scene, isBelow: false), quiet).compactMap(\.self)
    // What a scene inherits is reported where it was reported first.
    for fault in quiet.diagnostics where !context.hasReported(fault) { context.report(fault) }
    guard quiet.count == 0 else { return made }
    for node in made {
      guard let (name, choice) = node.typed.sceneChange, case .named(let wanted) = choice,
        !scenes.contains(where: { $0.name == wanted }),
        let setting = scene.settings.last(where: { $0.path == "\(node.id).\(name)" })
      else { continue }
      context.report(.unknownScene(wanted, known: scenes.map(\.name), at: setting.value.mark))
    }
    for (node, new) in zip(nodes, made) where !node.hasPorts(of: new) {
      // Of those behind it nothing is reported.
      guard let setting = scene.settings.first(where: { $0.path.hasPrefix("\(node.id).") }) else { continue }
      context.report(.sceneChangesPorts(scene.name, node.id, at: setting.mark))
    }
    return made
  }

  /// The nodes as a file would have them in a scene; what the command line sets stands above it.
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
  /// The scene that its events ask for, and the setting that names it; nil where it asks for none.
  var sceneChange: (setting: String, choice: SceneChoice)? { Node.scenes(values.all) }
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
  /// As what stands behind the `=` of `--set`.
  fileprivate var overrideText: String {
    guard let text, let first = text.utf8.first, !"[{\"'".utf8.contains(first) else { return flow }
    return text
  }
}
