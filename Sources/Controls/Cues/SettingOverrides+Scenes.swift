public import Graphs

/// How scenes set their settings: below the command line, above the nodes, until a user sets them by hand. [control]
extension SettingOverrides {
  /// Goes to a scene of the running graph. Returns the changes that lead there, all of one frame; fades begin in it.
  /// Settings of the command line stay; those that were set by hand since the last scene belong to the scene again.
  ///
  /// - Parameters:
  ///   - seconds: the time of the fades; 0: all settings change at once.
  ///   - fades: the running fades, which this scene takes over.
  ///   - refused: called with the reason why a setting is refused.
  public mutating func enter(
    _ scene: ShowScene, seconds: Double, in graph: CheckedGraph, _ fades: SettingFades,
    refused: @escaping GraphChange.Refusal
  ) -> [GraphChange] {
    let settings = settings(of: scene) + channels(of: scene, in: graph)
    begin(scene.name, owning: Set(settings.map(\.path)))
    return changes(to: settings, seconds: seconds, in: graph, fades, refused: refused)
  }

  /// Leads on to the current scene after its graph was read again: the same changes as `enter`, except for settings
  /// that were set by hand since the scene began.
  public func lead(
    to scene: ShowScene, seconds: Double, in graph: CheckedGraph, _ fades: SettingFades,
    refused: @escaping GraphChange.Refusal
  ) -> [GraphChange] {
    let hand = live
    let owned = settings(of: scene).filter { setting in
      !hand.contains { SettingTarget.overlap($0.target, setting.path) }
    }
    return changes(to: owned, seconds: seconds, in: graph, fades, refused: refused)
  }

  private func changes(
    to settings: [ShowScene.Setting], seconds: Double, in graph: CheckedGraph, _ fades: SettingFades,
    refused: @escaping GraphChange.Refusal
  ) -> [GraphChange] {
    settings.compactMap { setting in
      Self.change(
        setting.path, to: .written(setting.value), seconds: seconds, isOfScene: true, in: graph, fades,
        refused: refused
      )
    }
  }

  /// The change that leads a setting to a value; nil if it has the value and does not fade.
  static func change(
    _ path: String, to value: SettingValue, seconds: Double, isOfScene: Bool, in graph: CheckedGraph,
    _ fades: SettingFades,
    refused: @escaping GraphChange.Refusal
  ) -> GraphChange? {
    guard fades.isMoving(path) || graph.text(at: path) != value.text else { return nil }
    return GraphChange(
      command: .set(path: path, value: value, fade: FadeTime(seconds: seconds)), refused: refused,
      isOfScene: isOfScene)
  }

  /// The settings of a scene that the command line does not set.
  private func settings(of scene: ShowScene) -> [ShowScene.Setting] {
    scene.settings.filter { setting in
      !isGiven(setting.path)
    }
  }

  private func isGiven(_ path: String) -> Bool {
    given.contains { SettingTarget.overlap($0.target, path) }
  }

  /// Further settings of single channels, which after a setting by hand have values of their own: they are off with
  /// their node, and in the next scene they follow the value for all channels.
  private func channels(of scene: ShowScene, in graph: CheckedGraph) -> [ShowScene.Setting] {
    let known = Dictionary(
      scene.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
    let off = graph.nodes.filter { scene.off.contains($0.id) }.flatMap(\.offSettings)
    let back = owned.compactMap { path -> (path: String, value: String)? in
      guard let whole = SettingTarget.ofAllChannels(path), let value = known[whole] else { return nil }
      return (path, value)
    }
    var seen = Set(known.keys)
    return (off + back).filter { !isGiven($0.path) && seen.insert($0.path).inserted }
      .map { ShowScene.Setting(path: $0.path, value: $0.value) }
  }

  /// Reads a graph with all overrides, in the scene `wanted` if the graph has it, or else in the scene in which it
  /// starts. Removes overrides that the graph no longer takes, and returns their paths.
  ///
  /// Settings that fade keep their present value until `enter` leads them on.
  public mutating func read(
    in wanted: String?, moving: (String) -> Bool = { _ in false }, _ read: ([Override]) -> CheckResult
  ) -> (checked: CheckResult, lost: [String]) {
    var checked = readAboveScene(wanted, read)
    var lost: [String] = []
    if checked.graph == nil {
      lost = forget(faulty: checked)
      if !lost.isEmpty { checked = readAboveScene(wanted, read) }
    }
    guard let graph = checked.graph else { return (checked, lost) }
    let name = name(wanted, in: graph)
    let passing = Dictionary(
      overrides.filter { moving($0.target) }.map { ($0.target, $0.value) }, uniquingKeysWith: { $1 })
    let scene = name.flatMap { graph.scene(.named($0), from: nil) }
    // A graph is read with the scene in which it starts.
    guard let scene, name != graph.main || !passing.isEmpty else {
      take([], of: name)
      return (checked, lost)
    }
    let own = settings(below: scene).map {
      Override(target: $0.path, value: passing[$0.path] ?? .written($0.value))
    }
    take(own, of: name)
    return (read(overrides), lost)
  }

  private func name(_ wanted: String?, in graph: CheckedGraph) -> String? {
    wanted.flatMap { graph.scene(.named($0), from: nil)?.name } ?? graph.main
  }

  /// The settings of a scene that no setting by hand covers.
  private func settings(below scene: ShowScene) -> [ShowScene.Setting] {
    let hand = live
    return settings(of: scene).filter { setting in
      !hand.contains { SettingTarget.lies(setting.path, within: $0.target) }
    }
  }

  /// Reads a graph with the settings made by hand. If that has faults, reads it with the scene below them: a setting
  /// may refer to an entry of a list that only the scene's list has.
  private func readAboveScene(_ wanted: String?, _ read: ([Override]) -> CheckResult) -> CheckResult {
    let checked = read(given + live)
    guard checked.graph == nil, !live.isEmpty, let base = read(given).graph,
      let scene = name(wanted, in: base).flatMap({ base.scene(.named($0), from: nil) })
    else { return checked }
    return read(given + settings(below: scene).map { Override(target: $0.path, value: $0.value) } + live)
  }
}
