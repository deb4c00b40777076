import Controls
import Graphs
import System

/// Reloads the graph of a run, replaces it by another, and saves live settings into its file. [control]
final class GraphReloader {
  /// Diagnostics of the graph file as it was read last, as JSON for pages; `null`: no fault. [any]
  let faults = Locked("null")
  /// Which live settings the graph file lacks, for pages. [any]
  let saving = Locked(SavingFacts())
  private let changes: ChangeRunner
  private let router: CommandRouter
  private let state: StateKeeper
  private let service: SystemdNotifier?
  private let log: Log
  /// Whether the graph is reloaded when its files change.
  private let watches: Bool
  private var origin: GraphSource
  /// Detects changes of the graph's files; nil where there is no file.
  private var file: FileWatch?

  /// - Parameters:
  ///   - origin: where the graph that runs was read.
  ///   - file: made before the graph file was read, so that no later change is missed.
  ///   - watches: whether the graph is reloaded when its files change.
  init(
    _ changes: ChangeRunner, _ router: CommandRouter, _ state: StateKeeper, _ service: SystemdNotifier?,
    _ log: Log, origin: GraphSource, file: FileWatch?, watches: Bool
  ) {
    (self.changes, self.router, self.state, self.service) = (changes, router, state, service)
    (self.log, self.origin, self.file, self.watches) = (log, origin, file, watches)
  }

  /// Reads and checks the graph with these settings; the running graph stays.
  func read(_ overrides: [Override]) -> CheckResult { origin.read(overrides) }

  /// Whether the graph's files have changed since they were read; false unless the run watches them.
  func hasChanged() -> Bool { watches && file?.hasChanged() == true }

  /// Updates `saving` with the live settings that the file lacks.
  func noteUnsaved() { saving.withLock { $0.note(changes.overrides, of: origin.place) } }

  /// Carries out reload, load and save; ignores other commands.
  func carryOut(_ change: GraphChange) {
    switch change.command {
    case .reload: reload(refused: change.refused)
    case .load(let path, let seconds): load(path, fade: seconds, refused: change.refused)
    case .save: save(refused: change.refused)
    default: break
    }
  }

  /// Reads the graph again. If it has a fault, the old graph stays.
  func reload(refused: GraphChange.Refusal = { _ in }) {
    service?.reloading()
    defer { service?.reloaded() }
    let scene = router.scenes.now
    let reading = changes.read(origin.read)
    // After a fault, too: the fault may be in one of these files, and its change must be seen.
    file?.follow(reading.checked.files)
    guard replace(by: reading.checked, refused) else { return }
    if !reading.lost.isEmpty {
      log.note(
        "settings that no longer fit are forgotten: \(reading.lost.joined(separator: ", "))",
        .warning)
    }
    changes.take(reading)
    log.note("reloaded \(changes.graph.path)")
    if let scene, scene.name != changes.overrides.scene {
      log.note("the graph has no scene \(scene.name) any more", .warning)
    }
    changes.keep(scene)
  }

  /// Runs another graph file and crossfades to it. If it has a fault, the old graph stays.
  private func load(_ path: String, fade seconds: Double?, refused: GraphChange.Refusal) {
    var watch = FileWatch(path)
    let new = GraphSource(place: .file(path))
    let checked = new.read([])
    let before = state.current
    guard replace(by: checked, fade: seconds, refused) else { return }
    state.loaded(path, before: before)
    watch.follow(checked.files)
    (file, origin) = (watch, new)
    changes.load(checked.source)
    log.note("runs \(path)")
  }

  /// Runs another graph in place of the running one. Returns false, and reports why, if the old one stays.
  private func replace(
    by checked: CheckResult, fade seconds: Double? = nil, _ refused: GraphChange.Refusal
  ) -> Bool {
    log.diagnostics(of: checked)
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

  /// The diagnostics as pages get them: the text with source lines and carets, and the list; `null` without a fault.
  private static func json(_ checked: CheckResult) -> String {
    let text = DiagnosticText.text(checked)
    guard !text.isEmpty else { return "null" }
    return "{\"text\":\(Json.string(text).line),\"found\":\(checked.json.line)}"
  }

  /// Makes a new plan for the new sample rate of the server. Uses the running graph: its file may have a fault by now.
  func renew() {
    do throws(ControlError) { try changes.change(to: changes.graph) } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
    }
  }

  /// Writes the live settings into the graph file.
  func save(refused: (ControlError) -> Void) {
    func refuse(_ code: String, _ reason: String) {
      log.note("nothing is saved: \(reason)", .warning)
      refused(.graph(code: code, reason, notes: []))
    }
    guard case .file(let path) = origin.place else {
      return refuse("no-graph-file", "the graph did not come from a file")
    }
    guard !changes.overrides.live.isEmpty else { return log.note("nothing was set that could be saved") }
    guard case .success(let now) = SourceText.read(path: path),
      now.fileBytes == changes.overrides.source.fileBytes
    else {
      return refuse("changed-file", "\(path) has been changed since it was read: reload it first")
    }
    let result = changes.overrides.written()
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
    // The watch is made anew, so that this write does not count as a change.
    file = watches || file != nil ? FileWatch(path) : nil
    file?.follow(changes.graph.files)
    let saved = "saved \(NumberFormat.count(result.written.count, "setting")) into \(path)"
    if left.isEmpty {
      log.note(saved)
    } else {
      log.note("\(saved); no place there has \(left)", .warning)
      refused(.graph(code: "partly-saved", "\(saved), but no place there has \(left)", notes: []))
    }
    // The running graph has its scenes as they were before the save, so it is reloaded.
    if !changes.graph.scenes.isEmpty { router.perform(.reload) }
  }
}
