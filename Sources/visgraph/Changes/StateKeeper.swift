import Controls
import Engine
import Graphs
import Playback
import System

/// Saves the state of a run in a file and restores it: settings, scene, cue, master, players. [control]
final class StateKeeper {
  private let file: StateFile?
  private let path: String
  private let owner: ShowIdentity
  private let show: Show
  private let router: CommandRouter
  private let changes: ChangeRunner
  private let alarms: AlarmRinger
  private let log: Log
  /// The state of the first graph of the run, while another graph is loaded; nil: none is.
  private var beforeLoad: ShowState?
  /// Saved player positions, until the players exist.
  private var positions: [ShowState.Position] = []

  /// Without a `file` no state is kept.
  init(
    _ file: StateFile?, path: String?, of owner: ShowIdentity, _ show: Show, _ router: CommandRouter,
    _ changes: ChangeRunner,
    _ alarms: AlarmRinger, _ log: Log
  ) {
    (self.file, self.path, self.show, self.router) = (file, path ?? "", show, router)
    self.owner = owner
    (self.changes, self.alarms, self.log) = (changes, alarms, log)
  }

  /// The state to save now; nil where none is kept. While another graph is loaded, it keeps the settings, scene and
  /// players of the run's first graph, because the next run begins with that graph.
  var current: ShowState? { file == nil ? nil : state }

  /// The state for the other machine of a pair, without players; nil while another graph is loaded.
  var followed: ShowState? { beforeLoad == nil ? state(withPlayers: false) : nil }

  private var state: ShowState { state(withPlayers: true) }

  private func state(withPlayers: Bool) -> ShowState {
    var state = beforeLoad ?? ShowState()
    state.isBlackout = show.dimmer.isBlackout
    // The goal of a fade of the master: the fade is over by the next start.
    state.master = Double(show.dimmer.way?.goal ?? show.dimmer.master)
    guard beforeLoad == nil else { return state }
    let graph = changes.graph
    (state.id, state.graph, state.relative) = (graph.identity.id, owner.graph, owner.relative)
    // A scene that the show is fading to counts as reached, too.
    state.scene = changes.overrides.scene
    let cue = router.cues.now
    (state.cue, state.followsOn) = (cue?.cue?.number.description, cue?.left != nil)
    state.settings = changes.overrides.live.map { ShowState.Setting(path: $0.target, value: $0.value.text) }
    state.clock = alarms.mark
    guard withPlayers else { return state }
    state.players = show.players.map { ShowState.Position($0.id, $0.player.snapshot, in: graph) }
    return state
  }

  /// Notes that another graph file runs; `before` is the state until then.
  func loaded(_ path: String, before: ShowState?) {
    beforeLoad = RealPath(path)?.text == owner.graph ? nil : before ?? ShowState()
  }

  /// Claims the state file and restores its state before there is a plan: settings, master, blackout. Logs settings
  /// that no longer fit, and a file of another show. Returns the cue, and whether the next one follows by itself.
  /// `read` reads the graph with overrides. `other` is the state of the other machine of a pair, if that one sends; it
  /// takes precedence over the file.
  func restore(
    _ read: ([Override]) -> CheckResult, sends other: ShowState? = nil
  ) -> (cue: CueNumber?, followsOn: Bool) {
    let own = file.flatMap { stateToRestore($0.claim()) }
    guard var kept = other ?? own else { return (nil, false) }
    show.dimmer.move(to: Float(kept.master), seconds: 0)
    show.dimmer.isBlackout = kept.isBlackout
    positions = kept.players
    if let mark = kept.clock { alarms.resume(from: mark) }
    if other == nil, let scene = alarms.missedScene(changes.graph) {
      kept.scene = scene.name
      // As at every change of scene, the scene's settings replace live ones.
      kept.settings.removeAll { kept in
        scene.settings.contains { SettingTarget.overlap(kept.path, $0.path) }
      }
    }
    restoreSettings(kept, read)
    let cue = kept.cue.flatMap(CueNumber.init)
    return (cue, cue != nil && kept.followsOn)
  }

  private func restoreSettings(_ kept: ShowState, _ read: ([Override]) -> CheckResult) {
    guard !kept.settings.isEmpty || kept.scene != nil else { return }
    let reading = changes.restore(
      kept.settings.map { Override(target: $0.path, value: $0.value) }, in: kept.scene, read)
    if !reading.lost.isEmpty {
      log.note(
        "--state: what no longer fits is forgotten: \(reading.lost.joined(separator: ", "))", .warning)
    }
    guard reading.checked.graph != nil else {
      let fault = ControlError(reading.checked)
      return log.note("--state: \(fault.description); the show begins as the graph says", .warning)
    }
    if let scene = kept.scene, changes.overrides.scene != scene {
      log.note("--state: the graph has no scene \(DisplayedText.safe(scene)) any more", .warning)
    }
  }

  /// Returns the state with which the show begins, if the file holds one; logs why a file is not used.
  private func stateToRestore(_ finding: StateFile.Finding) -> ShowState? {
    let path = DisplayedText.safe(path)
    switch finding {
    case .none: return nil
    case .ours(let state): return state
    case .aside(let fault, let name):
      log.note(
        "--state: \(fault.message) [\(fault.code)]; it is left aside as \(DisplayedText.safe(name)), and the show begins as "
          + "the graph says", .warning)
      return nil
    case .taken(let state):
      log.note("--state: another run keeps \(path); this one begins as it says, and keeps no state", .fault)
      return state
    case .foreign(let fault):
      log.note(
        "--state: \(fault.message) [\(fault.code)]; it is left as it is: the show begins as the graph says, and no state is "
          + "kept", .fault)
      return nil
    case .device:
      log.note("--state: \(path) is no file on a disk: no state is kept")
      return nil
    }
  }

  /// Moves players to their saved positions. Call it before they are heard.
  func restorePlayers() {
    for (id, player) in show.players {
      // A position counts only for the same list and the same file in it.
      guard let kept = positions.first(where: { $0.node == id }) else { continue }
      for command in kept.commands(for: player.snapshot) { player.perform(command) }
    }
    positions = []
  }

  /// Writes the state if it is due; reports faults.
  func keep(at time: Double) {
    guard let file else { return }
    file.update(state, at: time)
    if let message = file.takeMessage() { log.note(message, .fault) }
  }

  /// Writes the state at once and waits at most 2 s. Returns whether that succeeded; a fault is reported later.
  @discardableResult
  func keepNow() -> Bool {
    guard let file else { return true }
    return file.close(state)(2) == .kept
  }

  /// Begins to write the last state. The returned closure waits for the write, at most `seconds`, and returns a
  /// sentence if no state is kept. If only the state of the last second is lost, the closure logs that instead.
  func beginClose(_ last: ShowState?) -> (_ seconds: Double) -> String? {
    guard let file, let last else { return { _ in nil } }
    let ending = file.close(last, isLast: true)
    return { [log, path] seconds in
      switch ending(seconds) {
      case .kept: return nil
      case .failed, .stuck: return file.fault
      case .late:
        log.note("the state of the last second is not kept: \(path) takes too long", .fault)
        return nil
      }
    }
  }
}
