import CSyscalls
import Glibc

/// A thread of the operating system. [one]
///
/// If the object is freed before `join`, the thread is detached and runs on.
package final class Thread {
  /// Scheduling, signals and stack of a thread.
  package struct Options: Sendable {
    /// Priority of SCHED_FIFO, which threads that it starts do not inherit; 0: none. If the system does not allow it,
    /// the thread runs without.
    package var realTimePriority: Int32
    /// Whether its timers have the finest resolution, at the price of more wake-ups of the processor.
    package var hasFinestTimers: Bool
    /// Signals that the thread blocks, in addition to those that its creator blocks.
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
      // Has an effect only under a sanitizer: other threads already have one.
      vg_take_signal_stack()
      if let name { vg_thread_name(name) }
      if options.hasFinestTimers { vg_thread_finest_timers() }
      if options.realTimePriority > 0 { vg_thread_real_time(options.realTimePriority) }
      body()
    }
  }

  private var thread = pthread_t()
  /// Whether the thread exists and has not been joined.
  private var isJoinable = true

  /// Starts a thread. `name`: the name that `top -H` shows, at most 15 bytes; nil: the name of the calling thread.
  /// Throws if the system cannot create a thread.
  package init(
    _ name: String? = nil, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let start = Unmanaged.passRetained(Start(name, options, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize = options.stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // Blocks the signals in this thread while it creates the new one, which inherits them from its first moment on.
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
      isJoinable = false
      throw Errno(number)
    }
  }

  /// Starts a thread that a show cannot do without.
  package static func required(
    _ name: String, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) -> Thread {
    do throws(Errno) {
      return try Thread(name, as: options, body)
    } catch {
      throw .none(for: name, error)
    }
  }

  /// Throws if the process cannot have `count` more threads at a time. Called before anything runs, so that the program
  /// ends with a message: without a thread, Dispatch would wait for ever, and NIO would end the process.
  package static func check(_ count: Int) throws(ThreadError) {
    let possible = Int(vg_possible_threads(Int32(count)))
    if possible < count { throw .tooFew(possible, of: count) }
  }

  deinit { if isJoinable { pthread_detach(thread) } }

  /// Waits until the thread ends.
  package func join() {
    guard isJoinable else { return }
    isJoinable = false
    pthread_join(thread, nil)
  }

  /// Whether the thread has crashed. A crashed thread never ends, and keeps its locks.
  package var hasCrashed: Bool { isJoinable && vg_has_crashed(thread) != 0 }

  /// Waits until the thread ends, at most `seconds`; does not wait for a crashed one. Returns whether it has ended.
  package func join(within seconds: Double) -> Bool {
    guard isJoinable else { return true }
    if hasCrashed { return false }
    var moment = timespec(nanoseconds: Deadline.after(seconds: seconds).time)
    isJoinable = vg_thread_join(thread, &moment) == 0
    return !isJoinable
  }
}

/// Why a thread cannot be created. [any]
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

/// Runs `body` with cancellation of the calling thread disabled; a cancellation takes effect only afterwards. libjack
/// cancels its threads when a client is closed. A thread that was cancelled within `body` would never release its
/// locks, even that of malloc. [any]
package func withoutCancellation(_ body: () -> Void) {
  var before: Int32 = 0
  pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &before)
  body()
  pthread_setcancelstate(before, nil)
}
