public import Graphs

/// How scenes set what they set: below what the command line sets, above the nodes, until somebody sets it by hand. [control]
extension SettingOverrides {
  /// Goes to a scene of the graph that runs: the changes that lead there, all to be made in one frame, those that fade
  /// beginning in it. What the command line sets stays; what was set by hand since the last scene is the scene's again.
  ///
  /// - Parameters:
  ///   - seconds: how long what can fade is on its way; 0: it is there at once.
  ///   - fades: those that run; what is on its way elsewhere is taken over.
  ///   - refused: told why a setting cannot be made.
  public mutating func enter(
    _ scene: ShowScene, seconds: Double, in graph: CheckedGraph, _ fades: Fades,
    refused: @escaping CommandRouter.Refusal
  ) -> [CommandRouter.Change] {
    let settings = settings(of: scene)
    begin(scene.name, owning: Set(settings.map(\.path)))
    return settings.compactMap { setting in
      guard fades.isMoving(setting.path) || graph.text(at: setting.path) != setting.value else { return nil }
      var change = CommandRouter.Change(
        command: .set(path: setting.path, value: setting.value, fade: FadeTime(seconds: seconds)),
        refused: refused)
      change.isOfScene = true
      return change
    }
  }

  /// What a scene sets, but for what the command line does.
  private func settings(of scene: ShowScene) -> [ShowScene.Setting] {
    scene.settings.filter { setting in
      !given.contains { Self.overlap($0.target, setting.path) }
    }
  }

  private static func overlap(_ path: String, _ other: String) -> Bool {
    path == other || path.hasPrefix(other + ".") || other.hasPrefix(path + ".")
  }

  /// Reads a graph with all that is set, in the scene that the show is in where the graph still has it, else in that which
  /// it starts in. Forgets settings that it does not take any more, and gives their paths.
  ///
  /// Values on their way stay where they are until `enter` leads them on.
  public mutating func read(
    in wanted: String?, moving: (String) -> Bool = { _ in false }, _ read: ([Override]) -> CheckResult
  ) -> (checked: CheckResult, lost: [String]) {
    var checked = read(given + live)
    var lost: [String] = []
    if checked.graph == nil {
      lost = forget(faulty: checked)
      if !lost.isEmpty { checked = read(given + live) }
    }
    guard let graph = checked.graph else { return (checked, lost) }
    let name = wanted.flatMap { graph.scene(.named($0), from: nil)?.name } ?? graph.main
    let passing = Dictionary(
      overrides.filter { moving($0.target) }.map { ($0.target, $0.value) }, uniquingKeysWith: { $1 })
    let hand = live.map(\.target)
    let scene = name.flatMap { graph.scene(.named($0), from: nil) }
    // The scene that the graph starts in has been read in with it.
    guard let scene, name != graph.main || !passing.isEmpty else {
      take([], of: name)
      return (checked, lost)
    }
    let own = settings(of: scene).filter { setting in !hand.contains { Self.overlap($0, setting.path) } }
    take(
      own.map { Override(target: $0.path, value: passing[$0.path] ?? $0.value) }, of: name)
    return (read(overrides), lost)
  }
}
