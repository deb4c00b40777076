import Controls
import Engine
import Hosts
import Synchronization
import System
import Viewer

/// What a run does from its first light to the end that is asked for: the loop of the main thread. [control]
extension LiveRun {
  /// Until an end is asked for: shows how things stand, reloads, carries out what was asked for.
  func watch() {
    log.flush(within: 0.2)
    let screen = options.quiet ? nil : view()
    var display = RunDisplay(
      collector(showsLevels: screen != nil), screen, reportsEnds: options.frontEnd == nil)
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
      let time = MonotonicClock.seconds
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

  private func collector(showsLevels: Bool) -> StatusCollector {
    var collector = StatusCollector(
      show: show, seen: seen, servers: hosts.servers, control: services.control?.name)
    (collector.command, collector.showsLevels) = (hosts.command, showsLevels)
    collector.pages = (services.view?.pages ?? []).map {
      ShowStatus.Page(name: $0.name, address: $0.address, isReachable: $0.isReachable)
    }
    (collector.scenes, collector.cues, collector.written) = (router.scenes, router.cues, files.written)
    (collector.isClockAsked, collector.takesServer) = (options.host == .clock, hosts.takesServer)
    return collector
  }

  /// Shows how things stand, when something has changed or it is time.
  private func report(_ host: any Host, on display: inout RunDisplay, at time: Double) {
    let isDue = hosts.takeNews() || time >= display.next
    guard isDue, display.show(host, log, service, at: time) else { return }
    if let line = display.counters.takeMessage(show.counters, graph, rate: host.rate, at: time) {
      log.note(line, .warning)
    }
    files.report(to: log, at: time)
    reportMessages()
  }

  /// Follows what the callback and the server have done: plans that are taken, players that went on, another rate.
  private func follow(_ host: any Host, on display: inout RunDisplay) {
    // One that was over before it was reported.
    if host.isRealTime { show.frames.setFreewheeling(false) }
    show.settle(host)
    if display.screen == nil, options.frontEnd == nil {
      for line in display.players.takeMessages(show.players) { log.note(line.text, line.weight) }
    }
    hosts.renew(reloader.renew)
  }

  /// Changes the graph by all that asks for it: its file, the score, the time of day, commands, cues.
  private func change(_ host: any Host) {
    if signals.takeReload() || reloader.hasChanged() { reloader.reload() }
    score?.play(host)
    // Where a recording is played back, what was due is in it.
    // Where another machine sends, that one does what is due, and is followed.
    if options.controlScore?.isRecorded != true, !show.gate.isHeld { alarms.ring(graph) }
    life.look(host, graph)
    changes.carryOut(router.takeChanges())
    if !show.gate.isHeld { changes.followCues() }
    pair?.follower.look()
    reloader.noteUnsaved()
  }

  /// Waits for keys, a command or the next look.
  private func wait(for screen: (any LiveView)?, _ host: any Host) {
    if let screen { return perform(screen) }
    let rest = score?.rest(host)
    signals.wait(seconds: rest ?? (options.session == nil ? 0.25 : 0.05))
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

  func reportMessages() {
    for line in show.takeMessages() { log.note(line, .warning) }
  }
}
