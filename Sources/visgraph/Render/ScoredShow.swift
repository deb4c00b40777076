import Controls
import Engine
import Graphs
import Realtime
import System

/// An offline show that plays a control score. [control]
final class ScoredShow {
  private let show: Show
  private let gated: GatedCommands
  private let router: CommandRouter
  private let player: ScorePlayer
  private let changes: ChangeRunner
  private let rate: Int

  /// `made`: the overrides that the command line makes. `pictures` reads the picture files of each new plan.
  init(
    _ score: ControlScore, _ made: SettingOverrides, _ plan: CompiledPlan, _ show: Show,
    _ gated: GatedCommands, _ fades: SettingFades, _ configuration: StreamConfiguration,
    _ pictures: RenderPictures?
  ) {
    (self.show, self.gated, rate) = (show, gated, configuration.sampleRate)
    let folders = AllowedFolders([plan.graph.folder])
    router = CommandRouter(show: show, fades: fades, gated: gated) {}
    changes = ChangeRunner(
      plan.graph, made, router: router, folders: folders,
      effects: OfflineEffects(show, configuration, pictures))
    changes.events.fadeEnded = { Self.report($0, at: 0, $1) }
    changes.events.cueRefused = { Self.report("a cue", at: 0, $0) }
    changes.begin()
    player = ScorePlayer(score, show: show, router: router, folders: folders) { Self.report($0, at: $1, $2) }
  }

  private static func report(_ address: String, at seconds: Double, _ fault: ControlError) {
    printNote(
      "visgraph: the control score at \(NumberFormat.seconds(seconds)) s: \(DisplayedText.safe(address)): "
        + DisplayedText.safe(fault.description))
  }

  /// Performs all commands of the score up to `sample`, at which a frame is about to begin. They act in this frame.
  func begins(at sample: Int64) {
    let isDue = player.nextSample(rate: rate).map { $0 <= sample } ?? false
    let hasFades = !router.fades.snapshot.isEmpty
    if isDue || hasFades || router.cues.now?.left != nil {
      gated.timing.gate.perform { number in
        if isDue { player.perform(upTo: sample, rate: rate, as: number) }
        changes.carryOut(router.takeChanges(), as: number)
        changes.followCues(as: number)
      }
    }
    show.settle(nil)
    // Streams of a new plan, and those that were given a command, need data before the frame.
    for stream in show.plan?.streams ?? [] { stream.fill(0) }
  }
}

/// Applies changes to an offline show in the frame that is about to begin. [control]
private final class OfflineEffects: ChangeEffects {
  private let show: Show
  private let configuration: StreamConfiguration
  private let pictures: RenderPictures?

  init(_ show: Show, _ configuration: StreamConfiguration, _ pictures: RenderPictures?) {
    (self.show, self.configuration, self.pictures) = (show, configuration, pictures)
  }

  func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> {
    show.set(nodes, as: graph, at: number)
  }

  func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
    do {
      try show.change(to: graph, configuration, host: nil, fade: seconds, while: { false })
      if let plan = show.plan { try pictures?.read(plan) }
    } catch {
      throw .graph(code: "cannot-run", startErrorText(error), notes: [])
    }
  }
}
