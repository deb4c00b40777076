import Controls
import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import Realtime
import Synchronization
import System
import Viewer
import Zeroconf

/// One `visgraph run`, from the checked graph to the last light out. [control]
final class LiveRun: @unchecked Sendable {
  /// What the command line says.
  struct Options {
    var host: RunCommand.HostKind
    var server: String?
    var client: String
    var exactName: Bool
    var waits: Bool
    var length: Double?
    var levels: String?
    var watch: Bool
    var cycle: Int
    var verbose: Bool
    var quiet: Bool
    /// Where control messages are taken.
    var control: ControlSettings
    /// Where the pages are served.
    var view: ViewSettings
    /// A file that keeps all that comes to the control port.
    var logControl: String?
    /// A file that keeps what was asked for and when it acted.
    var recordControl: String?
    /// What the show is asked for, and when.
    var controlScore: ControlScore?
    /// A file that keeps how the show stands.
    var state: String?
    /// The session that it belongs to; nil: none.
    var session: OpenSession?
    /// Where files may lie that control messages name.
    var folders: [String]
    /// What the command adds to the run; nil: the screen of a graph, and nothing more.
    var frontEnd: (any RunFrontEnd)?
  }

  /// Why it could not run.
  struct RunError: Error, CustomStringConvertible {
    let description: String
    /// Whether the graph or its files are at fault.
    var isOfGraph = false
  }

  let options: Options
  let log: Log
  /// The graph that runs.
  var graph: CheckedGraph
  /// Where it comes from.
  var origin: GraphSource
  /// What has been set in it since.
  var made: SettingOverrides
  /// Looks for changes of its files; nil where there is no file.
  var file: FileWatch?
  private let end: DurationLimit
  private let levels: LevelsFile?
  let seen: LevelMonitor
  /// Who could play it besides JACK.
  let servers = SoundServers.found(environment())
  let signals: StopSignals
  /// Tells the service manager that has started us; nil where none has.
  let service: ServiceNotifier?
  /// Sees to the end where the control thread cannot.
  let watchdog: StopWatchdog
  /// Whether JACK has told something since the last look.
  let hasNews = Atomic<Bool>(false)
  let show: Show
  /// Where everything that is asked for comes together.
  let router: CommandRouter
  /// Keeps what is asked for; nil where nobody wants that.
  let scoreFile: ControlScoreFile?
  /// Plays back what was asked for once.
  var score: ScorePlayer?
  /// When it began: in seconds of the monotonic clock, and as people write it.
  let started = (seconds: MonotonicClock.seconds, text: ControlRecord.now())
  /// What happens at the control port.
  let portLog: PortLog
  /// The events of the show, for pages.
  let events = ViewEvents()
  /// What is wrong with the graph file as it was read last, for pages.
  let faults = Locked("null")
  /// How the graph file stands, for pages.
  let saving = Locked(SavingFacts())
  /// What is due by the time of day, and the second since 1970 in which that was looked for last.
  var (alarms, alarmSecond) = (AlarmClock(), 0)
  /// In which state of its life the show is.
  let life: LifeWatch
  /// Keeps how the show stands; nil where nobody asks for it.
  let state: StateFile?
  /// What the file had of players when the run began, for when they are there.
  var positions: [ShowState.Position] = []
  /// And the cue, and whether the next one comes by itself.
  var keptCue: (number: CueNumber, followsOn: Bool)?
  private var hasLeft = false
  private let hosting = Locked<(any Host)?>(nil)
  /// Who runs the cycles. [any]
  private(set) var host: (any Host)? {
    get { hosting.withLock { $0 } }
    set { hosting.withLock { $0 = newValue } }
  }
  /// Whether the server has another rate than the plan that runs.
  let hasNewRate = Atomic<Bool>(false)
  /// Who waits for a plan of the new rate before cycles begin.
  let renewing = Renewing()
  /// Whether the server that `--host auto` began to ask has not answered.
  let hasNoServer = Atomic<Bool>(false)
  /// Whether the clock stands in for a sound server that the graph would be heard by.
  let isClockInstead = Atomic<Bool>(false)

  /// `source` is the text that `graph` was read from, with the values and settings of `origin`; `file` has looked at the
  /// graph file before it was read, so that no later change is missed; `stop` has taken the signals since then.
  init(
    _ graph: CheckedGraph, source: SourceText, origin: GraphSource, file: FileWatch?, options: Options,
    stop: (signals: StopSignals, watchdog: StopWatchdog)
  ) throws {
    Memory.returnLargeBlocks()
    self.graph = graph
    self.origin = origin
    self.file = file
    made = SettingOverrides(Checker.complete, source, given: origin.overrides)
    self.options = options
    log = Log(options.quiet ? .quiet : options.verbose ? .verbose : .normal)
    end = DurationLimit(options.length)
    seen = LevelMonitor(LevelDemand(isConstant: options.levels != nil))
    do {
      levels = try options.levels.map {
        try LevelsFile(
          path: $0, layout: LevelsFile.layout(of: $0) ?? .csv, replacing: true, live: true,
          length: options.length)
      }
    } catch {
      throw RunError(description: "\(error)")
    }
    let fades = Fades()
    let sceneEvents = SceneEvents()
    service = ServiceNotifier(environment())
    do {
      scoreFile = try options.recordControl.map { try ControlScoreFile($0) }
    } catch {
      throw RunError(description: "--record-control \(error)")
    }
    let signals = stop.signals
    let gated: GatedCommands? =
      if let scoreFile {
        GatedCommands(record: { scoreFile.add($0, at: $1) })
      } else {
        options.controlScore.map { GatedCommands(isReplay: $0.isRecorded, wake: { signals.wake() }) }
      }
    let heard = LevelMonitor(seen.demand)
    let observers: [any FrameObserver] = [end, seen, heard, fades, events, sceneEvents]
    show = Show(
      observers: (levels.map { [$0] } ?? []) + observers + (service.map { [$0] } ?? [])
        + (gated.map { [$0] } ?? []),
      timing: gated?.timing)
    self.signals = signals
    watchdog = stop.watchdog
    let router = CommandRouter(show: show, fades: fades, gated: gated) { signals.wake() }
    self.router = router
    // Where a recording is played back, what events and hooks asked for is in it.
    if options.controlScore?.isRecorded != true {
      sceneEvents.onEvent { [log] command in
        // The beats of a crossfade's seconds would begin it again and again.
        if case .scene(.named(let name), _) = command, router.scenes.now?.name == name { return }
        router.perform(command) { fault in log.note(fault.description, .warning) }
      }
    }
    life = LifeWatch(
      show, router, AllowedFolders(options.folders), heard: heard, log: log,
      files: [options.levels, options.state, options.logControl, options.recordControl].compactMap(\.self),
      isReplay: options.controlScore?.isRecorded == true, environment())
    portLog = PortLog(reportsAll: options.verbose)
    state = options.state.map { StateFile($0) }
  }

  func perform() throws {
    defer { log.flush(within: signals.hasDeadline ? 0.3 : 5) }
    end.onReached = { [signals] in signals.finish() }
    let record = try openRecord()
    let control = try openControl(record)
    defer {
      control?.close()
      if let fault = record?.close() { log.note(fault, .warning) }
    }
    let host: any Host
    do {
      host = try openHost()
    } catch  where signals.isAsked {
      return
    }
    self.host = host
    defer { leave() }
    restoreState()
    if made.scene == nil { made.take([], of: graph.main) }
    router.scenes.begin(made.scene)
    restoreCue()
    do {
      try show.open(graph, configuration(host), host: host)
    } catch {
      throw RunError(description: startErrorText(error), isOfGraph: true)
    }
    restorePlayers()
    // Only now is there a graph that messages could be carried out in.
    if let control { log.note("control \(control.name)") }
    let view = try openView(control, record)
    defer { view?.close() }
    if let view { log.note("view \(view.name)") }
    let announcement = announce(control, view)
    defer { announcement?.close() }
    life.isWatched = { view?.isWatched == true }
    let steps = StopWatchdog.Steps(darken: { [show] in show.darken(isCrash: $0) }) {
      [weak self, levels, scoreFile, log] report in
      defer { log.flush(within: 0.05) }
      // Both are written while one is waited for.
      self?.endScore()
      do { try levels?.close(within: 0) } catch {
        report(1)
        log.note("\(error)", .fault)
      }
      if let fault = scoreFile?.close(within: 0) { log.note(fault, .fault) }
    }
    guard watchdog.arm(steps) else { return }
    if let line = RealTimeNote.line(of: host, environment()) { log.note(line, .warning) }
    do {
      show.frames.start()
      try host.start()
    } catch {
      throw RunError(description: "\(error)")
    }
    score = options.controlScore.map { player($0) }
    // Media keys and desktops, where a session has a bus for them.
    let desktop = DesktopPlayer(player: { [show] in show.players.first }) { [weak self] in self?.perform($0) }
    defer { desktop?.close() }
    options.session?.opened(self, pages: view)
    watch(control: control?.name, pages: view?.pages ?? [], record)
    // Lights first, then what may take its time or hang; the state as it was with light.
    let last = state.map { _ in currentState }
    show.darken()
    endScore()
    life.end(graph)
    service?.stopping()
    let endState = last.map { closeState($0) }
    let loss: RunError?
    do throws(LevelsFile.WriteError) {
      try levels?.close(within: signals.hasDeadline ? 0.3 : nil)
      loss = nil
    } catch {
      loss = RunError(description: "\(error)")
    }
    reportMessages()
    control?.close()
    leave()
    endState?(signals.hasDeadline ? 0.2 : 5)
    if let fault = scoreFile?.close(within: signals.hasDeadline ? 0.2 : 5) { log.note(fault, .fault) }
    if options.verbose {
      if let jack = self.host as? JackHost { log.note("xruns \(jack.xruns)") }
      log.note(CounterReport.sum(show.counters))
    }
    if let loss { throw loss }
  }

  /// Lights out first: a host may take a while to end, or hang.
  private func leave() {
    if hasLeft { return }
    hasLeft = true
    let host = self.host
    host?.silence()
    show.close()
    host?.stop()
  }

  func configuration(_ host: any Host) -> StreamConfiguration {
    StreamConfiguration(
      sampleRate: host.rate, isRealTime: true, packets: .network, dimmer: show.dimmer,
      transport: show.transport, demand: seen.demand, timing: show.timing)
  }

  // MARK: - While it runs

  /// Until somebody wants an end: shows how things stand, reloads, tells what happens.
  private func watch(control: String?, pages: [ViewServer.Page], _ record: ControlRecord?) {
    var counterReport = CounterReport()
    var taker = StatusCollector(show: show, seen: seen, servers: servers, control: control)
    taker.command = command
    taker.pages = pages.map {
      ShowStatus.Page(name: $0.name, address: $0.address, isReachable: $0.isReachable)
    }
    (taker.scenes, taker.cues) = (router.scenes, router.cues)
    taker.isClockAsked = options.host == .clock
    var players = PlayerEventLog()
    var hints = Hints()
    var changes = StatusLog()
    changes.reportsEnds = options.frontEnd == nil
    log.flush(within: 0.2)
    let screen = options.quiet ? nil : view()
    if screen != nil {
      log.hold()
      life.isWatched = { true }
    }
    defer {
      screen?.close()
      log.release()
    }
    var nextPoll = 0.0
    renewing.begin()
    defer { renewing.end() }
    while !signals.isAsked, options.session?.isLeft != true, let host {
      if let clock = leaveSilentServer(host) {
        self.host = clock
        continue
      }
      let time = MonotonicClock.seconds
      // Without a screen nobody sees more than a look a second, but when something has changed.
      if hasNews.exchange(false, ordering: .relaxed) || time >= nextPoll,
        let status = taker.take(host, messages: log.messages)
      {
        nextPoll = time + (screen == nil ? 0.99 : 0.9 / Screen.perSecond)
        let hintsNow = hints.update(status)
        for line in changes.update(status, hints: hintsNow) { log.note(line) }
        screen?.show(status, hints: hintsNow)
        service?.report(status, hints: hintsNow)
        if let line = counterReport.takeMessage(show.counters, graph, rate: host.rate, at: time) {
          log.note(line, .warning)
        }
        if let line = levels?.takeMessage(at: time) { log.note(line, .fault) }
        if let line = scoreFile?.takeMessage(at: time) { log.note(line, .fault) }
        reportMessages()
      }
      reportControl(record, at: time)
      for command in options.frontEnd?.poll(show, log: log, hasView: screen != nil) ?? [] {
        perform(command)
      }
      // One that was over before it was reported.
      if let jack = host as? JackHost, !jack.isFreewheeling { show.frames.setFreewheeling(false) }
      show.settle(host)
      if screen == nil, options.frontEnd == nil {
        for line in players.takeMessages(show.players) { log.note(line.text, line.weight) }
      }
      if hasNewRate.exchange(false, ordering: .relaxed) {
        renew(host)
        renewing.done()
      }
      if signals.takeReload() || (options.watch && file?.hasChanged() == true) { reload(host) }
      if let score { play(score, host) }
      ringAlarms()
      life.look(host, graph)
      carryOut(router.takeChanges(), host)
      followCues(host)
      saving.withLock { $0.note(made, of: origin.place) }
      keepState(at: time)
      options.session?.attend(self)
      if let screen {
        perform(screen)
      } else {
        let rest = score.flatMap { self.rest($0, host) }
        signals.wait(seconds: rest ?? (options.session == nil ? 0.25 : 0.05))
      }
    }
  }

  private func view() -> (any LiveView)? {
    let environment = environment()
    if let frontEnd = options.frontEnd {
      return frontEnd.view(of: show, environment, bell: signals.descriptor)
    }
    return Screen(environment: environment, bell: signals.descriptor)
  }

  private func perform(_ screen: any LiveView) {
    for command in screen.asked() { perform(command) }
    signals.forgetBell()
    if screen.hasHungUp { signals.stop() }
  }

  /// Does what somebody asks for, by whatever way. [any]
  func perform(_ command: ShowCommand) {
    router.perform(command) { [log] fault in log.note(fault.description, .warning) }
  }

  private func reportMessages() {
    for line in show.takeMessages() { log.note(line, .warning) }
  }
}

/// What a command adds to the run of its graph: a screen of its own, and what it tells and asks for meanwhile. [control]
protocol RunFrontEnd: AnyObject {
  /// The screen; nil where there is none to be had. Who waits for keys is woken when `bell` becomes readable.
  func view(of show: Show, _ environment: [String: String], bell: Int32) -> (any LiveView)?
  /// Looks how things stand, some times a second; tells what has changed, and says what it asks for.
  func poll(_ show: Show, log: Log, hasView: Bool) -> [ShowCommand]
}
