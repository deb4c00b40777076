import CSyscalls
import Glibc

/// A thread of the operating system. [one]
///
/// A thread whose object is freed before it was joined runs on by itself.
package final class Thread {
  /// Scheduling, signals and stack of a thread.
  package struct Options: Sendable {
    /// Priority of SCHED_FIFO, which threads that it starts do not inherit; 0: none. If it is not allowed, the thread
    /// runs as an ordinary one.
    package var realTimePriority: Int32
    /// Whether its timers have the finest resolution, at the price of more wake-ups of the processor.
    package var hasFinestTimers: Bool
    /// Signals that it blocks, in addition to those that its creator blocks.
    package var blockedSignals: SignalSet
    /// Stack size in bytes; nil: the system's default.
    package var stackSize: Int?

    /// Makes options; by default those of an ordinary thread.
    package init(
      realTimePriority: Int32 = 0, hasFinestTimers: Bool = false, blockedSignals: SignalSet = .none,
      stackSize: Int? = nil
    ) {
      self.realTimePriority = realTimePriority
      self.hasFinestTimers = hasFinestTimers
      self.blockedSignals = blockedSignals
      self.stackSize = stackSize
    }
  }

  private final class Start {
    let name: String?
    let options: Options
    let body: @Sendable () -> Void

    init(_ name: String?, _ options: Options, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.options = options
      self.body = body
    }

    /// Runs on the new thread.
    func run() {
      // Only threads under a sanitizer do not have one yet.
      vg_take_signal_stack()
      if let name { vg_thread_name(name) }
      if options.hasFinestTimers { vg_thread_finest_timers() }
      if options.realTimePriority > 0 { vg_thread_real_time(options.realTimePriority) }
      body()
    }
  }

  private var thread = pthread_t()
  private var isOurs = true

  /// Starts a thread. `name`: shown by `top -H`, at most 15 bytes; nil: that of the thread that starts it. Throws if
  /// the system cannot create a thread; the caller then does without it.
  package init(
    _ name: String? = nil, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let start = Unmanaged.passRetained(Start(name, options, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize = options.stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // Blocks the signals here while the thread is created: it inherits them from its first moment on.
    let number = options.blockedSignals.whileBlocked {
      pthread_create(
        &thread, &attributes,
        { start in
          Unmanaged<Start>.fromOpaque(start!).takeRetainedValue().run()
          return nil
        }, start.toOpaque())
    }
    guard number == 0 else {
      start.release()
      isOurs = false
      throw Errno(number)
    }
  }

  /// Starts a thread without which there can be no show.
  package static func required(
    _ name: String, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) -> Thread {
    do throws(Errno) {
      return try Thread(name, as: options, body)
    } catch {
      throw .none(for: name, error)
    }
  }

  /// Throws if the process cannot have `count` more threads at a time, so that it ends in order before anything runs:
  /// without a thread, Dispatch waits for ever, and NIO ends the process.
  package static func check(_ count: Int) throws(ThreadError) {
    let possible = Int(vg_possible_threads(Int32(count)))
    if possible < count { throw .tooFew(possible, of: count) }
  }

  deinit { if isOurs { pthread_detach(thread) } }

  /// Waits until the thread ends.
  package func join() {
    guard isOurs else { return }
    isOurs = false
    pthread_join(thread, nil)
  }

  /// Whether the thread has crashed: it never ends, and keeps the locks that it holds.
  package var hasCrashed: Bool { isOurs && vg_has_crashed(thread) != 0 }

  /// Waits until the thread ends, at most so many seconds; does not wait for a crashed one. Returns whether it has
  /// ended.
  package func join(within seconds: Double) -> Bool {
    guard isOurs else { return true }
    if hasCrashed { return false }
    var moment = timespec(nanoseconds: Deadline.after(seconds: seconds).time)
    isOurs = vg_thread_join(thread, &moment) == 0
    return !isOurs
  }
}

/// Why a thread cannot be had. [any]
package enum ThreadError: Error, Equatable, CustomStringConvertible {
  /// The system cannot create the thread of this name.
  case none(for: String, Errno)
  /// The process can have fewer threads at a time than are needed.
  case tooFew(Int, of: Int)

  /// The message for users.
  package var description: String {
    let remedy = "raise the limit of processes (ulimit -u, TasksMax=) or of address space (ulimit -v)"
    return switch self {
    case .none(let name, let reason): "the system gives no thread for \(name): \(reason.text); \(remedy)"
    case .tooFew(let count, let needed):
      "the system gives \(count) more threads, and a show needs \(needed): \(remedy)"
    }
  }
}

/// Runs `body` on a thread that may be cancelled, as libjack cancels its own when a client is closed; a cancellation
/// takes effect only afterwards. A thread that was cancelled in the middle would hold its locks for ever, even that of
/// malloc. [any]
package func withoutCancellation(_ body: () -> Void) {
  var before: Int32 = 0
  pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &before)
  body()
  pthread_setcancelstate(before, nil)
}
