import Controls
import Engine
import Graphs
import Realtime
import System

/// A show offline that is asked for what a control score says. [control]
final class ScoredShow {
  private let show: Show
  private let gated: GatedCommands
  private let router: CommandRouter
  private let player: ScorePlayer
  /// Where files may lie that messages name.
  private let folders: AllowedFolders
  private let configuration: StreamConfiguration
  private let pictures: RenderPictures?
  /// What has been set.
  private var made: SettingOverrides
  /// The graph that runs.
  private var graph: CheckedGraph?

  /// Begins at the beginning of a score; `pictures` are told when another plan runs.
  init(
    _ score: ControlScore, _ made: SettingOverrides, _ show: Show, _ gated: GatedCommands, _ fades: Fades,
    _ configuration: StreamConfiguration, _ pictures: RenderPictures?
  ) {
    (self.show, self.gated, self.made) = (show, gated, made)
    (self.configuration, self.pictures) = (configuration, pictures)
    graph = show.plan?.graph
    self.made.take([], of: graph?.main)
    router = CommandRouter(show: show, fades: fades, gated: gated) {}
    if let graph { router.cues.place(at: nil, follows: false, in: graph) }
    folders = AllowedFolders([show.plan?.graph.folder ?? "."])
    player = ScorePlayer(score, show: show, router: router, folders: folders) { Self.report($0, at: $1, $2) }
  }

  private static func report(_ address: String, at seconds: Double, _ fault: ControlError) {
    printNote(
      "visgraph: the control score at \(NumberFormat.seconds(seconds)) s: \(DisplayedText.safe(address)): "
        + DisplayedText.safe(fault.description))
  }

  /// A frame is about to begin at `sample`: all that the score has until there acts in it.
  func begins(at sample: Int64) {
    let rate = configuration.sampleRate
    let isDue = player.place(rate: rate).map { $0 <= sample } ?? false
    let hasFades = !router.fades.snapshot.isEmpty
    if isDue || hasFades || router.cues.now?.left != nil {
      gated.timing.gate.perform { number in
        if isDue { player.perform(upTo: sample, rate: rate, as: number) }
        carryOut(router.takeChanges(), as: number)
        followCues(as: number)
      }
    }
    show.settle(nil)
    // Those of another plan than the first, and those that have been asked for something.
    for stream in show.plan?.streams ?? [] { stream.fill(0) }
  }

  /// Carries out what waits, settings that come together as one change, the steps of fades among them.
  private func carryOut(_ changes: [CommandRouter.Change], as number: Int64) {
    var settings: [CommandRouter.Change] = []
    for change in changes {
      switch change.command {
      case .scene, .cue:
        set(settings, as: number)
        settings = []
        take(change, as: number)
      default: settings.append(change)
      }
    }
    set(settings, as: number, isLast: true)
  }

  /// Goes to a scene or to a cue.
  private func take(_ change: CommandRouter.Change, as number: Int64) {
    guard let graph else { return }
    let steps = made.steps(of: change, in: graph, router, show, folders)
    set(steps.settings, as: number)
    for command in steps.commands where command.isOfScore {
      router.perform(command, as: number, refused: change.refused)
    }
    carryOut(router.takeChanges(), as: number)
  }

  /// Goes to the cues whose time has come by itself.
  private func followCues(as number: Int64) {
    for _ in 0..<CueProgress.mostAtOnce {
      guard let due = router.takeDueCue(refused: { Self.report("a cue", at: 0, $0) }) else { return }
      take(due, as: number)
    }
  }

  /// Makes settings; the last ones together with what is due of fades.
  private func set(_ settings: [CommandRouter.Change], as number: Int64, isLast: Bool = false) {
    guard let graph else { return }
    var changes = router.fades.begin(settings, in: graph)
    let paths = Set(changes.compactMap(\.command.settingPath))
    if isLast { changes += router.fades.steps(besides: paths) { Self.report($0, at: 0, $1) } }
    guard !changes.isEmpty else { return }
    let done = made.carryOut(
      changes, in: graph,
      set: { nodes, new in
        let set = show.set(nodes.map(\.node), as: new, at: number)
        if !set.isEmpty { self.graph = show.plan?.graph }
        return set
      }
    ) { new throws(ControlError) in
      do {
        try show.change(to: new, configuration, host: nil, while: { false })
        if let plan = show.plan { try pictures?.read(plan) }
      } catch {
        throw .graph(code: "cannot-run", startErrorText(error), notes: [])
      }
      self.graph = new
    }
    router.fades.end(done.intersection(paths))
  }
}
