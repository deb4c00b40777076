import Controls
import Dispatch
import Engine
import Glibc
import Graphs
import Hosts
import Nodes
import Playback
import Realtime
import Rendering
import Synchronization
import System

/// Finds the host that runs the cycles of a run, and goes from one to another: a clock where no server answers, a server
/// that comes later. [control], and what has a tag of its own.
///
/// libjack's facts arrive on its own thread; they are noted, and the control thread acts by them.
final class HostSupervisor: @unchecked Sendable {
  /// The sound servers of the machine besides JACK.
  let servers = SoundServers.found(environment())
  private let options: RunOptions
  private let show: Show
  private let signals: StopSignals
  private let watchdog: StopWatchdog
  private let changes: ChangeRunner
  private let log: Log
  private let hosting: Locked<(any Host)?>
  /// Whether JACK has told something since the last look. [any]
  private let hasNews = Atomic<Bool>(false)
  /// Whether the server has another rate than the plan that runs. [any]
  private let hasNewRate = Atomic<Bool>(false)
  /// Holds a host up until there is a plan of the new rate. [any]
  private let renewing = Renewing()
  /// Whether the server that `--host auto` began to ask has not answered. [any]
  private let hasNoServer = Atomic<Bool>(false)
  private let clockIsInstead = Atomic<Bool>(false)
  private let refused = Locked<JackError?>(nil)
  /// The client that was opened; nil where a clock was asked for, or no server was found.
  private var jack: JackHost?
  /// What waits for a server meanwhile, if one is to be taken, and the rate of one that the graph cannot run at.
  private var standby: (jack: JackHost, refusedRate: Int)?

  /// `hosting` is where the host is kept that runs the cycles.
  init(
    _ options: RunOptions, _ show: Show, _ signals: StopSignals, _ watchdog: StopWatchdog,
    _ changes: ChangeRunner, _ log: Log, hosting: Locked<(any Host)?>
  ) {
    (self.options, self.show, self.signals, self.watchdog) = (options, show, signals, watchdog)
    (self.changes, self.log, self.hosting) = (changes, log, hosting)
  }

  /// The host that runs the cycles; nil before there is one. [any]
  var current: (any Host)? { hosting.withLock { $0 } }

  /// Why no server will do; the run ends. [any]
  var refusal: JackError? { refused.withLock { $0 } }

  /// Whether the clock stands in for a sound server that the graph would be heard by. [any]
  var isClockInstead: Bool { clockIsInstead.load(ordering: .relaxed) }

  /// Whether JACK has told something since the last call.
  func takeNews() -> Bool { hasNews.exchange(false, ordering: .relaxed) }

  /// From now on a host waits for plans of its rate, until `endRenewing`.
  func beginRenewing() { renewing.begin() }

  /// No plan is made any more.
  func endRenewing() { renewing.end() }

  /// Has a plan made where the server has another rate than the one that runs.
  func renew(_ change: () -> Void) {
    guard hasNewRate.exchange(false, ordering: .relaxed) else { return }
    change()
    renewing.done()
  }

  /// Opens the host that the command line asks for.
  func open() throws -> any Host {
    let host = try found()
    hosting.withLock { $0 = host }
    return host
  }

  /// Has all hosts give silence.
  func silence() { for host in all { host.silence() } }

  /// Stops all hosts; one may take a while, or hang.
  func stop() { for host in all { host.stop() } }

  private var all: [any Host] { [current, standby?.jack].compactMap(\.self) }

  /// Leaves a silent server, or takes one that has come since; gives the host that runs the cycles from now on. `renew`
  /// makes a plan for its rate.
  func attend(renew: () -> Void) -> (any Host)? {
    while let current, let clock = leaveSilentServer(current) { hosting.withLock { $0 = clock } }
    takeServer(renew)
    return current
  }

  /// How long a server may take to answer before the lights go on without it, in seconds.
  static let patience = 0.25

  private func found() throws -> any Host {
    switch options.host {
    case .clock: return clock()
    case .jack:
      do throws(JackError) { return try openJack(waiting: options.waits) } catch {
        throw RunError(description: "\(error)")
      }
    case .auto:
      do throws(JackError) {
        let host = try openJack(waiting: false, holding: options.waits)
        guard host.isHeld else { return host }
        standby = (host, 0)
      } catch {
        if error.isOfName { throw RunError(description: "\(error)") }
      }
      return clockInstead()
    }
  }

  /// The clock in the place of a sound server that does not answer; it is told.
  private func clockInstead() -> ClockHost {
    // Where there is sound to be heard, the hint of the screen says more.
    let remedy = servers.remedy(command, takesServer: takesServer)
    let hint = hasSoundOutputs || !servers.hasPipeWire ? "" : "; \(remedy)"
    let host = clock()
    // It was set while a server was looked for: two clocks would make frames.
    show.frames.setStalled(false)
    clockIsInstead.store(hasSoundOutputs, ordering: .relaxed)
    let end = standby == nil ? "" : " until one does"
    log.note("no JACK server answers: a timer runs the engine at \(host.rate) Hz\(end)\(hint)")
    return host
  }

  /// Whether a server that comes after a timer has begun is taken.
  var takesServer: Bool { options.host == .auto && options.waits }

  /// A server has come since a timer stands in for one: it runs the cycles from now on, as one does that returns. The
  /// timeline goes on, at its rate.
  private func takeServer(_ renew: () -> Void) {
    guard let (jack, refusedRate) = standby, let clock = current, jack.server?.isThere == true else { return }
    let rate = jack.rate
    guard rate != refusedRate else { return }
    if let fault = changes.graph.requires.fault(atRate: rate) {
      standby?.refusedRate = rate
      return log.note("a JACK server is there, but \(fault.message): the timer goes on", .warning)
    }
    clock.stop()
    stall()
    hosting.withLock { $0 = jack }
    standby = nil
    log.note("a JACK server is there, and runs the engine in the place of the timer")
    renew()
    jack.release(planned: rate)
    jack.start()
    if let line = RealTimeNote.line(of: jack, environment()) { log.note(line, .warning) }
    hasNews.store(true, ordering: .relaxed)
  }

  private var hasSoundOutputs: Bool { changes.graph.nodes.contains { $0.type.role == .hostOutput } }

  /// The command that runs it, as it is typed.
  var command: String { options.frontEnd == nil ? "run" : "play" }

  /// With `--host auto` a server that was there when it was asked, but has not answered since, is left for the clock.
  private func leaveSilentServer(_ host: any Host) -> ClockHost? {
    guard options.host == .auto, hasNoServer.exchange(false, ordering: .relaxed),
      let jack, jack === host, !jack.hasHadServer
    else { return nil }
    if takesServer {
      guard jack.hold() else { return nil }
      standby = (jack, 0)
    } else {
      jack.stop()
    }
    let clock = clockInstead()
    try? clock.start()
    return clock
  }

  private func clock() -> ClockHost {
    ClockHost(rate: provisionalRate, period: options.cycle, engine: show.engine, frames: show.frames)
  }

  /// What the graph is run at where no server says otherwise.
  private var provisionalRate: Int {
    changes.graph.requires.rate(preferring: changes.graph.fileRate ?? 48_000)
  }

  /// No callback runs: players wait, and the lights go by a timer. [any]
  private func stall() {
    for (_, player) in show.players { player.interruptionBegan() }
    show.frames.setStalled(true)
  }

  private func openJack(waiting: Bool, holding: Bool = false) throws(JackError) -> JackHost {
    let freewheel = Unmanaged.passUnretained(self).toOpaque()
    let host = JackHost(
      clientName: options.client, serverName: options.server, exactName: options.exactName,
      engine: show.engine, bell: show.frames.bell, transport: show.transport, rate: provisionalRate,
      verbose: options.verbose,
      freewheelWait: { context, count in
        guard let context else { return }
        Unmanaged<HostSupervisor>.fromOpaque(context).takeUnretainedValue().waitInFreewheel(Int(count))
      },
      freewheelContext: freewheel
    ) { [weak self] fact in self?.heard(fact) }
    host.onStall = { [weak self] in self?.stall() }
    host.onReturn = { [weak self] _ in
      guard let self else { return }
      for (_, player) in show.players { player.interruptionEnded() }
      show.resume()
    }
    host.onRateChange = { [weak self, weak host] _ in
      guard let self else { return }
      hasNewRate.store(true, ordering: .relaxed)
      // Where cycles are only about to begin they should find the plan for their rate.
      renewing.wait(host?.isCallbackRunning == false) { signals.wake() }
    }
    watchdog.setOpening { host.stop() }
    if signals.isAsked { throw .stopped }
    // Should it take longer, the lights go by a timer until there is a server; else nothing has gone yet.
    show.frames.setStalled(true)
    let patience = options.host == .auto || waiting ? Self.patience : .infinity
    if try host.open(waiting: waiting, patience: patience, holding: holding) {
      show.frames.setStalled(false)
    }
    watchdog.setOpening(nil)
    jack = host
    return host
  }

  /// In freewheel nothing is real time: before each cycle the disk and the frame nodes may catch up. [audio]
  private func waitInFreewheel(_ count: Int) {
    // Here and not only when it is reported: by then hundreds of frames may have gone to the lights.
    show.frames.setFreewheeling(true)
    for stream in show.plan?.streams ?? [] { stream.fill(count) }
    show.frames.waitUntilDone(show.engine.pointee.frame - 1)
  }

  /// What JACK tells, as far as the status does not say it anyway. [jack]
  private func heard(_ fact: JackNotification) {
    defer {
      hasNews.store(true, ordering: .relaxed)
      signals.wake()
    }
    switch fact {
    case .freewheel(let isOn):
      // Told at once: a freewheel may be over before the status is looked at.
      show.frames.setFreewheeling(isOn)
      log.note("\(fact)")
    case .openingFailed(let error, let hadNone):
      // Lights that a timer runs go on where a server has come that does not let us in.
      if options.host == .jack || error.isOfName && !hadNone {
        refused.withLock { $0 = error }
        return signals.finish()
      }
      log.note("\(fact)", .warning)
      hasNoServer.store(true, ordering: .relaxed)
    // The status says it.
    case .waiting: hasNoServer.store(true, ordering: .relaxed)
    case .noAnswer:
      log.note("\(fact)", .warning)
      hasNoServer.store(true, ordering: .relaxed)
    case .nameChanged: log.note("\(fact)")
    case .nameTaken, .refused, .closeHangs, .connectionRefused, .connectionsDropped, .portsRefused,
      .badPattern,
      .metadataStuck:
      log.note("\(fact)", .warning)
    case .library: if options.verbose { log.note("\(fact)") }
    default: break
    }
  }
}
