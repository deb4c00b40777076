public import Engine
public import Graphs
import OSC
import Playback

/// The steps of a scene or a cue. [control]
public struct ShowSteps {
  /// Changes of settings that are made together, in one frame.
  public var settings: [GraphChange] = []
  /// Other commands, in order.
  public var commands: [ShowCommand] = []
  /// Messages to other programs.
  public var outside: [OutsideMessage] = []
  /// Lines that report it.
  public var notes: [String] = []

  /// Adds a setting at the end, in place of an earlier one with the same path.
  mutating func set(_ change: GraphChange, at path: String) {
    settings.removeAll { $0.command.settingPath == path }
    settings.append(change)
  }
}

extension CueChoice {
  /// Whether it skips cues, so that their look has to be restored.
  fileprivate var isOutOfOrder: Bool {
    switch self {
    case .back, .number: true
    case .go, .followOn, .stop: false
    }
  }
}

extension SettingOverrides {
  /// The steps of a command that goes to a scene or a cue of the running graph. Empty if it is refused, which the
  /// sender is answered.
  ///
  /// - Parameters:
  ///   - router: has the running fades, and the progress of scenes and cues.
  ///   - folders: the folders in which files lie that messages of a cue may name.
  public mutating func steps(
    of change: GraphChange, in graph: CheckedGraph, _ router: CommandRouter, _ show: Show,
    _ folders: AllowedFolders
  ) -> ShowSteps {
    switch change.command {
    case .scene(let choice, let seconds):
      return steps(to: choice, seconds: seconds, in: graph, router, refused: change.refused)
    case .cue(let choice):
      do throws(ControlError) {
        guard let cue = try router.cues.take(choice, in: graph) else { return ShowSteps() }
        return steps(
          of: cue, choice, in: graph, router, CommandReader(show, folders).view, refused: change.refused)
      } catch {
        change.refused(error)
        return ShowSteps()
      }
    default: return ShowSteps()
    }
  }

  private mutating func steps(
    to choice: SceneChoice, seconds: Double?, in graph: CheckedGraph, _ router: CommandRouter,
    refused: @escaping GraphChange.Refusal
  ) -> ShowSteps {
    guard let scene = graph.scene(choice, from: scene) else {
      let name: String? = if case .named(let name) = choice { name } else { nil }
      refused(.scene(name, known: graph.scenes.map(\.name)))
      return ShowSteps()
    }
    let seconds = seconds ?? scene.seconds ?? 0
    router.scenes.begin(scene.name, seconds: seconds)
    return ShowSteps(
      settings: enter(scene, seconds: seconds, in: graph, router.fades, refused: refused),
      notes: ["scene \(scene.name)" + (seconds > 0 ? " in \(shortest(seconds)) s" : "")])
  }

  private mutating func steps(
    of cue: ShowCue, _ choice: CueChoice, in graph: CheckedGraph, _ router: CommandRouter,
    _ view: ControlView, refused: @escaping GraphChange.Refusal
  ) -> ShowSteps {
    let name = CueProgress.Name(cue).text
    var steps = ShowSteps()
    let look = graph.isTracking && choice.isOutOfOrder ? CueLook(before: cue, in: graph, view) : nil
    let scene = look.map(\.scene) ?? cue.action.scene
    if let scene {
      steps = self.steps(
        to: .named(scene), seconds: cue.action.seconds, in: graph, router, refused: refused)
    }
    var seconds = scene == nil ? 0 : router.scenes.now?.left ?? 0
    if let look {
      if scene == nil { seconds = cue.action.seconds ?? 0 }
      restore(look, seconds: seconds, in: graph, router, &steps, refused: refused)
    }
    for command in cue.action.commands(in: view, refused: refused) {
      seconds = max(seconds, length(of: command, in: graph))
      guard let path = command.settingPath else {
        steps.commands.append(command)
        continue
      }
      // A message of a cue overrides the scene of the cue.
      let channels = followers(of: path, after: steps, in: graph)
      steps.set(GraphChange(command: command, refused: refused), at: path)
      for channel in channels {
        steps.set(
          GraphChange(command: command.at(channel), refused: refused, isOfScene: true), at: channel)
      }
    }
    steps.outside = cue.action.outside
    router.cues.begin(cue, choice, seconds: seconds, in: graph)
    steps.notes.insert("cue \(name)", at: 0)
    return steps
  }

  /// Adds the changes that restore the look before a cue that is gone to out of order.
  private mutating func restore(
    _ look: CueLook, seconds: Double, in graph: CheckedGraph, _ router: CommandRouter,
    _ steps: inout ShowSteps, refused: @escaping GraphChange.Refusal
  ) {
    if look.leavesScenes {
      router.scenes.begin(nil)
      begin(nil, owning: [])
    }
    for change in changes(to: look, seconds: seconds, in: graph, router.fades, refused: refused) {
      if let path = change.command.settingPath { steps.set(change, at: path) }
    }
    let fade = FadeTime(seconds: seconds)
    steps.commands += [
      look.master.map { .master($0, fade: fade) }, look.isBlackout.map(ShowCommand.blackout),
    ]
    .compactMap(\.self)
  }

  /// The time of a command's fade, in seconds: a follow-on after the end of the cue waits for it.
  func length(of command: ShowCommand, in graph: CheckedGraph) -> Double {
    switch command {
    case .scene(let choice, let seconds): seconds ?? graph.scene(choice, from: scene)?.seconds ?? 0
    case .transport(_, .volume(_, let fade, _)), .transport(_, .pan(_, let fade)): fade
    default: command.fade?.seconds ?? 0
    }
  }
}

extension SettingOverrides {
  /// The channels that a scene or a look has set to the value of all channels; they follow a change of that value.
  func followers(of path: String, after steps: ShowSteps, in graph: CheckedGraph) -> [String] {
    let restored = steps.settings.filter(\.isOfScene).compactMap(\.command.settingPath)
    let owned = owned.filter { !restored.contains($0) && graph.text(at: $0) == graph.text(at: path) }
    return (owned + restored).filter { SettingTarget.ofAllChannels($0) == path }
  }
}
