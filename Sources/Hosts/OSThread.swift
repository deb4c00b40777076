import CRealtime
import Glibc

/// A thread of the operating system, with a name and, where allowed, a real-time priority. [one]
package final class OSThread {
  private final class Body {
    let run: @Sendable () -> Void
    let name: String
    init(_ run: @escaping @Sendable () -> Void, name: String) {
      self.run = run
      self.name = name
    }
  }

  private var thread = pthread_t()
  private var isJoined = false

  /// Starts a thread. `priority` is that of SCHED_FIFO, 0 for none; where it is not allowed, an ordinary thread with
  /// the finest timers has to do.
  package init(name: String, priority: Int32, _ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run, name: name)).toOpaque()
    let failed = pthread_create(
      &thread, nil,
      { argument in
        let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
        vg_name_thread(body.name)
        body.run()
        return nil
      }, body)
    guard failed == 0 else {
      // Nothing can be shown without its threads, and a machine that has none left is beyond help from here.
      fatalError("no thread for \(name): \(String(cString: strerror(failed)))")
    }
    if priority > 0 {
      var parameters = sched_param()
      parameters.sched_priority = priority
      pthread_setschedparam(thread, SCHED_FIFO, &parameters)
    }
  }

  /// Waits for its end.
  package func join() {
    guard !isJoined else { return }
    isJoined = true
    pthread_join(thread, nil)
  }

  /// Waits for its end, at most so long; says whether it has ended.
  func join(within seconds: Double) -> Bool {
    guard !isJoined else { return true }
    isJoined = vg_join(thread, seconds) != 0
    return isJoined
  }

  /// Leaves it to itself: nobody waits for its end any more.
  package func leave() {
    guard !isJoined else { return }
    isJoined = true
    pthread_detach(thread)
  }
}
