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

/// Opens the host of a run and replaces it: a silent server by a clock, and the clock by a server that appears later.
/// [control], except for members with a tag of their own.
///
/// JACK's notifications arrive on another thread; they are noted, and the control thread acts on them.
final class HostSupervisor: @unchecked Sendable {
  /// The sound servers of the machine besides JACK.
  let servers = SoundServers.found(environment())
  private let options: RunOptions
  private let show: Show
  private let signals: StopSignals
  private let watchdog: StopWatchdog
  private let changes: ChangeRunner
  private let log: Log
  private let steps: RunPace.Steps?
  private let hosting: Locked<(any Host)?>
  /// Whether JACK has notified since the last check. [any]
  private let hasNews = Atomic<Bool>(false)
  /// Whether the server's rate differs from that of the running plan. [any]
  private let hasNewRate = Atomic<Bool>(false)
  /// Blocks a host until there is a plan of the new rate. [any]
  private let renewing = Renewing()
  /// Whether the server that `--host auto` tried first has not answered. [any]
  private let hasNoServer = Atomic<Bool>(false)
  private let clockIsInstead = Atomic<Bool>(false)
  private let refused = Locked<JackError?>(nil)
  /// The JACK client; nil where the clock was asked for, or no server was found.
  private var jack: JackHost?
  /// The client that waits for a server while the clock runs; nil: none. With it, the rate of a server that the graph
  /// cannot run at.
  private var standby: (jack: JackHost, refusedRate: Int)?

  /// `steps`: those of a run that is advanced from outside. `hosting` holds the current host.
  init(
    _ options: RunOptions, _ show: Show, _ signals: StopSignals, _ watchdog: StopWatchdog,
    _ changes: ChangeRunner, _ log: Log, _ steps: RunPace.Steps?, hosting: Locked<(any Host)?>
  ) {
    (self.options, self.show, self.signals, self.watchdog) = (options, show, signals, watchdog)
    (self.changes, self.log, self.steps, self.hosting) = (changes, log, steps, hosting)
  }

  /// The current host; nil before there is one. [any]
  var current: (any Host)? { hosting.withLock { $0 } }

  /// The fault for which JACK refused the client; the run ends. [any]
  var refusal: JackError? { refused.withLock { $0 } }

  /// Whether the clock replaces a sound server although the graph has sound outputs. [any]
  var isClockInstead: Bool { clockIsInstead.load(ordering: .relaxed) }

  /// Whether JACK has notified since the last call.
  func takeNews() -> Bool { hasNews.exchange(false, ordering: .relaxed) }

  /// Lets hosts wait for plans of their rate, until `endRenewing`.
  func beginRenewing() { renewing.begin() }

  /// Ends the wait of a host: no more plans are made.
  func endRenewing() { renewing.end() }

  /// Calls `change`, which makes a plan, if the server's rate has changed.
  func renew(_ change: () -> Void) {
    guard hasNewRate.exchange(false, ordering: .relaxed) else { return }
    change()
    renewing.done()
  }

  /// Opens the host that the command line asks for.
  func open() throws -> any Host {
    let host = try makeHost()
    hosting.withLock { $0 = host }
    return host
  }

  /// Lets all hosts output silence.
  func silence() { for host in all { host.silence() } }

  /// Stops all hosts. A host may take seconds, or hang.
  func stop() { for host in all { host.stop() } }

  private var all: [any Host] { [current, standby?.jack].compactMap(\.self) }

  /// Replaces a server that does not answer by the clock, or the clock by a server that has appeared. Returns the
  /// current host. `renew` makes a plan for its rate.
  func attend(renew: () -> Void) -> (any Host)? {
    while let current, let clock = leaveSilentServer(current) { hosting.withLock { $0 = clock } }
    takeServer(renew)
    return current
  }

  /// How long a server may take to answer before a timer runs the lights, in s.
  static let answerTimeout = 0.25

  private func makeHost() throws -> any Host {
    if let steps { return steps.host(show, provisionalRate) }
    switch options.host {
    case .clock: return makeClock()
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

  /// Makes a clock because no sound server answers, and logs that.
  private func clockInstead() -> ClockHost {
    // Where the graph has sound outputs, a hint on the screen says more.
    let remedy = servers.remedy(command, takesServer: takesServer)
    let hint = hasSoundOutputs || !servers.hasPipeWire ? "" : "; \(remedy)"
    let host = makeClock()
    // `openJack` set it; with two timers, frames would be made twice.
    show.frames.setStalled(false)
    clockIsInstead.store(hasSoundOutputs, ordering: .relaxed)
    let end = standby == nil ? "" : " until one does"
    log.note("no JACK server answers: a timer runs the engine at \(host.rate) Hz\(end)\(hint)")
    return host
  }

  /// Whether a server that appears later replaces the timer.
  var takesServer: Bool { options.host == .auto && options.waits }

  /// Lets a server that has appeared run the cycles in place of the timer. The timeline goes on, at the server's rate.
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

  /// The subcommand of this run, for messages.
  var command: String { options.frontEnd == nil ? "run" : "play" }

  /// Replaces a server by the clock if it has not answered within `answerTimeout`. With `--host auto` only.
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

  private func makeClock() -> ClockHost {
    ClockHost(rate: provisionalRate, period: options.cycle, engine: show.engine, frames: show.frames)
  }

  /// The sample rate of a clock, and of JACK's client before it has a server, in Hz.
  private var provisionalRate: Int {
    changes.graph.requires.rate(preferring: changes.graph.fileRate ?? 48_000)
  }

  /// Pauses the players and lets a timer make the frames, because no callback runs. [any]
  private func stall() {
    for (_, player) in show.players { player.interruptionBegan() }
    show.frames.setStalled(true)
  }

  private func openJack(waiting: Bool, holding: Bool = false) throws(JackError) -> JackHost {
    let freewheel = Unmanaged.passUnretained(self).toOpaque()
    let host = JackHost(
      clientName: options.client, serverName: options.server, exactName: options.exactName,
      engine: show.engine, frameSemaphore: show.frames.frameSemaphore, transport: show.transport,
      rate: provisionalRate,
      verbose: options.verbose,
      freewheelWait: { context, count in
        guard let context else { return }
        Unmanaged<HostSupervisor>.fromOpaque(context).takeUnretainedValue().waitInFreewheel(Int(count))
      },
      freewheelContext: freewheel
    ) { [weak self] fact in self?.handle(fact) }
    host.onStall = { [weak self] in self?.stall() }
    host.onReturn = { [weak self] _ in
      guard let self else { return }
      for (_, player) in show.players { player.interruptionEnded() }
      show.resume()
    }
    host.onRateChange = { [weak self, weak host] _ in
      guard let self else { return }
      hasNewRate.store(true, ordering: .relaxed)
      // If no cycle runs yet, the first one should find the plan of the new rate.
      renewing.wait(host?.isCallbackRunning == false) { signals.wake() }
    }
    watchdog.setOpening { host.stop() }
    if signals.isAsked { throw .stopped }
    // A timer runs the lights until a server answers. If one answers at once, no frame was sent before.
    show.frames.setStalled(true)
    let timeout = options.host == .auto || waiting ? Self.answerTimeout : .infinity
    if try host.open(waiting: waiting, timeout: timeout, holding: holding) {
      show.frames.setStalled(false)
    }
    watchdog.setOpening(nil)
    jack = host
    return host
  }

  /// Waits until the disk and the frame nodes have caught up: in freewheel, cycles may wait. [audio]
  private func waitInFreewheel(_ count: Int) {
    // Set here, too: before the notification arrives, hundreds of frames may have been sent to the lights.
    show.frames.setFreewheeling(true)
    for stream in show.plan?.streams ?? [] { stream.fill(count) }
    show.frames.waitUntilDone(show.engine.pointee.frame - 1)
  }

  /// Logs a notification of JACK that the status does not show, and notes what the control thread must do. [jack]
  private func handle(_ fact: JackNotification) {
    defer {
      hasNews.store(true, ordering: .relaxed)
      signals.wake()
    }
    switch fact {
    case .freewheel(let isOn):
      // Set at once: freewheel may end before the status is polled.
      show.frames.setFreewheeling(isOn)
      log.note("\(fact)")
    case .openingFailed(let error, let hadNone):
      // With the clock as an alternative, the lights go on if a server refuses the client.
      if options.host == .jack || error.isOfName && !hadNone {
        refused.withLock { $0 = error }
        return signals.finish()
      }
      log.note("\(fact)", .warning)
      hasNoServer.store(true, ordering: .relaxed)
    // The status shows that the host waits.
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
