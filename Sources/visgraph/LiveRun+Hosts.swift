import Controls
import Glibc
import Graphs
import Hosts
import Nodes
import Playback
import Realtime
import Synchronization

/// How a run finds who turns its crank, and what JACK tells it.
extension LiveRun {
  /// Asked to end before there was a host: nothing went wrong.
  struct StoppedWaiting: Error {}

  /// Opens the host that the command line asks for.
  func openHost() throws -> any Host {
    switch options.host {
    case .jack: return try openJack(waiting: options.waits)
    case .clock: return clock()
    case .auto:
      if JackHost.probe(server: options.server) { return try openJack(waiting: false) }
      // Where there is sound to be heard, the hint says more.
      let hint = hasSoundOutputs || !servers.hasPipeWire ? "" : "; \(servers.remedy(command))"
      let host = clock()
      log.note("no JACK server answers: a timer turns the crank at \(host.rate) Hz\(hint)")
      return host
    }
  }

  private func clock() -> ClockHost {
    ClockHost(rate: graph.fileRate ?? 48_000, period: options.cycle, engine: show.engine, frames: show.frames)
  }

  private var hasSoundOutputs: Bool { graph.nodes.contains { $0.type.name == "jack-output" } }

  /// The command that runs it, as it is typed.
  var command: String { options.companion == nil ? "run" : "play" }

  private func openJack(waiting: Bool) throws -> JackHost {
    let freewheel = Unmanaged.passUnretained(self).toOpaque()
    let host = JackHost(
      clientName: options.client, serverName: options.server, exactName: options.exactName,
      engine: show.engine,
      bell: show.frames.bell, transport: show.transport, verbose: options.verbose,
      freewheelWait: { context, count in
        guard let context else { return }
        Unmanaged<LiveRun>.fromOpaque(context).takeUnretainedValue().waitInFreewheel(Int(count))
      },
      freewheelContext: freewheel
    ) { [weak self] fact in self?.heard(fact) }
    host.onReturn = { [weak self] _ in
      guard let self else { return }
      for (_, player) in show.players { player.interruptionEnded() }
      show.resume()
    }
    host.onRateChange = { [weak self] _ in
      self?.hasNewRate.store(true, ordering: .relaxed)
      self?.signals.wake()
    }
    watchdog.setOpening { host.stop() }
    if signals.isAsked { throw StoppedWaiting() }
    do {
      try host.open(waiting: waiting)
    } catch {
      if signals.isAsked { throw StoppedWaiting() }
      throw Fault(description: "\(error)")
    }
    watchdog.setOpening(nil)
    return host
  }

  /// In freewheel nothing is real time: before each cycle the disk and the frame nodes may catch up. [audio]
  private func waitInFreewheel(_ count: Int) {
    // Here and not only when it is reported: by then hundreds of frames may have gone to the lights.
    show.frames.setFreewheeling(true)
    for supply in show.plan?.supplies ?? [] { supply.supply(count) }
    show.frames.waitUntilDone(show.engine.pointee.frame - 1)
  }

  /// What JACK tells, as far as the status does not say it anyway.
  private func heard(_ fact: JackFact) {
    defer {
      hasNews.store(true, ordering: .relaxed)
      signals.wake()
    }
    switch fact {
    case .serverLost:
      for (_, player) in show.players { player.interruptionBegan() }
      show.frames.setStalled(true)
    case .freewheel(let isOn):
      // Told at once: a freewheel may be over before the status is looked at.
      show.frames.setFreewheeling(isOn)
      log.note("\(fact)")
    // Later the status says that the server has gone.
    case .waiting: if show.plan == nil { log.note("\(fact)") }
    case .nameChanged: log.note("\(fact)")
    case .nameTaken, .refused, .closeHangs, .connectionRefused, .portRefused, .badPattern:
      log.note("\(fact)", .warning)
    case .library: if options.verbose { log.note("\(fact)") }
    default: break
    }
  }
}
