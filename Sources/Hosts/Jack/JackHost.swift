import CJack
public import Engine
import Glibc
import Graphs
public import Realtime
import Synchronization
import System

/// A JACK client as the host: the server's cycles run a cycle. Survives its server: it waits, comes back under the
/// same name with the same ports and makes the same connections.
///
/// Calls go in this order: `open`, then `rate` is known and a plan can be made; `provide`; `start`; in the end `stop`.
/// Until `stop` threads of the host keep it alive. All methods may be called from any thread but the callback's, none
/// from within `report`. No call takes long because of a server that hangs: only the host's own control thread
/// ([jack]) asks the library. [any]
public final class JackHost: Host, @unchecked Sendable {
  let clientName: String
  let serverName: String?
  let exactName: Bool
  let isVerbose: Bool
  let report: @Sendable (JackNotification) -> Void
  let common: JackCommon

  /// Held for moments; never while the library is asked.
  let lock = Lock()
  var board = JackSharedState()
  /// What the control thread knows; nobody else touches it.
  var state = JackState()
  private let hooks = Locked(Hooks())

  /// Only the gate of the client: held for moments too.
  let gate = Lock()
  var current: JackClient?
  /// Since when no cycle runs, under the gate.
  var stall: Stall?
  /// The client whose server's transport is led, under the gate too.
  var leader: JackClient?
  let isStopping = Atomic<Bool>(false)
  /// Posted after each answer to the first opening.
  let answered = Semaphore()
  let ended = Semaphore()
  /// Posted once the host is to stop, for the thread that watches.
  let stopping = Semaphore()

  /// What others want to be called for.
  private struct Hooks {
    var stalled: (@Sendable () -> Void)?
    var returned: (@Sendable (Int) -> Void)?
    var rateChanged: (@Sendable (Int) -> Void)?
  }

  /// Makes a host that has not asked for a server yet.
  ///
  /// `bell` is posted after each cycle that finished a frame; `engine` and `bell` must live until `stop` has returned.
  /// `report` is called on any thread but the callback's, one fact per change. `verbose` passes on what the library
  /// itself says.
  /// `freewheelWait` is called by the audio callback before each cycle in freewheel; it may block, for less than a
  /// second. `transport` is what the players of the plans follow and lead. `rate` is said to be the host's until a
  /// server tells its own.
  public init(
    clientName: String, serverName: String? = nil, exactName: Bool = false,
    engine: UnsafeMutablePointer<AudioEngine>,
    bell: UnsafeMutablePointer<sem_t>, transport: HostTransport = HostTransport(), rate: Int = 0,
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
      engine: engine, bell: bell, transport: transport, wait: freewheelWait, waitContext: freewheelContext)
    state.rate = rate
    board.observation.rate = rate
  }

  /// Opens the client. Where no server answers it waits for one and reports so once, or throws if not `waiting`.
  ///
  /// - Parameters:
  ///   - patience: after so many seconds without an answer it returns all the same; the client is opened when there is one,
  ///     and `onRateChange` and `onReturn` are called as if a server had returned.
  ///   - holding: where no server lets the client in, it does not throw: `isHeld` is true as after `hold`. A name that is
  ///     taken is thrown all the same.
  /// - Returns: whether there is a client.
  @discardableResult
  public func open(waiting: Bool = true, patience: Double = .infinity, holding: Bool = false)
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
    lock.withLock { board.hasThread = true }
    do throws(Errno) {
      _ = try Thread("jack watch") { self.watch() }
      _ = try Thread("jack control") { self.control() }
    } catch {
      // The first ends, if that is there.
      lock.withLock { board.hasThread = false }
      giveUp()
      throw .noThread(error.text)
    }
    let begin = MonotonicClock.seconds
    var hasSaid = false
    while true {
      let time = MonotonicClock.seconds - begin
      let (first, isLate) = lock.withLock {
        if board.first != .opened, time >= patience { board.isLate = true }
        return (board.first, board.isLate)
      }
      if case .failed(let error)? = first {
        if holding, !error.isOfName, hold() { return false }
        guard waiting, error.mayPass else {
          giveUp()
          throw error
        }
        if !hasSaid { report(.waiting(server: serverName)) }
        hasSaid = true
      }
      if first == .opened || isLate { return first == .opened }
      if isStopping.load(ordering: .sequentiallyConsistent) { throw .stopped }
      if first == nil, !waiting, time >= Self.answerLimit, patience == .infinity {
        giveUp()
        throw .noAnswer(serverName)
      }
      _ = answered.wait(seconds: min(0.5, patience - time))
    }
  }

  /// The control thread is not needed any more.
  private func giveUp() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    common.doorbell.post()
    stopping.post()
  }

  /// Begins to run cycles, then connects. Without a server at the moment, does so as soon as one is there.
  public func start() { waitUntilDone(lock.withLock { board.start() }) }

  /// No cycle runs the cycles any more when it returns; whether a server hangs does not matter.
  public func silence() {
    let client = gate.withLock {
      isStopping.store(true, ordering: .sequentiallyConsistent)
      return current
    }
    if let client { _ = client.callback.pointee.shut(within: 2) }
    common.doorbell.post()
    stopping.post()
    answered.post()
  }

  /// Stops. When it returns the engine is not called any more; the client is closed unless the library hangs.
  public func stop() {
    silence()
    guard lock.withLock({ board.hasThread }) else { return }
    // As long as the library gets on, which takes a while with hundreds of ports.
    if getsOn(within: 3, rest: 0.3, until: { ended.wait(seconds: 0.01) }) { ended.post() }
  }

  /// Waits until the control thread has done what was asked for, as long as there is a server that answers.
  private func waitUntilDone(_ number: Int) {
    common.doorbell.post()
    _ = getsOn(within: 10, rest: 2) {
      let isOver = lock.withLock {
        board.done >= number || !board.observation.hasServer || board.isReporting
      }
      if !isOver { usleep(500) }
      return isOver || gate.withLock { stall != nil } || isStopping.load(ordering: .relaxed)
    }
  }

  /// Asks for `condition` again and again. False when that does not hold after `seconds`, or when no call of the library
  /// has come back for `rest` seconds.
  private func getsOn(within seconds: Double, rest: Double, until condition: () -> Bool) -> Bool {
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

  /// Opens the gate for the callback, unless `stop` was faster, and activates. Under the lock. JACK's number: 0 when
  /// cycles run.
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
  /// Makes the ports exist and connects them. A port that is already there keeps its connections.
  public func provide(_ ports: [HostPort]) { waitUntilDone(lock.withLock { board.provide(ports) }) }

  /// Takes back every port that is not listed, after no cycle can hold it any more.
  public func retire(except ports: [HostPort]) {
    let (number, gone) = lock.withLock { board.retire(except: ports) }
    // At once: should the server hang, others may have the numbers before the ports have gone.
    let client = gate.withLock { current }
    if let client, !gone.isEmpty {
      for number in gone { client.callback.pointee.clear(number) }
      _ = client.callback.pointee.settle(within: 0.3)
    }
    waitUntilDone(number)
  }
}

// MARK: - What others may ask

extension JackHost {
  /// Samples a second, of the last server seen; 0 before the first.
  public var rate: Int { lock.withLock { board.observation.rate } }

  /// Samples in a cycle; 0 before the first server. Any cycle may have another count.
  public var period: Int { Int(common.counters.pointee.period.load(ordering: .relaxed)) }

  /// False in freewheel.
  public var isRealTime: Bool { !isFreewheeling }

  /// Whether cycles come as fast as they can.
  public var isFreewheeling: Bool { common.counters.pointee.isFreewheeling.load(ordering: .relaxed) }

  /// Overruns and underruns since the host was made.
  public var xruns: UInt64 { common.counters.pointee.xruns.load(ordering: .relaxed) }

  /// Whether the callback has been called lately: within two periods and a tenth of a second. Never waits.
  public var isCallbackRunning: Bool {
    let last = common.counters.pointee.lastCycle.load(ordering: .relaxed)
    let rate = common.counters.pointee.rate.load(ordering: .relaxed)
    guard last > 0, rate > 0 else { return false }
    let periods =
      2 * UInt64(common.counters.pointee.period.load(ordering: .relaxed)) * 1_000_000_000 / UInt64(rate)
    let now = MonotonicClock.now
    return now < last || now - last < periods + 100_000_000
  }

  /// Called when no callback runs any more: the server has gone, or runs no cycles. Set before `open`.
  public var onStall: (@Sendable () -> Void)? {
    get { hooks.withLock { $0.stalled } }
    set { hooks.withLock { $0.stalled = newValue } }
  }

  /// Called with the rate when a server is back, or its cycles are, while no callback runs: the place for
  /// `AudioEngine.restart`. Set before `open`.
  public var onReturn: (@Sendable (Int) -> Void)? {
    get { hooks.withLock { $0.returned } }
    set { hooks.withLock { $0.returned = newValue } }
  }

  /// Called with the new rate when it changed, before `onReturn` if a server is back: a plan for it must be offered. Set
  /// before `open`.
  public var onRateChange: (@Sendable (Int) -> Void)? {
    get { hooks.withLock { $0.rateChanged } }
    set { hooks.withLock { $0.rateChanged = newValue } }
  }

  /// Whether a server has been there since the host was made.
  public var hasHadServer: Bool { lock.withLock { board.first == .opened } }
}
