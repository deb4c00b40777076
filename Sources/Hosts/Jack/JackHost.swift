import CJack
import CRealtime
public import Graphs
public import Realtime
import Synchronization

/// A JACK client as the host: the server's cycles turn the crank. Survives its server: it waits, comes back under the
/// same name with the same ports and makes the same connections.
///
/// Calls go in this order: `open`, then `rate` is known and a plan can be made; `provide`; `start`; in the end `stop`.
/// Until `stop` a thread of the host keeps it alive. All methods may be called from any thread but the callback's, none
/// from within `report`. [control]
public final class JackHost: Host, @unchecked Sendable {
  let clientName: String
  let serverName: String?
  let exactName: Bool
  let isVerbose: Bool
  let report: @Sendable (JackFact) -> Void
  let common: JackCommon

  /// Everything below that is not a constant, except `current`.
  let lock = Lock()
  var state = JackState()
  var returned: (@Sendable (Int) -> Void)?
  var rateChanged: (@Sendable (Int) -> Void)?

  /// Only the gate of the client: held for moments, so that `stop` gets through when a server hangs.
  let gate = Lock()
  var current: JackClient?
  /// The client whose server's transport is led, under the gate too.
  var leader: JackClient?
  let isStopping = Atomic<Bool>(false)
  let ended = Semaphore()

  /// Makes a host that has not asked for a server yet.
  ///
  /// `bell` is rung after each cycle that finished a frame; `engine` and `bell` must live until `stop` has returned.
  /// `report` is called on control threads, one fact per change. `verbose` passes on what the library itself says.
  /// `freewheelWait` is called on the audio thread before each cycle in freewheel; it may block, for less than a second.
  /// `transport` is what the players of the plans follow and lead.
  public init(
    clientName: String, serverName: String? = nil, exactName: Bool = false,
    engine: UnsafeMutablePointer<Engine>,
    bell: UnsafeMutablePointer<sem_t>, transport: HostTransport = HostTransport(), verbose: Bool = false,
    freewheelWait: (@convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void)? = nil,
    freewheelContext: UnsafeMutableRawPointer? = nil, report: @escaping @Sendable (JackFact) -> Void
  ) {
    self.clientName = clientName
    self.serverName = serverName
    self.exactName = exactName
    self.report = report
    isVerbose = verbose
    common = JackCommon(
      engine: engine, bell: bell, transport: transport, wait: freewheelWait, waitContext: freewheelContext)
    state.name = clientName
  }

  /// Whether a server answers: quickly, quietly, and without ever starting one. Not while the process has a client on
  /// another server.
  public static func probe(server: String? = nil) -> Bool { JackLibrary.probe(server: server) }

  /// Opens the client. Where no server answers it waits for one and reports so once, or throws if not `waiting`.
  public func open(waiting: Bool = true) throws(JackError) {
    let length = clientName.utf8.count
    guard (1...JackError.nameLimit).contains(length), !clientName.contains(":") else {
      throw .badName(clientName)
    }
    let passOn: @Sendable (String) -> Void = { [report] text in report(.library(text)) }
    JackLibrary.listen(isVerbose ? passOn : nil)
    let client = try firstClient(waiting: waiting)
    let isFirst = lock.withLock {
      guard state.client == nil, !isStopping.load(ordering: .relaxed) else { return false }
      state.adopt(client)
      for port in state.orderedPorts { state.register(port) }
      return true
    }
    guard isFirst else {
      _ = client.close(within: 2)
      throw .stopped
    }
    beginLeading(client)
    if client.name != clientName { report(.nameChanged(asked: clientName, given: client.name)) }
    report(.opened(name: client.name, rate: rate, period: period))
    deliver()
    startThread(named: "jack control") { self.control() }
  }

  private func firstClient(waiting: Bool) throws(JackError) -> JackClient {
    var hasSaid = false
    while true {
      do {
        return try JackClient(name: clientName, server: serverName, exact: exactName, common: common)
      } catch {
        guard waiting, error.mayPass else { throw error }
        if !hasSaid { report(.waiting(server: serverName)) }
        hasSaid = true
      }
      _ = common.doorbell.wait(seconds: 1)
      if isStopping.load(ordering: .sequentiallyConsistent) { throw .stopped }
    }
  }

  /// Begins to run cycles, then connects. Without a server at the moment, does so as soon as one is back.
  public func start() throws {
    try lock.withLock {
      state.isStarted = true
      guard let client = state.client, client.loss == nil else { return }
      try activate(client)
      state.reconcile(at: monotonicSeconds())
    }
    deliver()
  }

  /// Stops. When it returns the engine is not called any more; the client is closed unless the library hangs.
  public func stop() {
    let client = gate.withLock {
      isStopping.store(true, ordering: .sequentiallyConsistent)
      return current
    }
    // First of all silence, whatever the server is doing.
    if let client { _ = client.callback.pointee.shut(within: 2) }
    common.doorbell.post()
    let hasThread = lock.withLock { state.hasThread }
    if hasThread {
      if ended.wait(seconds: 5) { ended.post() }
    }
  }

  /// Opens the gate for the callback, unless `stop` was faster, and activates. Under the lock.
  func activate(_ client: JackClient) throws(JackError) {
    let mayRun = gate.withLock {
      guard !isStopping.load(ordering: .relaxed) else { return false }
      current = client
      client.callback.pointee.open()
      return true
    }
    guard mayRun else { return }
    try client.activate()
  }

  /// Reports what has gathered. Not under the lock.
  func deliver() {
    let facts = lock.withLock { state.takeFacts() }
    for fact in facts { report(fact) }
  }
}

// MARK: - Ports

extension JackHost {
  /// Makes the ports exist and connects them. A port that is already there keeps its connections.
  public func provide(_ ports: [HostPort]) {
    lock.withLock {
      state.provide(ports)
      state.waitForFollowers(common.transport)
      if state.isStarted { state.reconcile(at: monotonicSeconds()) }
    }
    deliver()
  }

  /// Takes back every port that is not listed, after no cycle can hold it any more.
  public func retire(except ports: [HostPort]) {
    lock.withLock {
      state.retire(except: ports)
      state.waitForFollowers(common.transport)
    }
    deliver()
  }
}

// MARK: - What others may ask

extension JackHost {
  /// Samples a second, of the last server seen; 0 before the first.
  public var rate: Int { lock.withLock { state.rate } }

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
    let now = vg_now()
    return now < last || now - last < periods + 100_000_000
  }

  /// Called with the rate when a server is back, while no callback runs: the place for `Engine.restart`. Set before
  /// `open`.
  public var onReturn: (@Sendable (Int) -> Void)? {
    get { lock.withLock { returned } }
    set { lock.withLock { returned = newValue } }
  }

  /// Called with the new rate when it changed, after `onReturn` if a server is back: a plan for it must be offered. Set
  /// before `open`.
  public var onRateChange: (@Sendable (Int) -> Void)? {
    get { lock.withLock { rateChanged } }
    set { lock.withLock { rateChanged = newValue } }
  }

  /// How things stand now.
  public var status: JackHostStatus {
    lock.withLock {
      let client = state.client.flatMap { $0.loss == nil ? $0 : nil }
      let name = client?.name ?? state.name
      return JackHostStatus(
        name: name, hasServer: client != nil, rate: state.rate, period: period, xruns: xruns,
        load: client?.load ?? 0,
        isFreewheeling: isFreewheeling,
        ports: state.orderedPorts.map { port in
          let full = "\(name):\(port.name)"
          return .init(port: port, fullName: full, connections: client?.connections(of: full).sorted() ?? [])
        })
    }
  }
}
