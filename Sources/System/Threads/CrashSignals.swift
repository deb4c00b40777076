import CSyscalls
import Glibc

/// Handles crashes: the lights are put out, a backtrace is printed, and the process ends by the signal of the crash.
/// The handler is in `crash.c`. [any]
package enum CrashSignals {
  /// Installs the handlers: from now on a deadly signal ends the process, also one from another process; service
  /// managers send SIGABRT to a show that hangs. To be called once, as the first thing of the main thread. [control]
  package static func watch() {
    vg_take_signal_stack()
    vg_watch_crashes()
  }

  /// Sets what puts the lights out after a crash. It runs on a thread that is created here, because it may be
  /// impossible to create one then. The crashed thread waits for it for 1 s. To be called once. [control]
  package static func onCrash(_ darken: @escaping @Sendable () -> Void) throws(ThreadError) {
    _ = try Thread.required("crash") {
      vg_wait_for_crash()
      darken()
      vg_crash_is_dark()
    }
    vg_expect_dark()
  }

  /// Ends the process by a signal that threads block, as if the calling thread had crashed with it.
  package static func crash(by signal: Int32) -> Never { vg_crash(signal) }
}
