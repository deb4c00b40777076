import DMX
import OSC
import Synchronization
import System

/// Polls for Art-Net nodes and keeps their answers. Its thread holds a reference to this object and to no other.
final class ArtNetSearch: Sendable {
  /// Seconds between two polls; a controller polls every 2.5 to 3 s (Art-Net 4, "ArtPoll").
  static let interval = 2.5
  /// Nanoseconds from the start during which the lack of answers is not a fault.
  static let timeout: UInt64 = 2_500_000_000

  private struct State {
    var directory = ArtNetDirectory()
    var subscribers: [UInt16: ArtNetSubscribers] = [:]
    /// Whether it has polled any network.
    var hasPolled = false
    /// The `errno` of the last poll; 0: none.
    var lastError: Int32 = 0
  }

  /// The sink for ArtSync.
  let everybody: ArtNetSubscribers
  private let interface: String?
  private let port: DatagramPort?
  /// Why the port could not be opened; nil: it is open.
  private let failure: String?
  private let wake = WakePipe()
  private let begun = MonotonicClock.now
  private let isOver = Atomic<Bool>(false)
  private let current = Locked(State())

  init(_ interface: String?) {
    self.interface = interface
    do throws(Errno) {
      port = try DatagramPort(ArtNetPackets.port)
      failure = nil
    } catch {
      (port, failure) = (nil, error.text)
    }
    everybody = ArtNetSubscribers(nil, port)
  }

  /// Starts to poll and to listen, on a thread of its own. [control]
  func start() {
    guard let port, let wake else { return }
    // Without a thread no nodes are found, and the state reports that.
    _ = try? Thread("art-net", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
      run(port, wake)
    }
  }

  /// Asks the thread to end, without waiting for it. [any]
  func stop() {
    isOver.store(true, ordering: .releasing)
    wake?.wake()
  }

  func subscribers(of portAddress: UInt16) -> ArtNetSubscribers {
    current.withLock { state in
      if let known = state.subscribers[portAddress] { return known }
      let new = ArtNetSubscribers(portAddress, port)
      state.subscribers[portAddress] = new
      new.change(to: state.directory.nodes(of: portAddress, at: MonotonicClock.now))
      return new
    }
  }

  /// [network]
  private func run(_ port: DatagramPort, _ wake: WakePipe) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2048, alignment: 16)
    defer { buffer.deallocate() }
    var next = Deadline.after(seconds: 0)
    while !isOver.load(ordering: .acquiring) {
      if next.isOver {
        poll(port)
        update()
        next = .after(seconds: Self.interval)
      }
      port.wait(or: wake, milliseconds: next.milliseconds)
      if takeAnswers(port, buffer) { update() }
    }
  }

  /// Reads the waiting answers. Returns whether the nodes of some port address have changed. It reads at most 256 at a
  /// time, so that a flood of answers does not delay the next poll.
  private func takeAnswers(_ port: DatagramPort, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var hasChanged = false
    for _ in 0..<256 {
      guard let (bytes, sender) = port.receive(buffer) else { break }
      guard let reply = ArtPollReply(bytes) else { continue }
      let isNew = current.withLock { $0.directory.take(reply, from: sender, at: MonotonicClock.now) }
      hasChanged = hasChanged || isNew
    }
    return hasChanged
  }

  /// Polls every network once.
  private func poll(_ port: DatagramPort) {
    let networks = Self.networks(of: interface).compactMap { IPAddress($0) }.map(ArtNetNode.init)
    everybody.change(to: networks)
    let error = networks.reduce(Int32(0)) { error, network in
      let ownError = ArtNetPackets.poll.withUnsafeBytes { network.send($0, by: port) }
      return ownError == 0 ? error : ownError
    }
    current.withLock {
      $0.hasPolled = !networks.isEmpty
      $0.lastError = error
    }
  }

  /// The broadcast addresses of the networks to poll, each once.
  private static func networks(of interface: String?) -> [String] {
    let all = NetworkInterface.all.filter { one in
      guard let interface else { return one.isRunning && !(IPAddress(one.address)?.isLoopback ?? true) }
      return one.name == interface || one.address == interface
    }
    return Set(all.compactMap(\.broadcast)).sorted()
  }

  /// Updates the nodes of each port address, and removes nodes that have been silent for long.
  private func update() {
    current.withLock { state in
      let now = MonotonicClock.now
      state.directory.forget(at: now)
      for (portAddress, subscribers) in state.subscribers {
        subscribers.change(to: state.directory.nodes(of: portAddress, at: now))
      }
    }
  }

  /// The state of the search as a sentence. [any]
  var state: (text: String, isWell: Bool) {
    let onInterface = interface.map { " on \($0)" } ?? ""
    if let failure { return ("cannot open UDP port \(ArtNetPackets.port): \(failure)", false) }
    return current.withLock { state in
      let now = MonotonicClock.now
      guard state.hasPolled else {
        let isEarly = now < begun + Self.timeout
        return (
          isEarly ? "looking for nodes" : "no network with IPv4 to look for nodes in\(onInterface)", isEarly
        )
      }
      if state.lastError != 0 {
        return ("cannot ask for nodes\(onInterface): \(Errno(state.lastError).text)", false)
      }
      let portNote =
        port?.isAsAsked == false
        ? "; another program has UDP port \(ArtNetPackets.port), and gets answers that are sent there" : ""
      let count = state.directory.count(at: now)
      guard count > 0 else {
        let isEarly = now < begun + Self.timeout
        return (
          isEarly ? "looking for nodes\(onInterface)" : "no node answers\(onInterface)\(portNote)", isEarly
        )
      }
      return ("\(count) \(count == 1 ? "node answers" : "nodes answer")\(onInterface)\(portNote)", true)
    }
  }

  /// The state of each node, ordered by IP address. [any]
  var reports: [ArtNetDirectory.Report] {
    current.withLock { $0.directory.reports(at: MonotonicClock.now) }
  }
}
