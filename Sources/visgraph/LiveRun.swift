import CRealtime
import Controls
import Dispatch
import Glibc
import Graphs
import Nodes
import Hosts
import Realtime
import Synchronization

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
    /// What the command adds to the run; nil: the screen of a graph, and nothing more.
    var companion: (any RunCompanion)?
  }

  /// Why it could not run.
  struct Fault: Error, CustomStringConvertible {
    let description: String
    /// Whether the graph or its files are at fault.
    var isOfGraph = false
  }

  /// Asked to end before there was a host: nothing went wrong.
  private struct StoppedWaiting: Error {}

  let options: Options
  let log: Log
  private var graph: CheckedGraph
  private var file: FileWatch
  private let readAgain: () -> Checked
  private let end: EndOfTime
  private let levels: LevelsFile?
  private let seen = LevelsSeen()
  private let signals: StopSignals
  private let early: EarlyStop
  /// Whether JACK has told something since the last look.
  private let hasNews = Atomic<Bool>(false)
  let show: Show
  private var host: (any Host)?
  /// Whether the server has another rate than the plan that runs.
  private let hasNewRate = Atomic<Bool>(false)

  /// `file` has looked at the graph file before it was read, so that no later change is missed.
  init(graph: CheckedGraph, file: FileWatch, reload: @escaping () -> Checked, options: Options) throws {
    self.graph = graph
    self.file = file
    readAgain = reload
    self.options = options
    log = Log(options.quiet ? .quiet : options.verbose ? .verbose : .normal)
    let limit: (@Sendable (Int64) -> Int64)? = options.length.map { length in
      { @Sendable rate in Int64((length * Double(rate)).rounded()) }
    }
    end = EndOfTime(limit)
    do {
      levels = try options.levels.map {
        try LevelsFile(
          path: $0, layout: LevelsFile.layout(of: $0) ?? .csv, replacing: true, live: true,
          lastSample: limit)
      }
    } catch {
      throw Fault(description: "\(error)")
    }
    show = Show(watchers: (levels.map { [$0] } ?? []) + [end, seen])
    let early = EarlyStop()
    self.early = early
    signals = StopSignals { early.stop() }
  }

  func perform() throws {
    end.onReached = { [signals] in signals.stop() }
    let host: any Host
    do {
      host = try openHost()
    } catch is StoppedWaiting {
      return
    }
    self.host = host
    defer {
      host.stop()
      show.close()
    }
    do {
      try show.open(graph, surroundings(host), host: host)
    } catch {
      throw Fault(description: whyItCannotRun(error), isOfGraph: true)
    }
    do {
      show.frames.start()
      try host.start()
    } catch {
      throw Fault(description: "\(error)")
    }
    early.isOver.store(true, ordering: .releasing)
    watch(host)
    host.stop()
    show.close()
    tellNews()
    if options.verbose {
      if let jack = host as? JackHost { log.note("xruns \(jack.xruns)") }
      log.note(FactsTold.sum(show.facts))
    }
    do { try levels?.close() } catch { throw Fault(description: "\(error)") }
  }

  private func surroundings(_ host: any Host) -> Surroundings {
    Surroundings(
      rate: host.rate, isRealTime: true, packets: .network, dimmer: show.dimmer, transport: show.transport)
  }

  // MARK: - Hosts

  private func openHost() throws -> any Host {
    switch options.host {
    case .jack: return try openJack(waiting: options.waits)
    case .clock: return clock()
    case .auto:
      if JackHost.probe(server: options.server) { return try openJack(waiting: false) }
      let hint = pipeWireRuns ? "; PipeWire runs: try `pw-jack visgraph run …`" : ""
      let host = clock()
      log.note("no JACK server answers: a timer turns the crank at \(host.rate) Hz\(hint)")
      return host
    }
  }

  private func clock() -> ClockHost {
    ClockHost(rate: graph.fileRate ?? 48_000, period: options.cycle, engine: show.engine, frames: show.frames)
  }

  private var pipeWireRuns: Bool {
    guard let folder = getenv("XDG_RUNTIME_DIR") else { return false }
    return access(String(cString: folder) + "/pipewire-0", F_OK) == 0
  }

  private func openJack(waiting: Bool) throws -> JackHost {
    let freewheel = Unmanaged.passUnretained(self).toOpaque()
    let host = JackHost(
      clientName: options.client, serverName: options.server, exactName: options.exactName,
      engine: show.engine,
      bell: show.frames.bell, verbose: options.verbose,
      freewheelWait: { context, count in
        guard let context else { return }
        Unmanaged<LiveRun>.fromOpaque(context).takeUnretainedValue().waitInFreewheel(Int(count))
      },
      freewheelContext: freewheel
    ) { [weak self] fact in self?.heard(fact) }
    host.onReturn = { [weak self] _ in self?.show.resume() }
    host.onRateChange = { [weak self] _ in
      self?.hasNewRate.store(true, ordering: .relaxed)
      self?.signals.wake()
    }
    early.action = { host.stop() }
    if signals.isAsked { throw StoppedWaiting() }
    do {
      try host.open(waiting: waiting)
    } catch {
      if signals.isAsked { throw StoppedWaiting() }
      throw Fault(description: "\(error)")
    }
    early.action = nil
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
    case .serverLost: show.frames.setStalled(true)
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

  // MARK: - While it runs

  /// Until somebody wants an end: shows how things stand, reloads, tells what happens.
  private func watch(_ host: any Host) {
    var facts = FactsTold()
    var taker = StatusTaker(show: show, seen: seen, hasPipeWire: pipeWireRuns)
    var hints = Hints()
    var changes = StatusLog()
    let screen = options.quiet ? nil : view()
    if screen != nil { log.hold() }
    defer {
      screen?.close()
      log.release()
    }
    var nextLook = 0.0
    while !signals.isAsked {
      let time = Double(vg_now()) / 1e9
      // Without a screen nobody sees more than a look a second, but when something has changed.
      if hasNews.exchange(false, ordering: .relaxed) || screen != nil || time >= nextLook,
        let status = taker.take(host, messages: log.messages)
      {
        nextLook = time + 0.99
        let amiss = hints.update(status)
        for line in changes.update(status, hints: amiss) { log.note(line) }
        screen?.show(status, hints: amiss)
        if let line = facts.news(show.facts, at: time) { log.note(line, .warning) }
        tellNews()
      }
      for command in options.companion?.look(at: show, log: log, hasView: screen != nil) ?? [] {
        obey(command)
      }
      // One that was over before it was reported.
      if let jack = host as? JackHost, !jack.isFreewheeling { show.frames.setFreewheeling(false) }
      show.settle(host)
      // The graph that runs, not the file: that may have a fault by now.
      if hasNewRate.exchange(false, ordering: .relaxed) { _ = change(to: graph, host) }
      if signals.takeReload() || (options.watch && file.hasChanged()) { reload(host) }
      if let screen { obey(screen) } else { signals.wait(seconds: 0.25) }
    }
  }

  private func view() -> (any LiveView)? {
    if let companion = options.companion { return companion.view(of: show, environment()) }
    return Screen(environment: environment())
  }

  private func obey(_ screen: any LiveView) {
    for command in screen.asked() { obey(command) }
    if screen.hasHungUp { signals.stop() }
  }

  /// Does what somebody asks for, by whatever way.
  private func obey(_ command: ShowCommand) {
    switch command {
    case .quit: signals.stop()
    case .reload: signals.askReload()
    default: break
    }
  }

  private func tellNews() {
    for line in show.news() { log.note(line, .warning) }
  }

  /// Reads the graph file again. With a fault the old graph stays.
  private func reload(_ host: any Host) {
    let checked = readAgain()
    // Also when there is a fault: what is mended may be one of them.
    file.follow(checked.files)
    log.faults(DiagnosticText.text(checked))
    guard let new = checked.graph else {
      log.note("the graph has faults; the old one stays", .fault)
      return
    }
    if change(to: new, host) { log.note("reloaded \(new.path)") }
  }

  /// Changes to another graph, or to another rate. Where it cannot run the old one stays.
  private func change(to new: CheckedGraph, _ host: any Host) -> Bool {
    do {
      try show.change(to: new, surroundings(host), host: host)
      graph = new
      return true
    } catch {
      log.note("the graph cannot run (\(whyItCannotRun(error))); the old one stays", .fault)
      return false
    }
  }
}

/// What a signal stops while the show is still being opened.
final class EarlyStop: Sendable {
  private let held = Mutex<(@Sendable () -> Void)?>(nil)
  /// Whether the show is open: from then on the control thread sees to the end.
  let isOver = Atomic<Bool>(false)
  var action: (@Sendable () -> Void)? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
  /// Stops it. A sound server or a disk that hangs may keep the control thread for ever; nothing has been sent yet, so
  /// the process then ends without it.
  func stop() {
    action?()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.7) { [self] in
      if !isOver.load(ordering: .acquiring) { _exit(0) }
    }
  }
}
