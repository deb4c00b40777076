import CLiblo
import Glibc
import Synchronization
import System

/// One OSC destination: resolves its host, connects where the transport needs it, and sends without blocking.
///
/// A numeric host is ready at once. A name is resolved on a thread of its own, again after 1, 2, 4 … 30 s while that
/// fails, and every 5 s while packets fail. A refusal does not stop the sending: the receiver may be started later.
public final class Target: Sendable {
  /// The time after the last error at which a target counts as working again, in nanoseconds.
  static let recovery: UInt64 = 1_000_000_000

  /// Maximum packets of one size passed to the kernel as one block (UDP segmentation offload). More would save
  /// little, and would be sent so close together that a slow network may drop some.
  static let mostJoined = 16

  /// Whether the kernel splits such blocks; the answer is the same for all sockets.
  private static let cutsDatagrams: Bool = {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return Descriptor.cutsDatagrams(on: descriptor)
  }()

  /// Where it sends to.
  public let endpoint: Endpoint

  private let resolver: Resolver
  /// The connection, for TCP.
  private let stream: StreamLink?
  private let clock: @Sendable () -> UInt64
  private let isClosed = Atomic<Bool>(false)
  private let sent = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  private let refusals = Atomic<UInt64>(0)
  /// The `errno` of the present fault; 0 where there is none.
  private let trouble = Atomic<Int32>(0)
  /// When the last error was reported, in nanoseconds.
  private let troubleAt = Atomic<UInt64>(0)
  /// How many packets had been sent at `troubleAt`.
  private let sentBefore = Atomic<UInt64>(0)
  /// When the socket was connected again last, in nanoseconds.
  private let reconnectAt = Atomic<UInt64>(0)
  /// The `errno` of the last error ever; 0: none.
  private let lastError = Atomic<Int32>(0)
  /// How many packets of one size are passed to the kernel as one block; 1 after it has refused to split them.
  private let joined = Atomic<Int>(Target.cutsDatagrams ? Target.mostJoined : 1)

  /// Starts to resolve the host at once. `interface` is the one by which multicasts leave, as a name or an address;
  /// nil: by the system's routes. `hops` is their maximum number of hops (TTL); nil: 64. [control]
  public convenience init(_ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil) {
    self.init(
      endpoint, interface: interface, hops: hops,
      pauses: endpoint.transport == .unix ? Resolver.pausesOfFiles : Resolver.pauses, lookup: Lookup.ask,
      clock: { MonotonicClock.now })
  }

  init(
    _ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, pauses: [Double],
    recheckPause: Double = Resolver.recheckPause, lookup: @escaping @Sendable (Endpoint) -> Lookup,
    clock: @escaping @Sendable () -> UInt64
  ) {
    self.endpoint = endpoint
    self.clock = clock
    resolver = Resolver(
      endpoint, interface: interface, hops: hops, pauses: pauses, recheckPause: recheckPause, lookup: lookup)
    switch endpoint.transport {
    case .udp, .unix:
      stream = nil
      resolver.start()
    case .tcp: stream = StreamLink(endpoint, .sized)
    case .slip: stream = StreamLink(endpoint, .slip)
    }
  }

  deinit { close() }

  /// Sends one packet if the host is known; never blocks, allocates or throws. [frame] levels, [scene] particles.
  public func send(_ bytes: UnsafeRawBufferPointer) {
    if let stream { return stream.send(bytes) }
    let descriptor = resolver.descriptor.load(ordering: .acquiring)
    guard descriptor >= 0, !isClosed.load(ordering: .relaxed) else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    var error = DatagramSocket.send(bytes, on: descriptor)
    if error == ECONNREFUSED {
      // The error belongs to an earlier packet, and this one was not sent: try once more.
      refusals.add(1, ordering: .relaxed)
      note(ECONNREFUSED)
      error = DatagramSocket.send(bytes, on: descriptor)
      if error == 0 {
        sent.add(1, ordering: .relaxed)
        return
      }
    }
    if error == 0 {
      sent.add(1, ordering: .relaxed)
      if trouble.load(ordering: .relaxed) != 0 { recover() }
    } else {
      failed.add(1, ordering: .relaxed)
      fail(error, descriptor)
    }
  }

  /// Sends several packets, each as if alone, with as few system calls as possible; never blocks, allocates or
  /// throws. [frame]
  func send(all packets: UnsafeBufferPointer<iovec>) {
    let descriptor = resolver.descriptor.load(ordering: .acquiring)
    guard stream == nil, endpoint.transport == .udp, descriptor >= 0, packets.count > 1 else {
      for packet in packets { send(UnsafeRawBufferPointer(start: packet.iov_base, count: packet.iov_len)) }
      return
    }
    guard !isClosed.load(ordering: .relaxed) else {
      dropped.add(UInt64(packets.count), ordering: .relaxed)
      return
    }
    var rest = packets
    while !rest.isEmpty {
      let joined = joined.load(ordering: .relaxed)
      let (count, failure) = Descriptor.send(rest, joined: joined, on: descriptor)
      if count > 0 {
        sent.add(UInt64(count), ordering: .relaxed)
        if trouble.load(ordering: .relaxed) != 0 { recover() }
        rest = UnsafeBufferPointer(rebasing: rest[count...])
      }
      guard let failure, !rest.isEmpty else { continue }
      if joined > 1, Self.isRefusal(ofJoined: failure.number) {
        self.joined.store(1, ordering: .relaxed)
        continue
      }
      resend(
        UnsafeRawBufferPointer(start: rest[0].iov_base, count: rest[0].iov_len), after: failure.number,
        descriptor)
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
    }
  }

  /// Sends the packet at which `send(all:)` stopped; the caller continues with those after it.
  private func resend(_ packet: UnsafeRawBufferPointer, after error: Int32, _ descriptor: Int32) {
    if error == ECONNREFUSED {
      // It belongs to an earlier packet, as in `send`.
      refusals.add(1, ordering: .relaxed)
      note(ECONNREFUSED)
      return send(packet)
    }
    let retried = DatagramSocket.send(packet, on: descriptor)
    if retried == 0 { sent.add(1, ordering: .relaxed) }
    // A pending error of an earlier packet is reported once, and this packet is then sent. A full buffer or a
    // packet that is too large is an error of this packet.
    guard retried != 0 || ![EAGAIN, ENOBUFS, EMSGSIZE].contains(error) else { return }
    failed.add(1, ordering: .relaxed)
    fail(retried == 0 ? error : retried, descriptor)
  }

  /// Whether an error may mean that a block of packets cannot be split: it is larger than the network takes, or the
  /// interface does not compute checksums.
  private static func isRefusal(ofJoined error: Int32) -> Bool {
    [EINVAL, EIO, EMSGSIZE, EOPNOTSUPP, ENOPROTOOPT].contains(error)
  }

  /// Reads the pending error of the last packet, which otherwise the next send would report. Call it now and then
  /// where packets are rare. Never blocks. [control]
  public func look() {
    // A connection reports its end by itself.
    if stream != nil { return }
    let descriptor = resolver.descriptor.load(ordering: .acquiring)
    guard descriptor >= 0, !isClosed.load(ordering: .relaxed) else { return }
    switch DatagramSocket.takeError(of: descriptor) {
    case ECONNREFUSED:
      refusals.add(1, ordering: .relaxed)
      note(ECONNREFUSED)
    case 0:
      let hasSent = sent.load(ordering: .relaxed) > sentBefore.load(ordering: .relaxed)
      if hasSent, trouble.load(ordering: .relaxed) != 0 { recover() }
    case let error: fail(error, descriptor)
    }
  }

  /// How many times the host was found, or the receiver came back. Each time it grows, all current values should be
  /// sent.
  public var timesReady: Int {
    stream?.timesReady.load(ordering: .acquiring) ?? resolver.timesReady.load(ordering: .acquiring)
  }

  /// The present state, with counts. [any]
  public var status: TargetStatus {
    if let stream { return stream.status }
    let error = lastError.load(ordering: .relaxed)
    return TargetStatus(
      endpoint: endpoint, state: state,
      lastError: error == 0 ? resolver.reason : String(cString: strerror(error)),
      sent: sent.load(ordering: .relaxed), failed: failed.load(ordering: .relaxed),
      dropped: dropped.load(ordering: .relaxed), refusals: refusals.load(ordering: .relaxed))
  }

  /// Ends the sending; later packets are dropped. [any]
  ///
  /// Returns within `seconds`, even while a name server does not answer. The socket is closed with the last
  /// reference, so that a packet sent at the same moment cannot reach another file with the same descriptor.
  public func close(within seconds: Double = 0.1) {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if let stream { return stream.close(within: seconds) }
    resolver.stop(within: seconds)
  }

  private var state: TargetState {
    if isClosed.load(ordering: .relaxed) { return .closed }
    if resolver.descriptor.load(ordering: .acquiring) < 0 {
      return TargetState(networkError: resolver.error)
        ?? resolver.reason.map { .unresolvable($0) } ?? .resolving
    }
    let error = trouble.load(ordering: .relaxed)
    switch error {
    case 0: return .ready
    case ECONNREFUSED: return .refused
    default:
      return TargetState(networkError: error) ?? .failing(String(cString: strerror(error)))
    }
  }

  /// Stores a fault with its time, and has a name looked up again.
  private func note(_ error: Int32) {
    trouble.store(error, ordering: .relaxed)
    sentBefore.store(sent.load(ordering: .relaxed), ordering: .relaxed)
    lastError.store(error, ordering: .relaxed)
    troubleAt.store(clock(), ordering: .relaxed)
    resolver.recheck()
  }

  /// Notes that a packet was sent.
  ///
  /// A refusal is reported with a later packet, so the fault is cleared only after a time without one.
  private func recover() {
    guard clock() &- troubleAt.load(ordering: .relaxed) >= Self.recovery else { return }
    trouble.store(0, ordering: .relaxed)
    resolver.timesReady.add(1, ordering: .releasing)
  }

  private func fail(_ error: Int32, _ descriptor: Int32) {
    switch error {
    case EAGAIN, ENOBUFS, EMSGSIZE:
      // The error concerns this packet or this moment alone.
      lastError.store(error, ordering: .relaxed)
    default:
      note(error)
      // The network may have gone, or come back with another address, while the socket is bound to the old one.
      let now = troubleAt.load(ordering: .relaxed)
      guard error != ECONNREFUSED, now &- reconnectAt.load(ordering: .relaxed) >= Self.recovery else {
        return
      }
      reconnectAt.store(now, ordering: .relaxed)
      resolver.reconnect(descriptor)
    }
  }
}

/// Packets to one target that are sent together, with as few system calls as possible: a frame may have hundreds.
/// Used by one thread at a time, until `stopWaiting`.
public final class PacketBatch: @unchecked Sendable {
  /// Maximum queued packets; a further one sends them first.
  static let most = 64

  private let target: Target
  private let packets: UnsafeMutableBufferPointer<iovec>
  private var count = 0
  /// Whether packets are queued, and not sent at once.
  private let isQueueing = Atomic<Bool>(true)

  /// Makes an empty batch. [control]
  public init(_ target: Target) {
    self.target = target
    packets = .allocate(capacity: Self.most)
    packets.initialize(repeating: iovec())
  }

  deinit { packets.deallocate() }

  /// Queues a packet, whose bytes must not change until it is sent. Never blocks. [frame]
  public func add(_ packet: UnsafeRawBufferPointer) {
    guard isQueueing.load(ordering: .acquiring) else { return target.send(packet) }
    if count == Self.most { send() }
    packets[count] = iovec(
      iov_base: UnsafeMutableRawPointer(mutating: packet.baseAddress), iov_len: packet.count)
    count += 1
  }

  /// Sends all queued packets in their order. Never blocks. [frame]
  public func send() {
    guard isQueueing.load(ordering: .acquiring), count > 0 else { return }
    target.send(all: UnsafeBufferPointer(rebasing: packets[..<count]))
    count = 0
  }

  /// Drops queued packets, and sends later ones singly, on any thread. [any]
  public func stopWaiting() { isQueueing.store(false, ordering: .releasing) }
}
