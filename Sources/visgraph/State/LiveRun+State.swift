import Controls
import Engine
import Graphs
import Hosts
import Playback
import System

/// How a run keeps its state over restarts, and writes what was set live into its graph file. [control]
extension LiveRun {
  /// How the show stands now. While another graph is loaded than the run began with, that one's settings, scene and players
  /// stand as they were left, as the next run begins with it.
  var currentState: ShowState {
    var state = stateBeforeLoad ?? ShowState()
    state.isBlackout = show.dimmer.isBlackout
    // One that is on its way has arrived by the next start.
    state.master = Double(show.dimmer.way?.goal ?? show.dimmer.master)
    guard stateBeforeLoad == nil else { return state }
    let owner = self.state?.owner ?? ShowIdentity()
    (state.id, state.graph, state.relative) = (graph.identity.id, owner.graph, owner.relative)
    // So has a scene that it goes to.
    state.scene = made.scene
    let cue = router.cues.now
    (state.cue, state.followsOn) = (cue?.cue?.number.description, cue?.left != nil)
    state.settings = made.live.map { ShowState.Setting(path: $0.target, value: $0.value) }
    state.clock = alarms.mark
    state.players = show.players.map { ShowState.Position($0.id, $0.player.snapshot, in: graph) }
    return state
  }

  /// Takes the state file, and what it has, before there is a plan: settings, master, blackout. What does not fit any more
  /// is told, and so is a file that is not this show's.
  func restoreState() {
    guard let state, var kept = found(state.claim()) else { return }
    show.dimmer.move(to: Float(kept.master), seconds: 0)
    show.dimmer.isBlackout = kept.isBlackout
    positions = kept.players
    keptCue = kept.cue.flatMap(CueNumber.init).map { ($0, kept.followsOn) }
    if let mark = kept.clock { alarms.goOn(from: mark) }
    if let scene = sceneMeanwhile() {
      kept.scene = scene.name
      // As where it is gone to: what it sets is its own again.
      kept.settings.removeAll { kept in
        scene.settings.contains { SettingTarget.overlap(kept.path, $0.path) }
      }
    }
    guard !kept.settings.isEmpty || kept.scene != nil else { return }
    let reading = changes.restore(
      kept.settings.map { Override(target: $0.path, value: $0.value) }, in: kept.scene, origin.read)
    if !reading.lost.isEmpty {
      log.note(
        "--state: what does not fit any more is forgotten: \(reading.lost.joined(separator: ", "))", .warning)
    }
    guard reading.checked.graph != nil else {
      return log.note(
        "--state: \(ControlError(reading.checked).description); the show begins as the graph says", .warning)
    }
    if let scene = kept.scene, made.scene != scene {
      log.note("--state: the graph has no scene \(DisplayedText.safe(scene)) any more", .warning)
    }
  }

  /// The state in what was found; tells what is no state of this show.
  private func found(_ finding: StateFile.Finding) -> ShowState? {
    let path = DisplayedText.safe(options.state ?? "")
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

  /// Has players go where they were, before anything is heard of them.
  func restorePlayers() {
    for (id, player) in show.players {
      // Another list, or another file in its place, is another piece of music.
      guard let kept = positions.first(where: { $0.node == id }) else { continue }
      for command in kept.commands(for: player.snapshot) { player.perform(command) }
    }
    positions = []
  }

  /// Writes how things stand, when it is time; tells what went wrong.
  func keepState(at time: Double) {
    guard let state else { return }
    state.update(currentState, at: time)
    if let message = state.takeMessage() { log.note(message, .fault) }
  }

  /// Writes how things stand at once, and waits for it a moment. Whether that went well; what has gone wrong is told later.
  @discardableResult
  func keepStateNow() -> Bool { state.map { $0.close(currentState)(2) == .kept } ?? true }

  /// Begins to write how things stood at last, while other things end; what comes back waits for that, at most so many
  /// seconds, and says what is lost, but for a last second, which is told.
  func closeState(_ last: ShowState) -> (_ seconds: Double) -> String? {
    guard let state else { return { _ in nil } }
    let ending = state.close(last, isLast: true)
    return { [log, options] seconds in
      switch ending(seconds) {
      case .kept: return nil
      case .failed, .stuck: return state.fault
      case .late:
        log.note("the state of the last second is not kept: \(options.state ?? "") takes too long", .fault)
        return nil
      }
    }
  }

  /// Writes what was set live into the graph file.
  func save(refused: (ControlError) -> Void) {
    func refuse(_ code: String, _ reason: String) {
      log.note("nothing is saved: \(reason)", .warning)
      refused(.graph(code: code, reason, notes: []))
    }
    guard case .file(let path) = origin.place else {
      return refuse("no-graph-file", "the graph did not come from a file")
    }
    guard !made.live.isEmpty else { return log.note("nothing was set that could be saved") }
    guard case .success(let now) = SourceText.read(path: path), now.fileBytes == made.source.fileBytes else {
      return refuse("changed-file", "\(path) has been changed since it was read: reload it first")
    }
    let result = made.written()
    let left = result.reasons.map { "\($0.target) (\($0.why))" }.joined(separator: ", ")
    guard !result.written.isEmpty else {
      return refuse("no-place", "there is no place in \(path) for \(left)")
    }
    do throws(Errno) {
      try WholeFile.write(result.source.fileBytes, to: path)
    } catch {
      return refuse("unwritable-file", "\(path): \(error.text)")
    }
    changes.save(result)
    saving.withLock { $0.note(result) }
    // That it has changed is no news.
    file = options.watch || file != nil ? FileWatch(path) : nil
    file?.follow(graph.files)
    let saved = "saved \(NumberFormat.count(result.written.count, "setting")) into \(path)"
    if left.isEmpty {
      log.note(saved)
    } else {
      log.note("\(saved); no place there has \(left)", .warning)
      refused(.graph(code: "partly-saved", "\(saved), but no place there has \(left)", notes: []))
    }
    // Scenes stand in the graph that runs as they were read.
    if !graph.scenes.isEmpty { router.perform(.reload) }
  }
}

/// How the graph file stands, for pages: what was set and is not in it, and what came of saving. [any]
struct SavingFacts {
  /// Where it lies; nil where the graph came from elsewhere.
  private var path: String?
  /// The settings that are not in it, oldest first.
  private var unsaved: [String] = []
  /// How often it has been saved in this run, what was written the last time, and what had no place in it.
  private var (saves, written, left) = (0, [String](), [String]())

  /// How it stands now.
  mutating func note(_ made: SettingOverrides, of place: GraphSource.Place) {
    path = if case .file(let path) = place { path } else { nil }
    unsaved = made.live.map(\.target)
  }

  /// It has been saved.
  mutating func note(_ result: SettingWriter.Result) {
    saves += 1
    (written, left) = (result.written, result.left)
  }

  /// As pages are told it.
  var json: Json {
    func list(_ texts: [String]) -> Json { .array(texts.map { .string($0) }) }
    return .object([
      ("path", path.map { .string($0) } ?? .null), ("unsaved", list(unsaved)),
      ("saves", .number(Double(saves))), ("written", list(written)), ("left", list(left)),
    ])
  }
}
