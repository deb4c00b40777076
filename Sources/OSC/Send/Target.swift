import CLiblo
import Glibc
import Synchronization
import System

/// One OSC destination: finds the host by itself, connects where that is the way, and sends without ever blocking.
///
/// A numeric host is ready at once. A name is looked up on a thread of its own, again after 1, 2, 4 … 30 seconds as
/// long as it fails. A refusal never stops the sending, as the receiver may be started later.
public final class Target: Sendable {
  /// How long after the last error a target counts as well again, in nanoseconds.
  static let recovery: UInt64 = 1_000_000_000

  /// The most packets of one size that the kernel is handed in one piece: more of them would save little more, and leave the
  /// machine so close to each other that a slow network may lose some.
  static let mostJoined = 16

  /// Whether the kernel cuts them; it is the same one for all.
  private static let cutsDatagrams: Bool = {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return Descriptor.cutsDatagrams(on: descriptor)
  }()

  /// Where it sends.
  public let endpoint: Endpoint

  private let resolver: Resolver
  /// The connection, where packets go by TCP.
  private let stream: StreamLink?
  private let clock: @Sendable () -> UInt64
  private let isClosed = Atomic<Bool>(false)
  private let sent = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  private let refusals = Atomic<UInt64>(0)
  /// The `errno` that stands between packets and the receiver; 0 when all is well.
  private let trouble = Atomic<Int32>(0)
  private let troubleAt = Atomic<UInt64>(0)
  /// How many packets had been sent by then.
  private let sentBefore = Atomic<UInt64>(0)
  private let reconnectAt = Atomic<UInt64>(0)
  private let lastError = Atomic<Int32>(0)
  /// How many packets of one size the kernel takes at a time: 1 where it has refused to cut them.
  private let joined = Atomic<Int>(Target.cutsDatagrams ? Target.mostJoined : 1)

  /// Begins at once to find the host. `interface` is where multicasts leave: the name or an address of an interface; nil: as
  /// the routes of the system say. `hops` is how many routers they may pass, and one more; nil: 64. [control]
  public convenience init(_ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil) {
    self.init(
      endpoint, interface: interface, hops: hops,
      pauses: endpoint.transport == .unix ? Resolver.pausesOfFiles : Resolver.pauses, lookup: Lookup.ask,
      clock: { MonotonicClock.now })
  }

  init(
    _ endpoint: Endpoint, interface: String? = nil, hops: Int? = nil, pauses: [Double],
    lookup: @escaping @Sendable (Endpoint) -> Lookup,
    clock: @escaping @Sendable () -> UInt64
  ) {
    self.endpoint = endpoint
    self.clock = clock
    resolver = Resolver(endpoint, interface: interface, hops: hops, pauses: pauses, lookup: lookup)
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
      // This reports an earlier packet, and this one was not sent: try once more.
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

  /// Sends packets one after another, each as by itself, in as few calls of the system as that takes; never blocks, allocates
  /// or throws. [frame]
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
      again(
        UnsafeRawBufferPointer(start: rest[0].iov_base, count: rest[0].iov_len), after: failure.number,
        descriptor)
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
    }
  }

  /// Sends the packet at which several stopped; those behind it follow together.
  private func again(_ packet: UnsafeRawBufferPointer, after error: Int32, _ descriptor: Int32) {
    if error == ECONNREFUSED {
      // Of an earlier packet, as in `send`.
      refusals.add(1, ordering: .relaxed)
      note(ECONNREFUSED)
      return send(packet)
    }
    let retried = DatagramSocket.send(packet, on: descriptor)
    if retried == 0 { sent.add(1, ordering: .relaxed) }
    // The system states once what became of an earlier packet, and then takes this one; full buffers are none of these.
    guard retried != 0 || ![EAGAIN, ENOBUFS, EMSGSIZE].contains(error) else { return }
    failed.add(1, ordering: .relaxed)
    fail(retried == 0 ? error : retried, descriptor)
  }

  /// Whether an error may mean that packets in one piece cannot be cut on their way: they are larger than the network takes,
  /// or the interface does not add checksums.
  private static func isRefusal(ofJoined error: Int32) -> Bool {
    [EINVAL, EIO, EMSGSIZE, EOPNOTSUPP, ENOPROTOOPT].contains(error)
  }

  /// Looks what has become of the last packet, which else the next one states; for those who send seldom, to be called now and
  /// then. Never blocks. [control]
  public func look() {
    // A connection reports by itself.
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

  /// How often the host was found or the receiver was there again: each time all that is current should be sent.
  public var timesReady: Int {
    stream?.timesReady.load(ordering: .acquiring) ?? resolver.timesReady.load(ordering: .acquiring)
  }

  /// How things stand. [any]
  public var status: TargetStatus {
    if let stream { return stream.status }
    let error = lastError.load(ordering: .relaxed)
    return TargetStatus(
      endpoint: endpoint, state: state,
      lastError: error == 0 ? resolver.reason : String(cString: strerror(error)),
      sent: sent.load(ordering: .relaxed), failed: failed.load(ordering: .relaxed),
      dropped: dropped.load(ordering: .relaxed), refusals: refusals.load(ordering: .relaxed))
  }

  /// Ends the sending; packets are dropped from now on. [any]
  ///
  /// Returns within 100 ms, or as soon as said, even while a name server does not answer. The socket is closed with the
  /// last reference, so that a packet sent at the same moment cannot go into another file.
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

  private func note(_ error: Int32) {
    trouble.store(error, ordering: .relaxed)
    sentBefore.store(sent.load(ordering: .relaxed), ordering: .relaxed)
    lastError.store(error, ordering: .relaxed)
    troubleAt.store(clock(), ordering: .relaxed)
  }

  /// A packet went out.
  ///
  /// A refusal is reported with a later packet, so a while must pass without one.
  private func recover() {
    guard clock() &- troubleAt.load(ordering: .relaxed) >= Self.recovery else { return }
    trouble.store(0, ordering: .relaxed)
    resolver.timesReady.add(1, ordering: .releasing)
  }

  private func fail(_ error: Int32, _ descriptor: Int32) {
    switch error {
    case EAGAIN, ENOBUFS, EMSGSIZE:
      // Of this packet or this moment only.
      lastError.store(error, ordering: .relaxed)
    default:
      note(error)
      // The network went away or came back with another address, to which the socket is still bound.
      let now = troubleAt.load(ordering: .relaxed)
      guard error != ECONNREFUSED, now &- reconnectAt.load(ordering: .relaxed) >= Self.recovery else {
        return
      }
      reconnectAt.store(now, ordering: .relaxed)
      if let address = resolver.address { _ = DatagramSocket.reconnect(descriptor, to: address) }
    }
  }
}

/// Packets for one target that leave together, in as few calls of the system as that takes: a frame may have hundreds. One
/// thread at a time, until `stopWaiting`.
public final class PacketBatch: @unchecked Sendable {
  /// The most packets that wait; one more sends them.
  static let most = 64

  private let target: Target
  private let packets: UnsafeMutableBufferPointer<iovec>
  private var count = 0
  private let waits = Atomic<Bool>(true)

  /// Those for a target. [control]
  public init(_ target: Target) {
    self.target = target
    packets = .allocate(capacity: Self.most)
    packets.initialize(repeating: iovec())
  }

  deinit { packets.deallocate() }

  /// Has a packet wait for those that follow; its bytes stay as they are until it is sent. Never blocks. [frame]
  public func add(_ packet: UnsafeRawBufferPointer) {
    guard waits.load(ordering: .acquiring) else { return target.send(packet) }
    if count == Self.most { send() }
    packets[count] = iovec(
      iov_base: UnsafeMutableRawPointer(mutating: packet.baseAddress), iov_len: packet.count)
    count += 1
  }

  /// Sends all that wait, in their order. Never blocks. [frame]
  public func send() {
    guard waits.load(ordering: .acquiring), count > 0 else { return }
    target.send(all: UnsafeBufferPointer(rebasing: packets[..<count]))
    count = 0
  }

  /// What waits is given up, and each packet that follows goes by itself, whatever thread sends it. [any]
  public func stopWaiting() { waits.store(false, ordering: .releasing) }
}
