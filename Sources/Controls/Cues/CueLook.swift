import Engine
import Graphs
import OSC

/// The look that the cues before a cue leave, in the order of their numbers, as a tracking console has it; `goto` and
/// `back` restore it. Links, follow-ons, players and sounds are not part of it. [control]
struct CueLook {
  /// The scene of the cue itself, or else of the last cue before it with a scene. If only later cues have one, the
  /// scene in which the graph starts.
  private(set) var scene: String?
  /// Whether the look is outside all scenes, although later cues go to one.
  private(set) var leavesScenes = false
  /// Overrides that messages of these cues set and no later scene sets again, oldest first.
  private(set) var settings: [Override] = []
  /// Paths that messages of the cue itself or of later cues set, and none before it, in file order.
  private(set) var unset: [String] = []
  /// The master, 0…1; nil: no cue of the graph sets it.
  private(set) var master: Float?
  /// The blackout; nil: no cue of the graph sets it.
  private(set) var isBlackout: Bool?

  private let graph: CheckedGraph

  /// The look from which the cue `target` starts.
  init(before target: ShowCue, in graph: CheckedGraph, _ view: ControlView) {
    self.graph = graph
    // Refusals are ignored here; they are reported when the cue is gone to.
    func commands(of cue: ShowCue) -> [ShowCommand] { cue.action.commands(in: view) { _ in } }
    for cue in graph.cues where cue.number < target.number {
      if let scene = cue.action.scene { enter(scene) }
      for command in commands(of: cue) { take(command) }
    }
    // The scene of the cue itself comes after what the cues before it have set.
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
  /// The changes from the current scene to a look: overrides of its cues, and for settings that no cue has set the
  /// values of the file and the command line.
  ///
  /// - Parameter seconds: the time of the fades.
  func changes(
    to look: CueLook, seconds: Double, in graph: CheckedGraph, _ fades: SettingFades,
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
    // Values of the file are no overrides.
    let back = unset.compactMap { path -> GraphChange? in
      var value = base?.text(at: path).map(SettingValue.written)
      if let whole = SettingTarget.ofAllChannels(path), base?.text(at: whole) == value?.text {
        // A channel without a value of its own follows the value for all channels.
        value = (scenes + look.settings).last { $0.target == whole }?.value ?? value
      }
      return value.flatMap { change(path, $0, isOfScene: true) }
    }
    return back + look.settings.compactMap { change($0.target, $0.value, isOfScene: false) }
  }
}
