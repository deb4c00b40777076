import Controls
import Engine
import Graphs
import Hosts
import Nodes
import Synchronization
import System
import Viewer
import Zeroconf

/// A live run (`visgraph run`, `play` or `session`), from the checked graph to the last light out. [control]
final class LiveRun: @unchecked Sendable {
  let options: RunOptions
  /// What the run takes its time from.
  let pace = CommandContext.current.pace
  let log: Log
  /// Carries out changes of the graph.
  let changes: ChangeRunner
  /// The running graph.
  var graph: CheckedGraph { changes.graph }
  /// Reloads the graph, and saves settings into its file.
  let reloader: GraphReloader
  /// Observes levels and the timeline for screens, pages and the control port.
  let seen: LevelMonitor
  let signals: StopSignals
  /// Notifies the service manager; nil where none has started this process.
  let service: SystemdNotifier?
  /// Completes the end if the control thread hangs.
  let watchdog: StopWatchdog
  let show: Show
  /// Takes all commands, from OSC, keys and pages.
  let router: CommandRouter
  /// Plays back a control score; nil: none.
  var score: ScoreReplay?
  /// The control port, the pages and their announcement.
  let services: RunServices
  /// Runs the alarms at their times of day.
  let alarms: AlarmRinger
  /// Follows the life cycle of the show and runs hooks.
  let life: LifeWatch
  /// The files that the run writes.
  let files: RunFiles
  /// The link to the other machine of a pair, and what follows it; nil: there is no pair.
  private(set) var pair: (link: PairLink, follower: PairFollower)?
  /// Saves and restores the state.
  let keeper: StateKeeper
  /// Whether `stopHostsAndShow` was called.
  private var hasStopped = false
  private let effects: LiveEffects
  /// Opens and replaces the host.
  let hosts: HostSupervisor

  /// `source`: the text of `graph`, read with the overrides of `origin`. `file` was made before the graph file was
  /// read, so that no later change is missed. `stop` has handled the signals since then.
  init(
    _ graph: CheckedGraph, source: SourceText, origin: GraphSource, file: FileWatch?, options: RunOptions,
    stop: (signals: StopSignals, watchdog: StopWatchdog)
  ) throws {
    Memory.returnLargeBlocks()
    self.options = options
    let mask = SecretMask(options.control, options.view)
    // Arguments such as `--set` may hold keys, too.
    CommandLineSecrets.cover(mask.texts)
    log = Log(options.quiet ? .quiet : options.verbose ? .verbose : .normal, mask)
    let end = DurationLimit(options.length)
    seen = LevelMonitor(LevelDemand(isConstant: options.levels != nil))
    let owner = ShowIdentity(graph, stateAt: options.state ?? "")
    let state = options.state.map { StateFile($0, of: owner) }
    files = try RunFiles(options, state, log)
    let fades = SettingFades()
    let sceneEvents = SceneEvents()
    service = SystemdNotifier(environment())
    let signals = stop.signals
    end.onReached { signals.finish() }
    let gated: GatedCommands? =
      if let record = files.scoreWriter {
        GatedCommands(record: record)
      } else {
        options.controlScore.map { GatedCommands(isReplay: $0.isRecorded, wake: { signals.wake() }) }
      }
    let heard = LevelMonitor(seen.demand)
    let events = ViewEvents()
    let observers: [any FrameObserver] = [end, seen, heard, fades, events, sceneEvents]
    show = Show(
      observers: files.observers + observers + (service.map { [$0] } ?? [])
        + (gated.map { [$0] } ?? []),
      timing: gated?.timing, gate: PairOptions.gate(options.pair))
    self.signals = signals
    watchdog = stop.watchdog
    let router = CommandRouter(show: show, fades: fades, gated: gated) { signals.wakeForChanges() }
    self.router = router
    let folders = AllowedFolders(options.folders)
    let hosting = Locked<(any Host)?>(nil)
    effects = LiveEffects(
      show, signals, seen.demand, packets: pace.steps?.packets ?? .network, host: hosting)
    changes = ChangeRunner(
      graph, SettingOverrides(Checker.complete, source, given: origin.overrides), router: router,
      folders: folders, effects: effects)
    hosts = HostSupervisor(options, show, signals, watchdog, changes, log, pace.steps, hosting: hosting)
    // A recording that is played back holds the commands of events and hooks already.
    if options.controlScore?.isRecorded != true { Self.follow(sceneEvents, router, show.gate, log) }
    life = LifeWatch(
      show, router, folders, heard: heard, log: log,
      files: [options.levels, options.state, options.logControl, options.recordControl].compactMap(\.self),
      isReplay: options.controlScore?.isRecorded == true, pace, environment())
    alarms = AlarmRinger(show, router, folders, sender: life.sender, pace, log)
    keeper = StateKeeper(state, path: options.state, of: owner, show, router, changes, alarms, log)
    reloader = GraphReloader(
      changes, router, keeper, service, log, origin: origin, file: file, watches: options.watch)
    services = RunServices(
      options, show, router, hosts, reloader, seen: seen, events: events, written: files.all, log)
    changes.events = changeEvents
    makePair()
  }

  /// Makes the link to the other machine of a pair.
  private func makePair() {
    guard let pair = options.pair else { return }
    let link = PairLink(pair, show, router, key: options.control.key, log) { [signals] in signals.wake() }
    let follower = PairFollower(link, show, router, changes, keeper, alarms, log)
    self.pair = (link, follower)
    services.pair = link
  }

  func perform() throws {
    defer { log.flush(within: signals.hasDeadline ? 0.3 : 5) }
    defer { _ = services.closeControl() }
    try services.openControl()
    let host: any Host
    do {
      host = try hosts.open()
    } catch  where signals.isAsked {
      return
    }
    defer { stopHostsAndShow() }
    let other = pair?.follower.first()
    let kept = keeper.restore(reloader.read, sends: other)
    changes.begin(at: kept.cue, followsOn: kept.followsOn)
    do {
      try show.open(graph, effects.configuration(host), host: host)
    } catch {
      throw RunError(description: startErrorText(error), isOfGraph: true)
    }
    keeper.restorePlayers()
    defer { services.closePages() }
    try services.openPages(of: graph)
    life.isWatched = { [services] in services.view?.isWatched == true }
    guard watchdog.arm(lastSteps) else { return }
    if let line = RealTimeNote.line(of: host, environment()) { log.note(line, .warning) }
    do {
      if !host.runsFrames { try show.frames.start() }
      try host.start()
    } catch {
      throw RunError(description: "\(error)")
    }
    try pair?.link.start()
    defer { pair?.link.close() }
    score = options.controlScore.flatMap {
      ScoreReplay($0, show, router, AllowedFolders(options.folders), log)
    }
    // Media keys and desktops, if the session has a D-Bus.
    let desktop =
      pace.steps == nil
      ? DesktopPlayer(player: { [show] in show.players.first }) { [weak self] in self?.perform($0) } : nil
    defer { desktop?.close() }
    options.session?.opened(graph.name, pages: services.view)
    watch()
    try finish()
  }

  /// Ends hosts and show. Silences the hosts and turns the lights off first, because stopping a host may take long or
  /// hang.
  func stopHostsAndShow() {
    if hasStopped { return }
    hasStopped = true
    hosts.silence()
    show.close()
    WledLamps.waitUntilPutBack()
    hosts.stop()
  }

  /// Hands a command of OSC, a key or a page to the router. [any]
  func perform(_ command: ShowCommand) {
    router.perform(command) { [log] fault in log.note(fault.description, .warning) }
  }
}
