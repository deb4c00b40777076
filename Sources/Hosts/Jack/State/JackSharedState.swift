import Engine
import Graphs

/// What a host and its control thread share. Only under the host's lock, which nobody holds while the library
/// is asked for anything: a server that hangs holds up the control thread alone. [any]
struct JackSharedState {
  /// The ports that are wanted, by number.
  private(set) var ports: [Int: HostPort] = [:]
  /// Whether cycles are wanted.
  private(set) var isStarted = false
  /// Counts what has been asked for.
  private(set) var asked = 0
  /// How much of that the control thread has done.
  var done = 0
  /// Whether the control thread was started.
  var hasThread = false
  /// How the first opening went; nil: not at all yet.
  var first: Opening?
  /// Whether `open` has returned without waiting for that.
  var isLate = false
  /// Whether another host has the cycles: a server that lets the client in is reported, and nothing is called for it.
  private(set) var isHeld = false
  /// The rate of the plan that there is when the other host has given them up.
  private(set) var plannedRate = 0
  /// Whether a server has let the client in.
  private var isDecided = false
  /// Whether others are notified of a server that is there again: they may ask for ports meanwhile, and are not to wait.
  var isReporting = false
  /// What the control thread saw last.
  var observation = Observation()

  /// How the first opening went.
  enum Opening: Equatable {
    case opened
    case failed(JackError)
  }

  /// Leaves the cycles to another host. False where a server was faster.
  mutating func hold() -> Bool {
    guard !isDecided else { return false }
    (isHeld, isLate) = (true, true)
    return true
  }

  /// Takes the cycles, with a plan for a rate.
  mutating func release(planned rate: Int) { (isHeld, plannedRate) = (false, rate) }

  /// A server has let the client in. Gives whether another host has the cycles.
  mutating func decide() -> Bool {
    isDecided = true
    return isHeld
  }

  /// What only the control thread can see: it asks the library.
  struct Observation {
    var name = ""
    var hasServer = false
    var rate = 0
    var load: Float = 0
    /// Samples until what leaves our outputs is heard.
    var outputLatency = 0
    /// Full names of what our ports are connected to, by our short names.
    var connections: [String: [String]] = [:]
    /// Full names of everybody's ports, as long as a page wants to see them.
    var outputs: [String] = []
    var inputs: [String] = []
  }

  /// The most connections by hand that wait.
  private static let mostPatches = 64
  /// Until when a page wants to see everybody's ports, in seconds of the monotonic clock.
  var patchbayEnd = 0.0
  private var patches: [JackPatch] = []
  private var droppedPatches = 0

  /// Queues a connection by hand; beyond the limit it is dropped, which is reported once JACK answers.
  mutating func patch(_ patch: JackPatch) {
    if patches.count < Self.mostPatches { patches.append(patch) } else { droppedPatches += 1 }
  }

  /// Those that wait, oldest first, and how many were dropped.
  mutating func takePatches() -> (waiting: [JackPatch], dropped: Int) {
    defer { (patches, droppedPatches) = ([], 0) }
    return (patches, droppedPatches)
  }

  /// Wants these ports besides those there are. Gives the number of what was asked for.
  mutating func provide(_ list: [HostPort]) -> Int {
    for port in list { ports[port.number] = port }
    return ask()
  }

  /// Wants no other ports than these. Gives the number of what was asked for, and which ports are not wanted any more.
  mutating func retire(except list: [HostPort]) -> (number: Int, gone: [Int]) {
    let kept = Set(list.map(\.number))
    let gone = ports.keys.filter { !kept.contains($0) }
    for number in gone { ports[number] = nil }
    return (ask(), gone)
  }

  /// Wants cycles. Gives the number of what was asked for.
  mutating func start() -> Int {
    isStarted = true
    return ask()
  }

  private mutating func ask() -> Int {
    asked += 1
    return asked
  }
}

/// A connection to be made or cut by hand.
struct JackPatch {
  /// Full names of the ports; one of them is ours.
  var from: String
  var to: String
  var isMade: Bool
}
