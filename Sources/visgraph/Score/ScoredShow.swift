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
    player = ScorePlayer(
      score, show: show, router: router, folders: AllowedFolders([show.plan?.graph.folder ?? "."])
    ) { Self.report($0, at: $1, $2) }
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
    if isDue || hasFades {
      gated.timing.gate.perform { number in
        if isDue { player.perform(upTo: sample, rate: rate, as: number) }
        carryOut(router.takeChanges(), as: number)
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
      guard case .scene(let choice, let seconds) = change.command else {
        settings.append(change)
        continue
      }
      set(settings, as: number)
      settings = []
      guard let graph, let scene = graph.scene(choice, from: made.scene) else { continue }
      let time = seconds ?? scene.seconds ?? 0
      router.scenes.begin(scene.name, seconds: time)
      set(
        made.enter(scene, seconds: time, in: graph, router.fades, refused: change.refused), as: number)
    }
    set(settings, as: number, isLast: true)
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
        let set = show.set(nodes, as: new, at: number)
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
