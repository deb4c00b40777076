import CJack
import Graphs
import Synchronization
import System

/// Callbacks on libjack's own threads: they note news in atomics and wake the control thread. Some are called as in a
/// signal handler, others inside a cycle, so they do nothing else. [notice]
struct JackServerCallbacks: ~Copyable {
  /// The size of `reason` in bytes, with the terminating zero.
  static var reasonSize: Int { 256 }

  /// The host's counters.
  let counters: UnsafeMutablePointer<JackCounters>
  /// Wakes the host's control thread.
  let wakeUp: Semaphore.Poster
  /// Set when the server has gone; `reason` is written before.
  let isShutDown = Atomic<Bool>(false)
  /// libjack's reason why the server has gone, as a C string.
  let reason: UnsafeMutablePointer<CChar>

  /// Makes it without news. [jack]
  init(counters: UnsafeMutablePointer<JackCounters>, wakeUp: Semaphore.Poster) {
    self.counters = counters
    self.wakeUp = wakeUp
    reason = .allocate(capacity: Self.reasonSize)
    reason.initialize(repeating: 0, count: Self.reasonSize)
  }

  deinit { reason.deallocate() }

  /// Notes that the server has gone.
  borrowing func shutDown(_ why: UnsafePointer<CChar>?) {
    if isShutDown.load(ordering: .relaxed) { return }
    if let why {
      var i = 0
      while i < Self.reasonSize - 1, why[i] != 0 {
        reason[i] = why[i]
        i += 1
      }
    }
    isShutDown.store(true, ordering: .releasing)
    wakeUp.post()
  }

  /// Registers the callbacks with libjack, before the client is activated. [jack]
  static func install(_ notices: UnsafeMutablePointer<JackServerCallbacks>, on client: OpaquePointer) {
    jack_on_info_shutdown(
      client, { _, why, context in JackServerCallbacks.at(context)?.pointee.shutDown(why) }, notices)
    jack_set_xrun_callback(
      client,
      { context in
        // Counts only: PipeWire calls this from inside the cycle.
        _ = JackServerCallbacks.at(context)?.pointee.counters.pointee.xruns.add(1, ordering: .relaxed)
        return 0
      }, notices)
    jack_set_freewheel_callback(
      client,
      { isOn, context in
        guard let notices = JackServerCallbacks.at(context) else { return }
        notices.pointee.counters.pointee.isFreewheeling.store(isOn != 0, ordering: .relaxed)
        notices.pointee.wakeUp.post()
      }, notices)
    jack_set_buffer_size_callback(
      client,
      { count, context in
        guard let notices = JackServerCallbacks.at(context) else { return 0 }
        notices.pointee.counters.pointee.period.store(count, ordering: .relaxed)
        notices.pointee.wakeUp.post()
        return 0
      }, notices)
    jack_set_sample_rate_callback(
      client,
      { rate, context in
        guard let notices = JackServerCallbacks.at(context) else { return 0 }
        notices.pointee.counters.pointee.rate.store(rate, ordering: .relaxed)
        notices.pointee.wakeUp.post()
        return 0
      }, notices)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<JackServerCallbacks>? {
    context?.assumingMemoryBound(to: JackServerCallbacks.self)
  }
}

/// An event of a port of any client. Ports are named by the server's numbers.
enum JackPortEvent: Equatable {
  case registered(UInt32)
  case unregistered(UInt32)
  case renamed(UInt32)
  case connected(UInt32, UInt32)
  case disconnected(UInt32, UInt32)
}

/// The events of one client on their way from the library's notification thread to the host's control thread, in order.
final class JackPortEvents: @unchecked Sendable {
  private let lock = Lock()
  private var events: [JackPortEvent] = []
  private var added: UInt64 = 0
  private let wakeUp: Semaphore.Poster

  init(wakeUp: Semaphore.Poster) { self.wakeUp = wakeUp }

  /// Removes and returns all events. [jack]
  func take() -> [JackPortEvent] {
    lock.withLock {
      let taken = events
      events = []
      return taken
    }
  }

  /// The number of events that have come since the client was opened. [jack]
  var count: UInt64 { lock.withLock { added } }

  /// [notice]
  private func add(_ event: JackPortEvent) {
    withoutCancellation {
      lock.withLock {
        events.append(event)
        added += 1
      }
      wakeUp.post()
    }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> JackPortEvents? {
    context.map { Unmanaged<JackPortEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Registers the callbacks with libjack. The client must be closed before `self` goes away. [jack]
  func install(on client: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    jack_set_port_registration_callback(
      client,
      { port, isNew, context in
        JackPortEvents.at(context)?.add(isNew != 0 ? .registered(port) : .unregistered(port))
      },
      context)
    jack_set_port_rename_callback(
      client, { port, _, _, context in JackPortEvents.at(context)?.add(.renamed(port)) }, context)
    jack_set_port_connect_callback(
      client,
      { a, b, isMade, context in
        JackPortEvents.at(context)?.add(isMade != 0 ? .connected(a, b) : .disconnected(a, b))
      },
      context)
  }
}
