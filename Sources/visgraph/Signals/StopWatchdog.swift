import Dispatch
import Glibc
import Synchronization
import System

/// Ends a show within 1 s after the request, lights out, even if the control thread is blocked by a sound server, a
/// disk, a pipe or a long queue. Where the lights are late, it ends within 4 s.
final class StopWatchdog: Sendable {
  /// The steps that replace the control thread's; each runs on a thread of its own, with a timeout.
  struct Steps: Sendable {
    /// Turns the lights off, unless they are off. After a crash other threads may be stopped for ever.
    var darken: @Sendable (_ isCrash: Bool) -> Void
    /// Writes what can still be written; calls `code` as soon as an exit code other than 0 is known.
    var finish: @Sendable (_ code: @escaping @Sendable (Int32) -> Void) -> Void
    /// Whether a file has lost data, or would lose them if the process ended now.
    var losesData: @Sendable () -> Bool
  }

  /// The SCHED_FIFO priority of two threads: one takes signals, the other turns the lights off. It is below that of the
  /// frame thread, which ends first, and above all threads of normal priority.
  static let realTimePriority: Int32 = 4
  /// The time after which `finish` runs, in s after the request.
  private static let writing = 0.5
  /// The time after which the process ends, in s after the request.
  private static let limit = 0.75
  /// How long `writing` and `limit` wait for lights that are late, in s after the request. A machine that is overloaded,
  /// or a virtual one that stood still, may not run the frame thread in time. Together with `limit` it is less than the
  /// `TimeoutStopSec` of the service units.
  private static let lightLimit = 3.0

  private struct State {
    var isAsked = false
    var opening: (@Sendable () -> Void)?
    var steps: Steps?
  }
  private let state = Locked(State())

  /// Sets the action that aborts the opening of a sound server; nil: none is being opened.
  func setOpening(_ action: (@Sendable () -> Void)?) { state.withLock { $0.opening = action } }

  /// Allows lights to be lit, and sets the steps that end the show. False if the end was asked for before: then no
  /// light may be lit.
  func arm(_ steps: Steps) -> Bool {
    state.withLock { state in
      if !state.isAsked { state.steps = steps }
      return !state.isAsked
    }
  }

  /// Whether the end was asked for and the time limit runs.
  var isAsked: Bool { state.withLock { $0.isAsked } }

  /// Turns the lights off; waits at most `seconds`. [any]
  func darken(within seconds: Double) {
    guard let steps = state.withLock({ $0.steps }) else { return }
    _ = Self.run(within: seconds) { steps.darken(false) }
  }

  /// Turns the lights off on the calling thread, while the thread that crashed waits. May never return, because that
  /// thread may hold a lock.
  func darkenAfterCrash() { state.withLock { $0.steps }?.darken(true) }

  /// Handles the request to end: turns the lights off at once, waits for the control thread, then ends the process.
  /// Does not return.
  func watch() {
    let start = DispatchTime.now()
    // The next steps start threads. If that blocks for ever, on the dynamic linker's lock, SIGALRM ends the process
    // after 10 s.
    signal(SIGALRM, SIG_DFL)
    SignalSet([SIGALRM]).unblock()
    alarm(10)
    let (steps, opening) = state.withLock { state in
      state.isAsked = true
      return (state.steps, state.opening)
    }
    if let opening { DispatchQueue.global().async(execute: opening) }
    let code = steps.map { Self.end($0, from: start) } ?? 0
    Self.sleep(until: start + Self.limit)
    TerminalSignals.guarded?.pointee.hide()
    _exit(code)
  }

  /// Turns the lights off, then ends as `finish` does. Where the lights are late, the times of `finish` begin once they
  /// are off: only then are the last frames written, and the control thread can go on.
  static func end(_ steps: Steps, from start: DispatchTime) -> Int32 {
    // Lights go off at once, whatever blocks the control thread.
    let dark = darken(by: steps)
    if dark.wait(timeout: start + writing) == .success { return finish(steps, from: start) }
    _ = dark.wait(timeout: start + lightLimit)
    return finish(steps, from: .now())
  }

  /// Runs `finish` at its time after `start`, and returns the exit code at the end of the time limit.
  static func finish(_ steps: Steps, from start: DispatchTime) -> Int32 {
    Self.sleep(until: start + writing)
    let result = Reported()
    _ = Self.run(within: 0.2) { steps.finish { result.code.store($0, ordering: .relaxed) } }
    Self.sleep(until: start + limit)
    // The code is read last. On a busy machine `finish` may hang, or not have begun: then the files decide.
    if result.code.load(ordering: .relaxed) == 0 {
      _ = Self.run(within: 0.1) { if steps.losesData() { result.code.store(1, ordering: .relaxed) } }
    }
    return result.code.load(ordering: .relaxed)
  }

  private final class Reported: Sendable {
    let code = Atomic<Int32>(0)
  }

  /// Begins to turn the lights off, on a thread of real-time priority if the system allows one. Returns a semaphore that
  /// is posted once they are off.
  private static func darken(by steps: Steps) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let darken: @Sendable () -> Void = {
      steps.darken(false)
      done.signal()
    }
    if (try? Thread("dark", as: Thread.Options(realTimePriority: realTimePriority), darken)) == nil {
      DispatchQueue.global(qos: .userInteractive).async(execute: darken)
    }
    return done
  }

  /// Runs `body` on another thread; false: it takes longer than `seconds`.
  private static func run(within seconds: Double, _ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInteractive).async {
      body()
      done.signal()
    }
    return done.wait(timeout: .now() + seconds) == .success
  }

  private static func sleep(until time: DispatchTime) {
    _ = DispatchSemaphore(value: 0).wait(timeout: time)
  }
}
