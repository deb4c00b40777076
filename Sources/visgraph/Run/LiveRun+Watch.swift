import Controls
import Engine
import Graphs
import Hosts
import Synchronization
import System
import Viewer

/// The loop of the main thread, from the first frame until an end is requested. [control]
extension LiveRun {
  /// Runs until an end is asked for: shows the status, reloads the graph, carries out commands.
  func watch() {
    log.flush(within: 0.2)
    let screen = options.quiet ? nil : makeView()
    var display = RunDisplay(
      makeCollector(showsLevels: screen != nil), screen, reportsEnds: options.frontEnd == nil)
    if screen != nil {
      log.hold()
      life.isWatched = { true }
    }
    defer {
      screen?.close()
      log.release()
    }
    hosts.beginRenewing()
    defer { hosts.endRenewing() }
    while !signals.isAsked, options.session?.isLeft != true,
      let host = hosts.attend(renew: reloader.renew)
    {
      let time = pace.seconds()
      report(host, on: &display, at: time)
      services.report(at: time)
      for command in options.frontEnd?.poll(show, log: log, hasView: screen != nil) ?? [] {
        perform(command)
      }
      follow(host, on: &display)
      change(host)
      keeper.keep(at: time)
      options.session?.attend(changes, reloader, keeper)
      wait(for: screen, host)
    }
  }

  private func makeCollector(showsLevels: Bool) -> StatusCollector {
    var collector = StatusCollector(
      show: show, seen: seen, servers: hosts.servers, control: services.control?.name)
    (collector.command, collector.showsLevels) = (hosts.command, showsLevels)
    collector.pages = (services.view?.pages ?? []).map {
      ShowStatus.Page(name: $0.name, address: $0.address, isReachable: $0.isReachable)
    }
    (collector.scenes, collector.cues, collector.written) = (router.scenes, router.cues, files.all)
    (collector.isClockAsked, collector.takesServer) = (options.host == .clock, hosts.takesServer)
    return collector
  }

  /// Shows the status, if something has changed or the next update is due.
  private func report(_ host: any Host, on display: inout RunDisplay, at time: Double) {
    let isDue = hosts.takeNews() || time >= display.next
    guard isDue, display.show(host, log, service, at: time) else { return }
    if let line = display.counters.takeMessage(show.counters, graph, rate: host.rate, at: time) {
      log.note(line, .warning)
    }
    files.report(to: log, at: time)
    reportMessages()
  }

  /// Follows the callback and the server: plans that were taken, events of players, another sample rate.
  private func follow(_ host: any Host, on display: inout RunDisplay) {
    // Freewheel may have ended before it was reported.
    if host.isRealTime { show.frames.setFreewheeling(false) }
    show.settle(host)
    if display.screen == nil, options.frontEnd == nil {
      for line in display.players.takeMessages(show.players) { log.note(line.text, line.weight) }
    }
    hosts.renew(reloader.renew)
  }

  /// Applies changes of the graph: by its file, a score, alarms, hooks, commands and cues.
  private func change(_ host: any Host) {
    if signals.takeReload() || reloader.hasChanged() { reloader.reload() }
    score?.play(host)
    // A recording that is played back holds the commands of alarms already.
    // In a pair, only the machine that sends runs alarms and cues; the other one follows it.
    if options.controlScore?.isRecorded != true, !show.gate.isHeld { alarms.ring(graph) }
    life.poll(host, graph)
    carryOut(router.takeChanges())
    pair?.follower.poll()
    reloader.noteUnsaved()
  }

  /// Waits for keys, a command, or the timeout of the next round.
  private func wait(for screen: (any LiveView)?, _ host: any Host) {
    if let screen { return perform(screen) }
    if let steps = pace.steps {
      signals.drainWakeUps()
      return steps.wait(self)
    }
    let rest = score?.pollInterval(host) ?? (options.session == nil ? 0.25 : 0.05)
    let end = MonotonicClock.seconds + rest
    while !signals.wait(seconds: end - MonotonicClock.seconds), MonotonicClock.seconds < end, changesAlone() {
    }
  }

  /// Carries out changes without a round, which costs more than a setting does: a fader that moves asks for many.
  /// Returns whether the round can go on waiting: nothing but settings of the running plan has changed.
  private func changesAlone() -> Bool {
    guard score == nil, pair == nil, options.session == nil else { return false }
    let plan = show.plan?.number
    let waiting = router.takeChanges()
    carryOut(waiting)
    return show.plan?.number == plan && waiting.allSatisfy { $0.command.settingPath != nil }
  }

  private func carryOut(_ waiting: [GraphChange]) {
    changes.carryOut(waiting)
    if !show.gate.isHeld { changes.followCues() }
  }

  private func makeView() -> (any LiveView)? {
    // What the command prints goes to another place than a terminal.
    guard CommandContext.current.output == nil else { return nil }
    let environment = environment()
    if let frontEnd = options.frontEnd {
      return frontEnd.view(of: show, environment, wakeDescriptor: signals.descriptor)
    }
    return Screen(environment: environment, wakeDescriptor: signals.descriptor)
  }

  private func perform(_ screen: any LiveView) {
    for command in screen.takeCommands() { perform(command) }
    signals.drainWakeUps()
    if screen.hasHungUp { signals.stop() }
  }

  func reportMessages() {
    for line in show.takeMessages() { log.note(line, .warning) }
  }
}

/// The events of the graph, and those of its changes.
extension LiveRun {
  /// Lets events of the graph start scenes. In a pair, the machine that does not send follows the scenes of the other.
  static func follow(
    _ events: SceneEvents, _ router: CommandRouter, _ gate: OutputGate, _ log: Log
  ) {
    events.onEvent { command in
      if gate.isHeld { return }
      // Beats within the seconds of a fade would restart it each time.
      if case .scene(.named(let name), _) = command, router.scenes.now?.name == name { return }
      router.perform(command) { fault in log.note(fault.description, .warning) }
    }
  }

  /// The callbacks of the change runner.
  var changeEvents: ChangeRunner.Events {
    var events = ChangeRunner.Events()
    events.isEnding = { [signals] in signals.isAsked }
    events.note = { [log] line in log.note(line) }
    events.fadeEnded = { [log] path, fault in
      log.note("the fade of \(path) ends: \(fault.description)", .warning)
    }
    events.cueRefused = { [log] fault in log.note(fault.description, .warning) }
    events.send = { [sender = life.sender] messages, refused in sender.send(messages, refused: refused) }
    events.other = { [signals, weak reloader] change in
      if change.command == .quit { signals.stop() } else { reloader?.carryOut(change) }
    }
    return events
  }
}
