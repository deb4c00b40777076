import Dispatch
import Glibc
import Synchronization
import System

/// Sees to it that a show that was asked to end does so within a second, lights out, whatever holds the control thread:
/// a sound server or a disk that hangs, a reader that does not read, a thousand settings in a queue.
final class StopWatchdog: Sendable {
  /// What is done in the place of the control thread; each on a thread of its own, with a limit.
  struct Steps: Sendable {
    /// Puts the lights out; does nothing when they are. After a crash another thread may never go on.
    var darken: @Sendable (_ isCrash: Bool) -> Void
    /// Writes what can still be written; says as soon as it knows which exit code there is to be besides 0.
    var finish: @Sendable (_ code: @escaping @Sendable (Int32) -> Void) -> Void
  }

  /// Of the thread that takes signals and of the one that puts the lights out: below the frame thread, which ends first, and
  /// above all that a busy machine has besides.
  static let realTimePriority: Int32 = 4
  /// When writing begins that the control thread has not begun, in seconds after the request.
  private static let writing = 0.5
  /// When the process ends.
  private static let limit = 0.75

  private struct State {
    var isAsked = false
    var opening: (@Sendable () -> Void)?
    var steps: Steps?
  }
  private let state = Locked(State())

  /// What ends the opening of a sound server early; nil: nothing does.
  func setOpening(_ action: (@Sendable () -> Void)?) { state.withLock { $0.opening = action } }

  /// Says that lights may be lit from now on, and how they go out. False when an end was asked for before: then none may
  /// be lit any more.
  func arm(_ steps: Steps) -> Bool {
    state.withLock { state in
      if !state.isAsked { state.steps = steps }
      return !state.isAsked
    }
  }

  /// Whether an end was asked for, which now has to come in time.
  var isAsked: Bool { state.withLock { $0.isAsked } }

  /// Puts the lights out, as far as that goes within so long. [any]
  func darken(within seconds: Double) {
    guard let steps = state.withLock({ $0.steps }) else { return }
    _ = Self.run(within: seconds) { steps.darken(false) }
  }

  /// The same on the calling thread, while the one that has crashed waits. What the show needs for that may be locked for
  /// ever: it may not return.
  func darkenAfterCrash() { state.withLock { $0.steps }?.darken(true) }

  /// The request to end: puts the lights out at once, gives the control thread its time, then ends the process. Does not
  /// return.
  func watch() {
    let start = DispatchTime.now()
    // What follows needs threads. Where none can be made, as a lock of the dynamic linker is never given back, the kernel
    // ends the process.
    signal(SIGALRM, SIG_DFL)
    SignalSet([SIGALRM]).unblock()
    alarm(10)
    let (steps, opening) = state.withLock { state in
      state.isAsked = true
      return (state.steps, state.opening)
    }
    if let opening { DispatchQueue.global().async(execute: opening) }
    // Whatever holds the control thread, such as a sound server that hangs, lamps do not wait for it.
    if let steps { Self.darken(by: steps, within: Self.writing) }
    var code: Int32 = 0
    if let steps {
      Self.sleep(until: start + Self.writing)
      // What hangs may hold it for longer; what was lost by then counts.
      let result = Reported()
      _ = Self.run(within: 0.2) { steps.finish { result.code.store($0, ordering: .relaxed) } }
      code = result.code.load(ordering: .relaxed)
    }
    Self.sleep(until: start + Self.limit)
    TerminalSignals.guarded?.pointee.hide()
    _exit(code)
  }

  private final class Reported: Sendable {
    let code = Atomic<Int32>(0)
  }

  /// Puts the lights out on a thread that no other work of the machine holds up, where that is allowed; returns when they are,
  /// or after so long.
  private static func darken(by steps: Steps, within seconds: Double) {
    let done = DispatchSemaphore(value: 0)
    let thread = try? Thread("dark", as: Thread.Options(realTimePriority: realTimePriority)) {
      steps.darken(false)
      done.signal()
    }
    guard thread != nil else {
      _ = run(within: seconds) { steps.darken(false) }
      return
    }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// Runs `body` on another thread; false when it takes longer.
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
