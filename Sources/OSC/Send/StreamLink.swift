import CLiblo
import Glibc
import Synchronization
import System

/// A TCP connection to one OSC receiver, which reconnects by itself. The sending thread never waits for it.
///
/// A thread of its own connects, discards what the receiver sends, and sends packets that the socket did not accept
/// at once. Unsent bytes are bounded; a packet that does not fit is dropped. The thread holds a reference to this
/// object and to no other, so a lookup that hangs can be abandoned.
final class StreamLink: Sendable {
  /// Maximum unsent bytes, besides those in the socket's buffer. It has room for the largest packet, of
  /// `EncodedMessage.datagramLimit` bytes, even if SLIP escapes all of them.
  static let waitingLimit = 131_072
  /// Seconds between two attempts to connect. A receiver that is back is found within this time and the time of a
  /// connection.
  static let retryInterval = 0.5
  /// Timeout of an attempt, in seconds.
  static let connectTimeout = 2.0
  /// How many times a sending thread tries the lock before its packet counts as failed. All tries take some
  /// microseconds.
  private static let attempts = 2000

  /// The connection and its unsent bytes.
  private struct Outgoing {
    var descriptor: Int32 = -1
    var waiting: [UInt8] = []
    /// Whether a packet was dropped that the receiver should have got.
    var isBehind = false

    /// Starts with a new connection and no unsent bytes.
    mutating func begin(_ descriptor: Int32) {
      self.descriptor = descriptor
      waiting.removeAll(keepingCapacity: true)
      waiting.reserveCapacity(StreamLink.waitingLimit)
      isBehind = false
    }
  }

  /// How many times the receiver was found, or read again after packets were dropped.
  let timesReady = Atomic<Int>(0)
  private let sent = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  private let refusals = Atomic<UInt64>(0)
  private let endpoint: Endpoint
  private let framing: PacketStream.Framing
  private let outgoing: Locked<Outgoing>
  private let isClosed = Atomic<Bool>(false)
  private let isConnected = Atomic<Bool>(false)
  /// Whether packets are dropped because the receiver does not read.
  private let isFull = Atomic<Bool>(false)
  /// The `errno` of the last attempt; 0 before the first.
  private let trouble = Atomic<Int32>(0)
  /// Why the host cannot be resolved; nil: it was, or the lookup has not ended.
  private let lookupFailure = Locked<String?>(nil)
  private let wake: WakePipe?
  private let done = Latch(resets: .never)

  /// Starts to connect at once. [control]
  init(_ endpoint: Endpoint, _ framing: PacketStream.Framing) {
    self.endpoint = endpoint
    self.framing = framing
    var empty = Outgoing()
    empty.begin(-1)
    outgoing = Locked(empty)
    wake = WakePipe()
    guard let wake else {
      trouble.store(errno, ordering: .relaxed)
      done.set()
      return
    }
    do throws(Errno) {
      _ = try Thread(as: Thread.Options(blockedSignals: .allButFaults)) { [self] in run(wake) }
    } catch {
      trouble.store(error.number, ordering: .relaxed)
      done.set()
    }
  }

  private var state: TargetState {
    if isClosed.load(ordering: .relaxed) { return .closed }
    if isConnected.load(ordering: .relaxed) {
      return isFull.load(ordering: .relaxed) ? .failing("it does not read; packets are dropped") : .ready
    }
    if let reason = lookupFailure.withLock({ $0 }) { return .unresolvable(reason) }
    let error = trouble.load(ordering: .relaxed)
    switch error {
    case 0: return .resolving
    case ECONNREFUSED: return .refused
    default: return TargetState(networkError: error) ?? .failing(String(cString: strerror(error)))
    }
  }

  /// The present state, with counts. [any]
  var status: TargetStatus {
    let error = trouble.load(ordering: .relaxed)
    return TargetStatus(
      endpoint: endpoint, state: state,
      lastError: error == 0 ? lookupFailure.withLock { $0 } : String(cString: strerror(error)),
      sent: sent.load(ordering: .relaxed), failed: failed.load(ordering: .relaxed),
      dropped: dropped.load(ordering: .relaxed), refusals: refusals.load(ordering: .relaxed))
  }

  /// Sends one packet if the receiver is connected and its buffer is not full; never blocks or allocates. [frame]
  /// [scene]
  func send(_ packet: UnsafeRawBufferPointer) {
    for _ in 0..<Self.attempts {
      let isDone: Void? = outgoing.withLockIfAvailable { put(packet, into: &$0) }
      if isDone != nil { return }
    }
    failed.add(1, ordering: .relaxed)
  }

  private func put(_ packet: UnsafeRawBufferPointer, into outgoing: inout Outgoing) {
    guard outgoing.descriptor >= 0, !isClosed.load(ordering: .relaxed) else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    guard outgoing.waiting.count + PacketStream.mostBytes(of: packet, as: framing) <= Self.waitingLimit else {
      failed.add(1, ordering: .relaxed)
      // A packet that does not fit into an empty buffer says nothing of the receiver.
      if !outgoing.waiting.isEmpty {
        outgoing.isBehind = true
        isFull.store(true, ordering: .relaxed)
      }
      return
    }
    let wasWaiting = !outgoing.waiting.isEmpty
    PacketStream.append(packet, to: &outgoing.waiting, as: framing)
    sent.add(1, ordering: .relaxed)
    guard !wasWaiting else { return }
    flush(&outgoing)
    // The thread sends the rest, or notices that the receiver is gone.
    if !outgoing.waiting.isEmpty { wake?.wake() }
  }

  /// Sends what the socket accepts.
  private func flush(_ outgoing: inout Outgoing) {
    var written = 0
    while written < outgoing.waiting.count {
      let count = StreamSocket.send(outgoing.waiting, from: written, on: outgoing.descriptor)
      if count < 0 {
        // The thread then reads the end of the input, and connects again.
        if count != -EAGAIN, count != -EINTR { StreamSocket.cut(outgoing.descriptor) }
        break
      }
      written += count
    }
    outgoing.waiting.removeFirst(written)
  }

  /// Closes the connection after unsent bytes are sent, waiting at most `seconds`. [any]
  func close(within seconds: Double) {
    isClosed.store(true, ordering: .releasing)
    wake?.wake()
    done.wait(until: .after(seconds: seconds))
  }

  /// [network]
  private func run(_ wake: WakePipe) {
    var lookups = 0
    while !isClosed.load(ordering: .acquiring) {
      guard let descriptor = connect(wake, &lookups) else { continue }
      outgoing.withLock { $0.begin(descriptor) }
      trouble.store(0, ordering: .relaxed)
      isFull.store(false, ordering: .relaxed)
      isConnected.store(true, ordering: .relaxed)
      timesReady.add(1, ordering: .releasing)
      let error = serve(descriptor, wake)
      isConnected.store(false, ordering: .relaxed)
      outgoing.withLock { $0.begin(-1) }
      StreamSocket.close(descriptor)
      trouble.store(error, ordering: .relaxed)
      // Pause, because a receiver may accept and close again and again.
      if !isClosed.load(ordering: .acquiring) { wake.wait(seconds: Self.retryInterval) }
    }
    done.set()
  }

  /// Connects to the receiver; nil, after a pause, where that fails.
  private func connect(_ wake: WakePipe, _ lookups: inout Int) -> Int32? {
    switch Lookup.ask(endpoint) {
    case .failure(let reason):
      lookupFailure.withLock { $0 = reason }
      wake.wait(seconds: Resolver.pauses[min(lookups, Resolver.pauses.count - 1)])
      lookups += 1
      return nil
    case .addresses(let addresses):
      lookupFailure.withLock { $0 = nil }
      lookups = 0
      for address in addresses {
        let opened = StreamSocket.connect(to: address, or: wake, within: Self.connectTimeout)
        if opened >= 0 { return opened }
        if opened == -ECONNREFUSED { refusals.add(1, ordering: .relaxed) }
        trouble.store(-opened, ordering: .relaxed)
        if isClosed.load(ordering: .acquiring) { return nil }
      }
      wake.wait(seconds: Self.retryInterval)
      return nil
    }
  }

  /// Discards input and sends unsent bytes until the connection ends; returns the `errno` of its end.
  private func serve(_ descriptor: Int32, _ wake: WakePipe) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    defer { buffer.deallocate() }
    var end: Deadline?
    while true {
      let hasMore = outgoing.withLock { !$0.waiting.isEmpty }
      if isClosed.load(ordering: .acquiring) {
        let deadline = end ?? .after(seconds: 0.1)
        end = deadline
        if !hasMore || deadline.isOver { return 0 }
      }
      switch StreamSocket.wait(descriptor, writes: hasMore, or: wake, milliseconds: end == nil ? -1 : 10) {
      case .over(let error): return error
      case .readable:
        if let error = StreamSocket.discardInput(descriptor, buffer) { return error }
      case .writable: sendWaiting()
      case .nothing: break
      }
    }
  }

  /// Sends unsent bytes. If the receiver reads again after packets were dropped, all current values are to be sent to
  /// it.
  private func sendWaiting() {
    let isBack = outgoing.withLock { outgoing in
      flush(&outgoing)
      guard outgoing.waiting.isEmpty, outgoing.isBehind else { return false }
      outgoing.isBehind = false
      return true
    }
    guard isBack else { return }
    isFull.store(false, ordering: .relaxed)
    timesReady.add(1, ordering: .releasing)
  }
}
