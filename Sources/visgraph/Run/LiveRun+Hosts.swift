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

/// How a run finds who runs its cycles, and what JACK tells it.
extension LiveRun {
  /// How a host waits until the control thread has made a plan for its rate.
  final class Renewing: Sendable {
    private let isWatching = Atomic<Bool>(false)
    private let isAwaited = Atomic<Bool>(false)
    private let bell = DispatchSemaphore(value: 0)

    /// From now on plans are renewed.
    func begin() { isWatching.store(true, ordering: .releasing) }

    /// Nobody renews plans any more.
    func end() {
      isWatching.store(false, ordering: .releasing)
      done()
    }

    /// Asks for it and, if it `isHeld` for it, waits at most a second.
    func wait(_ isHeld: Bool, ask: () -> Void) {
      guard isHeld, isWatching.load(ordering: .acquiring) else { return ask() }
      isAwaited.store(true, ordering: .relaxed)
      ask()
      _ = bell.wait(timeout: .now() + 1)
    }

    /// The plan is made.
    func done() { if isAwaited.exchange(false, ordering: .relaxed) { bell.signal() } }
  }

  /// How long a server may take to answer before the lights go on without it, in seconds.
  static let patience = 0.25

  /// Opens the host that the command line asks for.
  func openHost() throws -> any Host {
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
    isClockInstead.store(hasSoundOutputs, ordering: .relaxed)
    let end = standby == nil ? "" : " until one does"
    log.note("no JACK server answers: a timer runs the engine at \(host.rate) Hz\(end)\(hint)")
    return host
  }

  /// Whether a server that comes after a timer has begun is taken.
  var takesServer: Bool { options.host == .auto && options.waits }

  /// A server has come since a timer stands in for one: it runs the cycles from now on, as one does that returns. The
  /// timeline goes on, at its rate.
  func takeServer() {
    guard let (jack, refusedRate) = standby, let clock = host as? ClockHost, jack.server.isThere else {
      return
    }
    let rate = jack.rate
    guard rate != refusedRate else { return }
    if let fault = graph.requires.fault(atRate: rate) {
      standby?.refusedRate = rate
      return log.note("a JACK server is there, but \(fault.message): the timer goes on", .warning)
    }
    clock.stop()
    stall()
    (host, standby) = (jack, nil)
    log.note("a JACK server is there, and runs the engine in the place of the timer")
    reloader.renew()
    jack.release(planned: rate)
    jack.start()
    if let line = RealTimeNote.line(of: jack, environment()) { log.note(line, .warning) }
    hasNews.store(true, ordering: .relaxed)
  }

  private var hasSoundOutputs: Bool { graph.nodes.contains { $0.type.role == .hostOutput } }

  /// The command that runs it, as it is typed.
  var command: String { options.frontEnd == nil ? "run" : "play" }

  /// With `--host auto` a server that was there when it was asked, but has not answered since, is left for the clock.
  func leaveSilentServer(_ host: any Host) -> ClockHost? {
    guard options.host == .auto, hasNoServer.exchange(false, ordering: .relaxed),
      let jack = host as? JackHost,
      !jack.hasHadServer
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
  private var provisionalRate: Int { graph.requires.rate(preferring: graph.fileRate ?? 48_000) }

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
        Unmanaged<LiveRun>.fromOpaque(context).takeUnretainedValue().waitInFreewheel(Int(count))
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
    return host
  }

  /// In freewheel nothing is real time: before each cycle the disk and the frame nodes may catch up. [audio]
  private func waitInFreewheel(_ count: Int) {
    // Here and not only when it is reported: by then hundreds of frames may have gone to the lights.
    show.frames.setFreewheeling(true)
    for stream in show.plan?.streams ?? [] { stream.fill(count) }
    show.frames.waitUntilDone(show.engine.pointee.frame - 1)
  }

  /// What JACK tells, as far as the status does not say it anyway.
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
        refusal.withLock { $0 = error }
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
    case .nameTaken, .refused, .closeHangs, .connectionRefused, .portsRefused, .badPattern, .metadataStuck:
      log.note("\(fact)", .warning)
    case .library: if options.verbose { log.note("\(fact)") }
    default: break
    }
  }
}

/// Why a checked graph cannot be made ready to run, in one sentence: a file that has vanished since, too many ports.
func startErrorText(_ error: any Error) -> String {
  switch error {
  case let fault as AudioError: fault.message
  case let fault as Diagnostic: "\(fault.message) [\(fault.code)]"
  case let fault as PictureError: fault.message
  case let fault as VideoError: fault.message
  default: "\(error)"
  }
}
