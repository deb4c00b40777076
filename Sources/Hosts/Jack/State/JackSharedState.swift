import Engine
import Graphs

/// State shared by a host and its control thread, accessed only under the host's lock. No thread holds that lock
/// during a call of libjack, so a server that hangs blocks the control thread alone. [any]
struct JackSharedState {
  /// The requested ports, by number.
  private(set) var ports: [Int: HostPort] = [:]
  /// Whether cycles were requested.
  private(set) var isStarted = false
  /// The number of the last request: `provide`, `retire` or `start`.
  private(set) var asked = 0
  /// The number of the last request that the control thread has carried out.
  var done = 0
  /// Whether the control thread was started.
  var hasThread = false
  /// The last failure until the first success, then `.opened` for good; nil: not tried yet.
  var first: Opening?
  /// Whether `open` waits no longer for the first opening: it timed out, or `hold` was called.
  var isLate = false
  /// Whether `open` or the control thread has reported that no server admits the first client.
  private var isWaitingReported = false
  /// Whether another host runs the cycles (stand-by): the client is opened and reported, but `onRateChange` and
  /// `onReturn` are not called.
  private(set) var isHeld = false
  /// The sample rate in Hz of the plan at the take-over; 0 before.
  private(set) var plannedRate = 0
  /// Whether a server has admitted the client.
  private var isAdmitted = false
  /// Whether `onRateChange` or `onReturn` is being called: a `provide` from within must not wait for the control
  /// thread.
  var isReporting = false
  /// The last observation of the control thread.
  var observation = Observation()

  enum Opening: Equatable {
    case opened
    case failed(JackError)
  }

  /// Leaves the cycles to another host. Returns false if a server has admitted the client already.
  mutating func hold() -> Bool {
    guard !isAdmitted else { return false }
    (isHeld, isLate) = (true, true)
    return true
  }

  /// Gives the cycles to this host, with a plan for `rate` in Hz.
  mutating func release(planned rate: Int) { (isHeld, plannedRate) = (false, rate) }

  /// Notes that a server admitted the client. Returns whether another host runs the cycles.
  mutating func decide() -> Bool {
    isAdmitted = true
    return isHeld
  }

  /// Notes that no server admits the first client. Returns whether that is to be reported.
  mutating func noteWaiting() -> Bool {
    defer { isWaitingReported = true }
    return !isWaitingReported && first != .opened
  }

  /// The state that the control thread has read from libjack, for other threads.
  struct Observation {
    /// The name that JACK gave the client; empty without a client.
    var name = ""
    var hasServer = false
    /// The sample rate in Hz, as last reported.
    var rate = 0
    /// The share of a period that the server's graph takes, in percent.
    var load: Float = 0
    /// The latency in samples from our outputs until the sound is heard.
    var outputLatency = 0
    /// Full names of the ports that ours are connected to, by our short names.
    var connections: [String: [String]] = [:]
    /// Full names of all output and input ports of the server; filled until `patchbayEnd`.
    var outputs: [String] = []
    var inputs: [String] = []
  }

  /// The most connections by hand that wait for the control thread.
  private static let mostPatches = 64
  /// Until when a page shows the ports of all clients, in seconds of the monotonic clock.
  var patchbayEnd = 0.0
  /// Connections by hand that wait for the control thread, oldest first.
  private var patches: [JackPatch] = []
  private var droppedPatches = 0

  /// Queues a connection by hand; beyond the limit it is dropped, which is reported once JACK answers.
  mutating func patch(_ patch: JackPatch) {
    if patches.count < Self.mostPatches { patches.append(patch) } else { droppedPatches += 1 }
  }

  /// Removes and returns the waiting requests, oldest first, and the number of dropped ones.
  mutating func takePatches() -> (waiting: [JackPatch], dropped: Int) {
    defer { (patches, droppedPatches) = ([], 0) }
    return (patches, droppedPatches)
  }

  /// Requests these ports besides the present ones. Returns the number of the request.
  mutating func provide(_ list: [HostPort]) -> Int {
    for port in list { ports[port.number] = port }
    return countRequest()
  }

  /// Requests that no other ports remain. Returns the number of the request, and the numbers of the ports that end.
  mutating func retire(except list: [HostPort]) -> (number: Int, gone: [Int]) {
    let kept = Set(list.map(\.number))
    let gone = ports.keys.filter { !kept.contains($0) }
    for number in gone { ports[number] = nil }
    return (countRequest(), gone)
  }

  /// Requests cycles. Returns the number of the request.
  mutating func start() -> Int {
    isStarted = true
    return countRequest()
  }

  private mutating func countRequest() -> Int {
    asked += 1
    return asked
  }
}

/// A request to connect or disconnect two ports by hand.
struct JackPatch {
  /// Full names of the ports; one of them is ours.
  var from: String
  var to: String
  /// Whether to connect the ports; false: to disconnect them.
  var isMade: Bool
}
