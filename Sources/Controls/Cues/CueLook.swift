import Engine
import Graphs
import OSC

/// What the cues before one come to when they are gone through in the order of their numbers, as a tracking console has it:
/// `goto` and `back` restore it. Links, follow-ons, players and sounds are no part of it. [control]
struct CueLook {
  /// The scene of the cue itself, else of the last before it that has one; where none has and later ones have, that of the
  /// start.
  private(set) var scene: String?
  /// Whether there is no scene to be in, and later cues go to one.
  private(set) var leavesScenes = false
  /// What their messages have set and no later scene has set again, oldest first.
  private(set) var settings: [Override] = []
  /// The paths that messages of any cue set, and none of these, in file order.
  private(set) var unset: [String] = []
  /// The master, 0…1; nil where no cue of the graph moves it.
  private(set) var master: Float?
  /// The blackout; nil where no cue of the graph has to do with it.
  private(set) var isBlackout: Bool?

  private let graph: CheckedGraph

  /// The look before a cue.
  init(before target: ShowCue, in graph: CheckedGraph, _ view: ControlView) {
    self.graph = graph
    // Those that are refused are reported when the cue is gone to.
    func commands(of cue: ShowCue) -> [ShowCommand] { cue.action.commands(in: view) { _ in } }
    for cue in graph.cues where cue.number < target.number {
      if let scene = cue.action.scene { enter(scene) }
      for command in commands(of: cue) { take(command) }
    }
    // A scene of the cue itself comes behind what those before it have set.
    if let scene = target.action.scene { enter(scene) }
    var known = Set(settings.map(\.target))
    var goesToScene = false
    for cue in graph.cues where cue.number >= target.number {
      if cue.action.scene != nil { goesToScene = true }
      for command in commands(of: cue) {
        switch command {
        case .scene: goesToScene = true
        case .master: master = master ?? 1
        case .blackout: isBlackout = isBlackout ?? false
        default:
          guard let path = command.settingPath, known.insert(path).inserted else { continue }
          unset.append(path)
        }
      }
    }
    guard scene == nil, goesToScene else { return }
    scene = graph.main
    guard scene == nil, let paths = graph.scenes.first?.settings.map(\.path) else { return }
    leavesScenes = true
    unset += paths.filter { known.insert($0).inserted }
  }

  private mutating func enter(_ name: String) {
    scene = name
    let paths = Set(graph.scene(.named(name), from: nil)?.settings.map(\.path) ?? [])
    settings.removeAll { paths.contains($0.target) }
  }

  private mutating func take(_ command: ShowCommand) {
    switch command {
    case .scene(let choice, _): if let next = graph.scene(choice, from: scene) { enter(next.name) }
    case .master(let place, _): master = place
    case .blackout(let isDark): isBlackout = isDark
    default:
      guard case .some(.some(let setting)) = try? SettingOverrides.override(command, graph) else { return }
      settings.removeAll { SettingTarget.lies($0.target, within: setting.target) }
      settings.append(setting)
    }
  }
}

extension SettingOverrides {
  /// The changes that lead to a look from the scene that it is in: what its cues have set, and what no cue has set as the
  /// file and the command line have it.
  ///
  /// - Parameter seconds: how long what can fade is on its way.
  func changes(
    to look: CueLook, seconds: Double, in graph: CheckedGraph, _ fades: Fades,
    refused: @escaping GraphChange.Refusal
  ) -> [GraphChange] {
    let scene = scene.flatMap { graph.scene(.named($0), from: nil) }
    let ofScene = Set(scene?.settings.map(\.path) ?? [])
    let unset = look.unset.filter { !ofScene.contains($0) }
    let base = unset.isEmpty ? nil : checker.check(source, overrides: given).graph
    func change(_ path: String, _ value: SettingValue, isOfScene: Bool) -> GraphChange? {
      Self.change(
        path, to: value, seconds: seconds, isOfScene: isOfScene, in: graph, fades, refused: refused)
    }
    let scenes = scene?.settings.map { Override(target: $0.path, value: $0.value) } ?? []
    // What the file says is not set by hand.
    let back = unset.compactMap { path -> GraphChange? in
      var value = base?.text(at: path).map(SettingValue.written)
      if let whole = SettingTarget.ofAllChannels(path), base?.text(at: whole) == value?.text {
        // A channel that states nothing is as all channels are.
        value = (scenes + look.settings).last { $0.target == whole }?.value ?? value
      }
      return value.flatMap { change(path, $0, isOfScene: true) }
    }
    return back + look.settings.compactMap { change($0.target, $0.value, isOfScene: false) }
  }
}
