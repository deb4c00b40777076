import Controls
import Engine
import Graphs
import Hosts
import Nodes
import Realtime
import System

/// How the graph of a run is changed while it runs: read again, replaced, set. [control]
extension LiveRun {
  /// Carries out what waits at the router, settings that come together as one change, the steps of fades among them.
  /// Once an end is asked for, what is left is given up.
  func carryOut(_ changes: [CommandRouter.Change], _ host: any Host) {
    var settings: [CommandRouter.Change] = []
    for change in changes {
      if signals.isAsked { return }
      switch change.command {
      case .set, .fader: settings.append(change)
      case .reload:
        set(settings, host)
        settings = []
        reload(host, refused: change.refused)
      case .load(let path, let seconds):
        set(settings, host)
        settings = []
        load(path, host, fade: seconds, refused: change.refused)
      case .save:
        set(settings, host)
        settings = []
        save(refused: change.refused)
      case .scene, .cue:
        set(settings, host)
        settings = []
        take(change, host)
      case .quit: signals.stop()
      case .transport, .sound, .tap, .master, .blackout: break
      }
    }
    set(settings, host, isLast: true)
  }

  /// Makes settings, and begins those that take time; the last ones together with what is due of those that run.
  private func set(_ settings: [CommandRouter.Change], _ host: any Host, isLast: Bool = false) {
    var changes = router.fades.begin(settings, in: graph)
    let paths = Set(changes.compactMap(\.command.settingPath))
    if isLast {
      changes += router.fades.steps(besides: paths) { [log] path, fault in
        log.note("the fade of \(path) ends: \(fault.description)", .warning)
      }
    }
    guard !changes.isEmpty else { return }
    let made = make(changes, host)
    // A setting made at once ends its fade; one that was refused changes nothing.
    router.fades.end(made.intersection(paths))
  }

  /// Goes to a scene or to a cue: what can fade begins to, all else is there in the same frame.
  private func take(_ change: CommandRouter.Change, _ host: any Host) {
    let steps = made.steps(of: change, in: graph, router, show, AllowedFolders(options.folders))
    set(steps.settings, host)
    for line in steps.notes { log.note(line) }
    send(steps.outside, refused: change.refused)
    for command in steps.commands { router.perform(command, withFrame: true, refused: change.refused) }
  }

  /// Makes settings; gives the paths of those that are made, and lets them be recorded.
  private func make(_ changes: [CommandRouter.Change], _ host: any Host) -> Set<String> {
    guard let gated = router.gated else { return make(changes, host) { set($0, as: $1, at: nil) } }
    var made: Set<String> = []
    gated.change(of: show) {
      var passed: Set<String> = []
      made = make(changes, host) { nodes, new in
        gated.timing.gate.perform { number in
          let set = set(nodes, as: new, at: number)
          let settings = nodes.filter { set.contains($0.node) }.flatMap(\.settings)
          passed.formUnion(settings.map(\.target))
          gated.pass(settings, number)
          return set
        }
      }
      let overrides = self.made.overrides
      return made.subtracting(passed).compactMap { path in overrides.last { $0.target == path } }
    }
    return made
  }

  private func make(
    _ changes: [CommandRouter.Change], _ host: any Host,
    set: ([SettingOverrides.NodeChange], CheckedGraph) -> Set<Int>
  ) -> Set<String> {
    made.carryOut(
      changes, in: graph, set: { nodes, graph in signals.isAsked ? [] : set(nodes, graph) },
      while: { !signals.isAsked }
    ) { graph throws(ControlError) in
      try change(to: graph, host)
    }
  }

  /// Lets nodes have the settings they have in a graph that is otherwise the one that runs; gives those that have them.
  private func set(
    _ nodes: [SettingOverrides.NodeChange], as new: CheckedGraph, at command: Int64?
  ) -> Set<Int> {
    let set = show.set(nodes.map(\.node), as: new, at: command)
    if !set.isEmpty, let plan = show.plan { graph = plan.graph }
    return set
  }

  /// Reads the graph again. With a fault the old graph stays.
  func reload(_ host: any Host, refused: CommandRouter.Refusal = { _ in }) {
    service?.reloading()
    defer { service?.reloaded() }
    let scene = router.scenes.now
    var read = made
    let (checked, lost) = read.read(in: scene?.name, moving: router.fades.isMoving, origin.read)
    // Also when there is a fault: what is mended may be one of them.
    file?.follow(checked.files)
    guard replace(by: checked, host, refused) else { return }
    if !lost.isEmpty {
      log.note(
        "what was set does not fit any more and is forgotten: \(lost.joined(separator: ", "))", .warning)
    }
    made = read
    made.reload(checked.source)
    router.cues.renew(in: graph)
    log.note("reloaded \(graph.path)")
    keep(scene, host)
  }

  /// Goes on in the scene that ran before the graph was read again, where it still has it; else in the one that the graph
  /// starts in, in the time that was left.
  private func keep(_ before: SceneProgress.Fact?, _ host: any Host) {
    if let before, before.name != made.scene {
      log.note("the graph has no scene \(before.name) any more", .warning)
    }
    let scene = made.scene.flatMap { graph.scene(.named($0), from: nil) }
    router.fades.endOfScenes(besides: scene?.settings.map(\.path) ?? [])
    guard let scene else { return router.scenes.begin(nil) }
    let left = before?.left ?? 0
    if before?.name != scene.name { router.scenes.begin(scene.name, seconds: left) }
    // What is on its way may lead elsewhere by now: to what the scene has become, or to the one that the graph starts in
    // where it is gone.
    guard left > 0 else { return }
    set(made.lead(to: scene, seconds: left, in: graph, router.fades) { _ in }, host)
  }

  /// Runs another graph file as it stands, crossfading to it. With a fault the old graph stays.
  private func load(_ path: String, _ host: any Host, fade seconds: Double?, refused: CommandRouter.Refusal) {
    var watch = FileWatch(path)
    let new = GraphSource(place: .file(path))
    let checked = new.read([])
    let before = state.map { _ in currentState }
    guard replace(by: checked, host, fade: seconds, refused) else { return }
    stateBeforeLoad = RealPath(path)?.text == state?.owner.graph ? nil : before
    watch.follow(checked.files)
    (file, origin) = (watch, new)
    made.load(checked.source)
    router.fades.endAll()
    made.take([], of: graph.main)
    router.scenes.begin(graph.main)
    router.cues.place(at: nil, follows: false, in: graph)
    log.note("runs \(path)")
  }

  private func replace(
    by checked: CheckResult, _ host: any Host, fade seconds: Double? = nil, _ refused: CommandRouter.Refusal
  ) -> Bool {
    log.faults(DiagnosticText.text(checked))
    faults.withLock { $0 = Self.json(checked) }
    guard let new = checked.graph else {
      log.note("the graph has faults; the old one stays", .fault)
      refused(ControlError(checked))
      return false
    }
    do throws(ControlError) {
      try change(to: new, host, fade: seconds)
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
  func renew(_ host: any Host) {
    do throws(ControlError) { try change(to: graph, host) } catch {
      log.note("the graph cannot run (\(error.description)); the old one stays", .fault)
    }
  }

  /// Changes to another graph, or to another rate. Where it cannot run the old one stays.
  private func change(
    to new: CheckedGraph, _ host: any Host, fade seconds: Double? = nil
  ) throws(ControlError) {
    do {
      try show.change(
        to: new, configuration(host), host: host, fade: seconds, while: { !signals.isAsked })
    } catch {
      throw .graph(code: "cannot-run", startErrorText(error), notes: [])
    }
    graph = new
  }
}
