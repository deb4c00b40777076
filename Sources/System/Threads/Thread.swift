import CSyscalls
import Glibc

/// A thread of the operating system. [one]
///
/// A thread that is let go of before its end has been waited for runs on by itself.
package final class Thread {
  /// How a thread runs.
  package struct Options: Sendable {
    /// That of SCHED_FIFO, 0 for none; threads that it starts have none. Where it is not allowed, an ordinary thread has to do.
    package var realTimePriority: Int32
    /// Whether its timers are kept to the microsecond, at the price of more wakes of the processor.
    package var hasFinestTimers: Bool
    /// What it holds back, beside what the thread that starts it does.
    package var blockedSignals: SignalSet
    /// In bytes; nil: as the system has it.
    package var stackSize: Int?

    /// An ordinary thread unless something else is said.
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

    /// On the new thread.
    func run() {
      // It has one already, but for threads that a sanitizer makes.
      vg_take_signal_stack()
      if let name { vg_thread_name(name) }
      if options.hasFinestTimers { vg_thread_finest_timers() }
      if options.realTimePriority > 0 { vg_thread_real_time(options.realTimePriority) }
      body()
    }
  }

  private var thread = pthread_t()
  private var isOurs = true

  /// Starts a thread. `name` is what `top -H` shows, 15 bytes of it; nil: that of the thread that starts it. Throws where
  /// the system has none left: who starts it knows what to do without.
  package init(
    _ name: String? = nil, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let start = Unmanaged.passRetained(Start(name, options, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize = options.stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // From its first moment on: it takes them over from this thread.
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

  /// Starts a thread without which there is no show.
  package static func required(
    _ name: String, as options: Options = Options(), _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) -> Thread {
    do throws(Errno) {
      return try Thread(name, as: options, body)
    } catch {
      throw .none(for: name, error)
    }
  }

  /// Throws where the system does not give the process `count` threads more at a time, so that it can end in order before
  /// anything runs: Dispatch waits without an end for a thread that it cannot have, and NIO ends the process.
  package static func check(_ count: Int) throws(ThreadError) {
    let possible = Int(vg_possible_threads(Int32(count)))
    if possible < count { throw .tooFew(possible, of: count) }
  }

  deinit { if isOurs { pthread_detach(thread) } }

  /// Waits for its end.
  package func join() {
    guard isOurs else { return }
    isOurs = false
    pthread_join(thread, nil)
  }

  /// Whether it has crashed: it never ends, and holds what it has locked.
  package var hasCrashed: Bool { isOurs && vg_has_crashed(thread) != 0 }

  /// Waits for its end, at most so long, and not for one that has crashed; says whether it has ended.
  package func join(within seconds: Double) -> Bool {
    guard isOurs else { return true }
    if hasCrashed { return false }
    var moment = timespec(nanoseconds: Deadline.after(seconds: seconds).time)
    isOurs = vg_thread_join(thread, &moment) == 0
    return !isOurs
  }
}

/// Why there is no thread. [any]
package enum ThreadError: Error, Equatable, CustomStringConvertible {
  /// The system gives none for what has this name.
  case none(for: String, Errno)
  /// It gives fewer at a time than are needed.
  case tooFew(Int, of: Int)

  /// The sentence for people.
  package var description: String {
    let remedy = "raise the limit of processes (ulimit -u, TasksMax=) or of address space (ulimit -v)"
    return switch self {
    case .none(let name, let reason): "the system gives no thread for \(name): \(reason.text); \(remedy)"
    case .tooFew(let count, let needed):
      "the system gives \(count) more threads, and a show needs \(needed): \(remedy)"
    }
  }
}

/// Runs `body` on a thread that others may cancel, as libjack does with its own when a client is closed: the thread ends
/// only after it. One that is ended in the middle holds for ever what it has locked just then, be it in malloc. [any]
package func withoutCancellation(_ body: () -> Void) {
  var before: Int32 = 0
  pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &before)
  body()
  pthread_setcancelstate(before, nil)
}
