import CSyscalls
import Glibc

/// Handles crashes: puts the lights out, prints a backtrace, and ends the process by the signal of the crash. The
/// signal handler is in `crash.c`. [any]
package enum CrashSignals {
  /// Installs the handlers of deadly signals. They act for signals of other processes, too: a service manager sends
  /// SIGABRT to a show that hangs. To be called once, by the main thread, before anything else. [control]
  package static func watch() {
    vg_take_signal_stack()
    vg_watch_crashes()
  }

  /// Sets the closure that puts the lights out after a crash. It runs on a thread that is created here, because a
  /// crashing process may not be able to create one. The crashed thread waits at most 1 s for the closure. To be called
  /// once. [control]
  package static func onCrash(_ darken: @escaping @Sendable () -> Void) throws(ThreadError) {
    _ = try Thread.required("crash") {
      vg_wait_for_crash()
      darken()
      vg_crash_is_dark()
    }
    vg_expect_dark()
  }

  /// Ends the process by a signal, as if the calling thread had crashed with it. Threads may block that signal.
  package static func crash(by signal: Int32) -> Never { vg_crash(signal) }
}
