import CLiblo
import Glibc
import Synchronization
import System

/// Resolves a host and opens the socket, on a thread of its own where a name server must be asked. A name is looked up
/// again on request, and its socket then leads to the new address. [any]
///
/// The thread holds a reference to this object and to no other. So a lookup that hangs can be abandoned: all that it
/// touches when it returns still exists.
final class Resolver: Sendable {
  /// Maximum lookups at a time in the process. A lookup that hangs cannot be cancelled, and its thread lasts until
  /// the system stops waiting for the name server.
  static let mostLookups = 64
  /// Lookups that run now in the process.
  private static let lookups = Atomic<Int>(0)
  /// Seconds before the next attempt, after each failure; the last value repeats.
  static let pauses: [Double] = [1, 2, 4, 8, 16, 30]
  /// Seconds before the next attempt to reach a Unix socket, which costs little.
  static let pausesOfFiles: [Double] = [0.5]
  /// Seconds from a lookup that has found the host to the next one on request.
  static let recheckPause = 5.0

  /// The open socket, or −1.
  ///
  /// Stored last, with release ordering, so that a reader sees everything else as well.
  let descriptor = Atomic<Int32>(-1)
  /// How often a lookup has found a receiver, or one at another address; counted after its socket has opened.
  let timesReady = Atomic<Int>(0)

  private let endpoint: Endpoint
  private let interface: String?
  private let hops: Int?
  private let lookup: @Sendable (Endpoint) -> Lookup
  private let pauses: [Double]
  private let recheckPause: Double
  /// Whether the host is to be looked up again.
  private let isDoubted = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  /// Whether there is no thread, or it has ended.
  private let isDone = Atomic<Bool>(false)
  /// The result of the last attempt until a socket has opened: why it failed, and the `errno`. Then the address.
  private let found = Locked<(reason: String?, error: Int32, address: SocketAddress?)>((nil, 0, nil))
  private let wake = Latch(resets: .never)
  private let done = Latch(resets: .never)

  /// `interface` is the one by which multicasts leave; `hops` is their maximum number of hops (TTL).
  init(
    _ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, pauses: [Double],
    recheckPause: Double = Resolver.recheckPause, lookup: @escaping @Sendable (Endpoint) -> Lookup
  ) {
    self.endpoint = endpoint
    (self.interface, self.hops) = (interface, hops)
    self.pauses = pauses
    self.recheckPause = recheckPause
    self.lookup = lookup
  }

  deinit {
    let open = descriptor.load(ordering: .acquiring)
    if open >= 0 { Glibc.close(open) }
  }

  /// Why the last attempt failed; nil where it did not.
  var reason: String? { found.withLock { $0.reason } }

  /// The `errno` of that failure, where a socket to an address could not be opened; 0 where no address was found.
  var error: Int32 { found.withLock { $0.error } }

  /// Connects the open socket to the address found once more, for instance after this machine has got another address.
  /// Never waits; does nothing while the other thread holds the lock. [frame]
  func reconnect(_ descriptor: Int32) {
    _ = found.withLockIfAvailable { found in
      if let address = found.address { _ = DatagramSocket.reconnect(descriptor, to: address) }
    }
  }

  /// Whether the address may change.
  private var isName: Bool { endpoint.transport == .udp && !endpoint.isNumeric }

  /// Requests another lookup, because packets do not arrive at the address found. Never waits. [frame]
  func recheck() { isDoubted.store(true, ordering: .relaxed) }

  func start() {
    if endpoint.isNumeric, attempt() {
      isDone.store(true, ordering: .releasing)
      return
    }
    do throws(Errno) {
      // Other threads handle signals.
      _ = try Thread(as: Thread.Options(blockedSignals: .allButFaults)) { [self] in run() }
    } catch {
      isDone.store(true, ordering: .releasing)
      found.withLock { $0.reason = error.text }
    }
  }

  /// Ends the thread, and waits for it at most `seconds`: a hanging lookup ends by itself.
  /// - Returns: whether the thread has ended.
  @discardableResult
  func stop(within seconds: Double) -> Bool {
    isClosed.store(true, ordering: .releasing)
    wake.set()
    return isDone.load(ordering: .acquiring) || done.wait(until: .after(seconds: seconds))
  }

  /// Waits until it may begin one of the `mostLookups` lookups, and counts it in `lookups`; false if the resolver was
  /// closed first. After true, the caller must subtract it again.
  private func waitForRoom() -> Bool {
    while !isClosed.load(ordering: .acquiring) {
      let before = Self.lookups.add(1, ordering: .relaxed).oldValue
      if before < Self.mostLookups { return true }
      Self.lookups.subtract(1, ordering: .relaxed)
      // This is rare, and the end of another lookup wakes no thread. So this one tries again after 0.1 s, or when it is
      // closed.
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
      if isFound { timesReady.add(1, ordering: .releasing) }
      if descriptor.load(ordering: .relaxed) >= 0 {
        if isName, waitForDoubt() { continue }
        break
      }
      let pause = pauses[min(failures, pauses.count - 1)]
      failures += 1
      wake.wait(until: .after(seconds: pause))
    }
    isDone.store(true, ordering: .releasing)
    done.set()
  }

  /// Waits until another lookup is requested, at least for `recheckPause`; false if the resolver was closed first. It
  /// looks for a request now and then, because the frame thread may not wait for a lock to wake this thread.
  private func waitForDoubt() -> Bool {
    repeat {
      wake.wait(until: .after(seconds: recheckPause))
      if isClosed.load(ordering: .acquiring) { return false }
    } while !isDoubted.exchange(false, ordering: .relaxed)
    return true
  }

  /// Looks the host up and opens a socket to the first address that permits it. Returns whether there is a socket to
  /// another address than before.
  private func attempt() -> Bool {
    let isOpen = descriptor.load(ordering: .relaxed) >= 0
    switch lookup(endpoint) {
    case .failure(let reason):
      if !isOpen { found.withLock { ($0.reason, $0.error) = (reason, 0) } }
      return false
    case .addresses(let addresses):
      // Name servers change the order of several addresses from answer to answer.
      if isOpen, let address = found.withLock({ $0.address }), addresses.contains(address) { return false }
      var failure = ENOENT
      for address in addresses {
        let opened = DatagramSocket.open(to: address, interface: interface, hops: hops)
        if opened >= 0 { return use(opened, to: address) }
        failure = -opened
      }
      if !isOpen {
        found.withLock { ($0.reason, $0.error) = (String(cString: strerror(failure)), failure) }
      }
      return false
    }
  }

  /// Sends by a socket from now on. Returns whether that is possible.
  private func use(_ opened: Int32, to address: SocketAddress) -> Bool {
    found.withLock { found in
      let before = descriptor.load(ordering: .relaxed)
      guard before >= 0 else {
        found = (nil, 0, address)
        descriptor.store(opened, ordering: .releasing)
        return true
      }
      // The number stays, because other threads send by it.
      defer { Glibc.close(opened) }
      guard Descriptor.redirect(before, to: opened) else { return false }
      found = (nil, 0, address)
      return true
    }
  }
}

/// The result of resolving a host.
enum Lookup: Sendable {
  case addresses([SocketAddress])
  case failure(String)

  /// Resolves a host; may take seconds unless the host is numeric. [network]; a numeric host [any].
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

  /// Puts IPv4 first: most receivers listen on IPv4 alone, and UDP does not report that before packets are lost.
  ///
  /// "localhost" would otherwise resolve to ::1.
  static func ordered(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }
  }
}
