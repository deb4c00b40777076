import Controls
import Engine
import Graphs
import Hosts
import Nodes
import Realtime
import System

/// How the graph of a run is changed while it runs: read again, replaced, set. [control]
extension LiveRun {
  /// What the runner of changes leaves to the run.
  var changeEvents: ChangeRunner.Events {
    var events = ChangeRunner.Events()
    events.isEnding = { [signals] in signals.isAsked }
    events.note = { [log] line in log.note(line) }
    events.fadeEnded = { [log] path, fault in
      log.note("the fade of \(path) ends: \(fault.description)", .warning)
    }
    events.cueRefused = { [log] fault in log.note(fault.description, .warning) }
    events.send = { [weak self] messages, refused in self?.send(messages, refused: refused) }
    events.other = { [weak self] change in self?.carryOut(change) }
    return events
  }

  /// Carries out what concerns the file of the graph, or the run.
  private func carryOut(_ change: CommandRouter.Change) {
    switch change.command {
    case .reload: reload(refused: change.refused)
    case .load(let path, let seconds): load(path, fade: seconds, refused: change.refused)
    case .save: save(refused: change.refused)
    case .quit: signals.stop()
    default: break
    }
  }

  /// Reads the graph again. With a fault the old graph stays.
  func reload(refused: CommandRouter.Refusal = { _ in }) {
    service?.reloading()
    defer { service?.reloaded() }
    let scene = router.scenes.now
    let reading = changes.read(origin.read)
    // Also when there is a fault: what is mended may be one of them.
    file?.follow(reading.checked.files)
    guard replace(by: reading.checked, refused) else { return }
    if !reading.lost.isEmpty {
      log.note(
        "what was set does not fit any more and is forgotten: \(reading.lost.joined(separator: ", "))",
        .warning)
    }
    changes.take(reading)
    log.note("reloaded \(graph.path)")
    if let scene, scene.name != made.scene {
      log.note("the graph has no scene \(scene.name) any more", .warning)
    }
    changes.keep(scene)
  }

  /// Runs another graph file as it stands, crossfading to it. With a fault the old graph stays.
  private func load(_ path: String, fade seconds: Double?, refused: CommandRouter.Refusal) {
    var watch = FileWatch(path)
    let new = GraphSource(place: .file(path))
    let checked = new.read([])
    let before = state.map { _ in currentState }
    guard replace(by: checked, fade: seconds, refused) else { return }
    stateBeforeLoad = RealPath(path)?.text == state?.owner.graph ? nil : before
    watch.follow(checked.files)
    (file, origin) = (watch, new)
    changes.load(checked.source)
    log.note("runs \(path)")
  }

  private func replace(
    by checked: CheckResult, fade seconds: Double? = nil, _ refused: CommandRouter.Refusal
  ) -> Bool {
    log.faults(DiagnosticText.text(checked))
    faults.withLock { $0 = Self.json(checked) }
    guard let new = checked.graph else {
      log.note("the graph has faults; the old one stays", .fault)
      refused(ControlError(checked))
      return false
    }
    do throws(ControlError) {
      try changes.change(to: new, fade: seconds)
      return true
    } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
      refused(error)
      return false
    }
  }

  /// What is wrong with a file, for pages: the diagnostics, and the text with lines and carets; null where all is well.
  private static func json(_ checked: CheckResult) -> String {
    let text = DiagnosticText.text(checked)
    guard !text.isEmpty else { return "null" }
    return "{\"text\":\(Json.string(text).line),\"found\":\(checked.json.line)}"
  }

  /// The server has another rate: the graph that runs, not the file, which may have a fault by now.
  func renew() {
    do throws(ControlError) { try changes.change(to: graph) } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
    }
  }
}
