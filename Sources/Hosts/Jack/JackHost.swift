import CJack
public import Engine
import Glibc
import Graphs
public import Realtime
import Synchronization
import System

/// A JACK client as the host: each cycle of the server runs a cycle of the engine. When the server ends, the host
/// waits for the next one and opens a client of the same name there, with the same ports and connections.
///
/// Calls go in this order: `open`, after which `rate` is known and a plan can be made; `provide`; `start`; at the end
/// `stop`. The host's threads keep it alive until `stop`. All methods may be called from any thread but the
/// callback's, but not from within `report`. A server that hangs delays no call for long: only the host's control
/// thread ([jack]) waits for it. [any]
public final class JackHost: Host, @unchecked Sendable {
  let clientName: String
  let serverName: String?
  /// Whether the host fails if another client has the name.
  let exactName: Bool
  let isVerbose: Bool
  let report: @Sendable (JackNotification) -> Void
  let common: JackCommon

  /// Held briefly, and never during a call of libjack.
  let lock = Lock()
  var shared = JackSharedState()
  /// The state of the control thread; no other thread touches it.
  var state = JackState()
  private let hooks = Locked(Hooks())

  /// Guards `current`, `stall`, `leader`, and the decision to open or shut the client's callback. Held briefly.
  let gate = Lock()
  var current: JackClient?
  /// The present stall; nil while cycles run. Under the gate.
  var stall: Stall?
  /// The client to which players send transport requests. Under the gate.
  var leader: JackClient?
  let isStopping = Atomic<Bool>(false)
  /// Posted after each try to open the first client.
  let answered = Semaphore()
  /// Posted once the control thread has ended.
  let ended = Semaphore()
  /// Posted once the host is to stop, for the watchdog.
  let stopping = Semaphore()

  /// The callbacks that the owner sets.
  private struct Hooks {
    var stalled: (@Sendable () -> Void)?
    var returned: (@Sendable (Int) -> Void)?
    var rateChanged: (@Sendable (Int) -> Void)?
  }

  /// Makes a host that has not asked for a server yet.
  ///
  /// `frameSemaphore` is posted after each cycle that finished a frame; `engine` and `frameSemaphore` must live until
  /// `stop` has returned. `report` is called once per change, on any thread but the callback's. `verbose` passes the
  /// log lines of libjack to `report`. The audio callback calls `freewheelWait` before each cycle in freewheel; it may
  /// block for less than 1 s. The players of the plans follow and lead `transport`. `rate` is the host's rate in Hz
  /// until a server reports its own.
  public init(
    clientName: String, serverName: String? = nil, exactName: Bool = false,
    engine: UnsafeMutablePointer<AudioEngine>,
    frameSemaphore: UnsafeMutablePointer<sem_t>, transport: HostTransport = HostTransport(), rate: Int = 0,
    verbose: Bool = false,
    freewheelWait: (@convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void)? = nil,
    freewheelContext: UnsafeMutableRawPointer? = nil, report: @escaping @Sendable (JackNotification) -> Void
  ) {
    self.clientName = clientName
    self.serverName = serverName
    self.exactName = exactName
    self.report = report
    isVerbose = verbose
    common = JackCommon(
      engine: engine, frameSemaphore: frameSemaphore, transport: transport, wait: freewheelWait,
      waitContext: freewheelContext)
    state.rate = rate
    shared.observation.rate = rate
  }

  /// Opens the client. Where no server answers, it waits for one and reports that once, or throws if not `waiting`.
  ///
  /// - Parameters:
  ///   - timeout: timeout in seconds, after which `open` returns without a client. The client is opened when there
  ///     is a server; then `onRateChange` and `onReturn` are called as after a loss.
  ///   - holding: where no server admits the client, `open` does not throw: `isHeld` is true as after `hold`. A name
  ///     that is taken is thrown all the same.
  /// - Returns: whether there is a client.
  @discardableResult
  public func open(waiting: Bool = true, timeout: Double = .infinity, holding: Bool = false)
    throws(JackError) -> Bool
  {
    let length = clientName.utf8.count
    guard (1...JackError.nameLimit).contains(length), !clientName.contains(":") else {
      throw .badName(clientName)
    }
    guard clientName != serverName ?? "default" else { throw .serverName(clientName) }
    let passOn: @Sendable (String) -> Void = { [report] text in report(.library(text)) }
    JackLibrary.listen(isVerbose ? passOn : nil)
    guard !isStopping.load(ordering: .sequentiallyConsistent) else { throw .stopped }
    lock.withLock { shared.hasThread = true }
    do throws(Errno) {
      _ = try Thread("jack watch") { self.watch() }
      _ = try Thread("jack control") { self.control() }
    } catch {
      // Ends the watchdog, if that was started.
      lock.withLock { shared.hasThread = false }
      giveUp()
      throw .noThread(error.text)
    }
    let begin = MonotonicClock.seconds
    while true {
      let time = MonotonicClock.seconds - begin
      let (first, isLate) = lock.withLock {
        if shared.first != .opened, time >= timeout { shared.isLate = true }
        return (shared.first, shared.isLate)
      }
      if case .failed(let error)? = first {
        if holding, !error.isOfName, hold() { return false }
        guard waiting, error.mayPass else {
          giveUp()
          throw error
        }
        reportWaiting()
      }
      if first == .opened || isLate { return first == .opened }
      if isStopping.load(ordering: .sequentiallyConsistent) { throw .stopped }
      if first == nil, !waiting, time >= Self.answerLimit, timeout == .infinity {
        giveUp()
        throw .noAnswer(serverName)
      }
      _ = answered.wait(seconds: min(0.5, timeout - time))
    }
  }

  /// Reports, once for `open` and the control thread, that no server admits the first client. [any]
  func reportWaiting() {
    if lock.withLock({ shared.noteWaiting() }) { report(.waiting(server: serverName)) }
  }

  /// Ends the control thread and the watchdog.
  private func giveUp() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    common.wakeUp.post()
    stopping.post()
  }

  /// Starts the cycles, then makes the connections. Without a server it does so as soon as there is one.
  public func start() { waitUntilDone(lock.withLock { shared.start() }) }

  /// Stops the cycles. Waits at most 2 s for the running one, whether or not the server hangs.
  public func silence() {
    let client = gate.withLock {
      isStopping.store(true, ordering: .sequentiallyConsistent)
      return current
    }
    if let client { _ = client.callback.pointee.shut(within: 2) }
    common.wakeUp.post()
    stopping.post()
    answered.post()
  }

  /// Stops the host: the engine is not called any more, and the client is closed unless libjack hangs.
  public func stop() {
    silence()
    guard lock.withLock({ shared.hasThread }) else { return }
    // Closing hundreds of ports takes a while, so it waits as long as libjack makes progress.
    if pollProgress(within: 3, rest: 0.3, until: { ended.wait(seconds: 0.01) }) { ended.post() }
  }

  /// Waits until the control thread has carried out request `number`, as long as there is a server that answers.
  private func waitUntilDone(_ number: Int) {
    common.wakeUp.post()
    _ = pollProgress(within: 10, rest: 2) {
      let isOver = lock.withLock {
        shared.done >= number || !shared.observation.hasServer || shared.isReporting
      }
      if !isOver { usleep(500) }
      return isOver || gate.withLock { stall != nil } || isStopping.load(ordering: .relaxed)
    }
  }

  /// Polls `condition`. Returns false after `seconds`, or when no call of libjack has returned for `rest` seconds.
  private func pollProgress(within seconds: Double, rest: Double, until condition: () -> Bool) -> Bool {
    let begin = MonotonicClock.seconds
    var moved = begin
    var steps = common.counters.pointee.steps.load(ordering: .relaxed)
    while !condition() {
      let now = MonotonicClock.seconds
      let newSteps = common.counters.pointee.steps.load(ordering: .relaxed)
      if newSteps != steps { (steps, moved) = (newSteps, now) }
      if now - moved > rest || now - begin > seconds { return false }
    }
    return true
  }

  /// Opens the gate of the callback and activates the client, unless `stop` came first. Returns JACK's error code; 0:
  /// cycles run, or the host stops.
  func activate(_ client: JackClient) -> Int {
    let mayRun = gate.withLock {
      guard !isStopping.load(ordering: .relaxed) else { return false }
      current = client
      client.callback.pointee.open()
      return true
    }
    return mayRun ? client.activate() : 0
  }
}

// MARK: - Ports

extension JackHost {
  /// Registers the ports and connects them. A port that exists keeps its connections.
  public func provide(_ ports: [HostPort]) { waitUntilDone(lock.withLock { shared.provide(ports) }) }

  /// Unregisters every port that is not listed, once no cycle can use it any more.
  public func retire(except ports: [HostPort]) {
    let (number, gone) = lock.withLock { shared.retire(except: ports) }
    // Cleared at once: if the server hangs, other ports may get the numbers before these are unregistered.
    let client = gate.withLock { current }
    if let client, !gone.isEmpty {
      for number in gone { client.callback.pointee.clear(number) }
      _ = client.callback.pointee.settle(within: 0.3)
    }
    waitUntilDone(number)
  }
}

// MARK: - State

extension JackHost {
  /// The sample rate in Hz of the last server; before the first, the one given to `init`.
  public var rate: Int { lock.withLock { shared.observation.rate } }

  /// The period in samples; 0 before the first server. A cycle may have another count.
  public var period: Int { Int(common.counters.pointee.period.load(ordering: .relaxed)) }

  /// Whether cycles follow the clock: false in freewheel.
  public var isRealTime: Bool { !isFreewheeling }

  /// Whether cycles come as fast as they can.
  public var isFreewheeling: Bool { common.counters.pointee.isFreewheeling.load(ordering: .relaxed) }

  /// Overruns and underruns since the host was made.
  public var xruns: UInt64 { common.counters.pointee.xruns.load(ordering: .relaxed) }

  /// Whether a cycle began within the last two periods and 0.1 s. Never waits.
  public var isCallbackRunning: Bool {
    let last = common.counters.pointee.lastCycle.load(ordering: .relaxed)
    let rate = common.counters.pointee.rate.load(ordering: .relaxed)
    guard last > 0, rate > 0 else { return false }
    let periods =
      2 * UInt64(common.counters.pointee.period.load(ordering: .relaxed)) * 1_000_000_000 / UInt64(rate)
    let now = MonotonicClock.now
    return now < last || now - last < periods + 100_000_000
  }

  /// Called when no callback runs any more, because the server has gone or runs no cycles. Set before `open`.
  public var onStall: (@Sendable () -> Void)? {
    get { hooks.withLock { $0.stalled } }
    set { hooks.withLock { $0.stalled = newValue } }
  }

  /// Called with the rate in Hz when a server is back, or its cycles are, while no callback runs.
  /// `AudioEngine.restart` belongs there. Set before `open`.
  public var onReturn: (@Sendable (Int) -> Void)? {
    get { hooks.withLock { $0.returned } }
    set { hooks.withLock { $0.returned = newValue } }
  }

  /// Called with the new rate in Hz when it has changed; if a server is back, before `onReturn`. A plan for that rate
  /// must then be offered. Set before `open`.
  public var onRateChange: (@Sendable (Int) -> Void)? {
    get { hooks.withLock { $0.rateChanged } }
    set { hooks.withLock { $0.rateChanged = newValue } }
  }

  /// Whether a server has admitted the client since the host was made.
  public var hasHadServer: Bool { lock.withLock { shared.first == .opened } }
}
