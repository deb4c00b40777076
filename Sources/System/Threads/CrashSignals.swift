import CSyscalls
import Glibc

/// What becomes of a process that crashes: lights out, a trace, and the end by the signal that it crashed with. The handler
/// is in `crash.c`. [any]
package enum CrashSignals {
  /// From now on a deadly signal ends the process, be it of another process: SIGABRT is what service managers send to a show
  /// that hangs. The first thing that the main thread does, once. [control]
  package static func watch() {
    vg_take_signal_stack()
    vg_watch_crashes()
  }

  /// What puts the lights out when a thread has crashed. It runs on a thread of its own, which is there before: another may
  /// not be had then. The one that has crashed waits for it a second. Once. [control]
  package static func onCrash(_ darken: @escaping @Sendable () -> Void) throws(ThreadError) {
    _ = try Thread.required("crash") {
      vg_wait_for_crash()
      darken()
      vg_crash_is_dark()
    }
    vg_expect_dark()
  }

  /// Ends the process by a signal that threads hold back, as if the calling one had crashed with it.
  package static func crash(by signal: Int32) -> Never { vg_crash(signal) }
}
