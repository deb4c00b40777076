import CLiblo
import Glibc
import Synchronization
import System

/// Finds a host's address and opens the socket, on a thread of its own when a name server must be asked. [any]
///
/// The thread owns a reference to this and to nothing else, so a lookup that hangs can be left behind: what it
/// touches at its end is still there.
final class Resolver: Sendable {
  /// The most lookups at a time of a whole process: one that hangs cannot be ended, and keeps its thread for as long as the
  /// system waits for its name server.
  static let mostLookups = 64
  private static let lookups = Atomic<Int>(0)
  /// Seconds before the next attempt after each failure; the last one stays.
  static let pauses: [Double] = [1, 2, 4, 8, 16, 30]
  /// Seconds before the next attempt to find a Unix socket, which costs next to nothing.
  static let pausesOfFiles: [Double] = [0.5]

  /// The open socket, or −1.
  ///
  /// Published after everything else is.
  let descriptor = Atomic<Int32>(-1)
  /// How often a receiver was found that was not there before: after the socket of a looked-up host has opened.
  let timesReady = Atomic<Int>(0)

  private let endpoint: Endpoint
  private let interface: String?
  private let hops: Int?
  private let lookup: @Sendable (Endpoint) -> Lookup
  private let pauses: [Double]
  private let isClosed = Atomic<Bool>(false)
  private let isDone = Atomic<Bool>(false)
  private let found = Locked<(reason: String?, error: Int32, address: SocketAddress?)>((nil, 0, nil))
  private let wake = Latch(resets: .never)
  private let done = Latch(resets: .never)

  /// `interface` is where multicasts leave, `hops` how far they go.
  init(
    _ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, pauses: [Double],
    lookup: @escaping @Sendable (Endpoint) -> Lookup
  ) {
    self.endpoint = endpoint
    (self.interface, self.hops) = (interface, hops)
    self.pauses = pauses
    self.lookup = lookup
  }

  deinit {
    let open = descriptor.load(ordering: .acquiring)
    if open >= 0 { Glibc.close(open) }
  }

  /// Why the last attempt failed, if it did.
  var reason: String? { found.withLock { $0.reason } }

  /// The system's number for that, where a socket could not be opened to an address; 0 where none was found.
  var error: Int32 { found.withLock { $0.error } }

  /// The address found.
  ///
  /// Never waits; nil when the other thread is just writing it.
  var address: SocketAddress? { found.withLockIfAvailable { $0.address } ?? nil }

  func start() {
    if endpoint.isNumeric, attempt() {
      isDone.store(true, ordering: .releasing)
      return
    }
    do throws(Errno) {
      // Signals belong to the main thread.
      _ = try Thread(as: Thread.Options(blockedSignals: .allButFaults)) { [self] in run() }
    } catch {
      isDone.store(true, ordering: .releasing)
      found.withLock { $0.reason = error.text }
    }
  }

  /// Ends the thread, but waits no longer than given: a hanging lookup ends by itself.
  /// - Returns: whether the thread has ended.
  @discardableResult
  func stop(within seconds: Double) -> Bool {
    isClosed.store(true, ordering: .releasing)
    wake.set()
    return isDone.load(ordering: .acquiring) || done.wait(until: .after(seconds: seconds))
  }

  /// Whether there was room among the lookups before it was closed; what has room must give it back.
  private func waitForRoom() -> Bool {
    while !isClosed.load(ordering: .acquiring) {
      let before = Self.lookups.add(1, ordering: .relaxed).oldValue
      if before < Self.mostLookups { return true }
      Self.lookups.subtract(1, ordering: .relaxed)
      // Rare, and no wake-up comes when a lookup ends: looked for again after a moment, or when it is closed.
      wake.wait(until: .after(seconds: 0.1))
    }
    return false
  }

  /// [network]
  private func run() {
    var failures = 0
    while waitForRoom() {
      let isFound = attempt()
      Self.lookups.subtract(1, ordering: .relaxed)
      if isFound {
        timesReady.add(1, ordering: .releasing)
        break
      }
      let pause = pauses[min(failures, pauses.count - 1)]
      failures += 1
      wake.wait(until: .after(seconds: pause))
    }
    isDone.store(true, ordering: .releasing)
    done.set()
  }

  private func attempt() -> Bool {
    switch lookup(endpoint) {
    case .failure(let reason):
      found.withLock { ($0.reason, $0.error) = (reason, 0) }
      return false
    case .addresses(let addresses):
      var failure = ENOENT
      for address in addresses {
        let opened = DatagramSocket.open(to: address, interface: interface, hops: hops)
        if opened < 0 {
          failure = -opened
          continue
        }
        found.withLock { $0 = (nil, 0, address) }
        descriptor.store(opened, ordering: .releasing)
        return true
      }
      found.withLock { ($0.reason, $0.error) = (String(cString: strerror(failure)), failure) }
      return false
    }
  }
}

/// The answer to the question for a host's addresses.
enum Lookup: Sendable {
  case addresses([SocketAddress])
  case failure(String)

  /// Asks the system; may take seconds unless the host is numeric. [network]; where it is numeric [any].
  static func ask(_ endpoint: Endpoint) -> Lookup {
    if endpoint.transport == .unix { return .addresses([SocketAddress(path: endpoint.host)]) }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_UDP)
    hints.ai_flags = AI_NUMERICSERV | (endpoint.isNumeric ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
    guard code == 0 else {
      return .failure(
        code == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let pointer = entry.ai_addr, let address = SocketAddress(pointer, length: entry.ai_addrlen) {
        addresses.append(address)
      }
      next = entry.ai_next
    }
    return .addresses(ordered(addresses))
  }

  /// IPv4 first: most receivers listen there only, and a UDP socket cannot know before packets are lost.
  ///
  /// "localhost" would else end at ::1.
  static func ordered(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }
  }
}
