import Glibc

/// Threads that do one task together.
enum Crew {
  private final class Task {
    let number: Int
    let body: @Sendable (Int) -> Void

    init(_ number: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.number = number
      self.body = body
    }
  }

  /// The processors there are.
  static var size: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs `body` `count` times at once, with numbers from 0, and returns when all have ended. Where the system gives no
  /// more threads, fewer run: the body shares its work out itself.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    if count > 1 {
      // Signals are for the threads that wait for them.
      var all = sigset_t()
      var before = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, &before)
      for number in 1..<count {
        var thread = pthread_t()
        let task = Unmanaged.passRetained(Task(number, body))
        let failure = pthread_create(
          &thread, nil,
          {
            let task = Unmanaged<Task>.fromOpaque($0!).takeRetainedValue()
            task.body(task.number)
            return nil
          }, task.toOpaque())
        guard failure == 0 else {
          task.release()
          break
        }
        threads.append(thread)
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    body(0)
    for thread in threads { pthread_join(thread, nil) }
  }
}
