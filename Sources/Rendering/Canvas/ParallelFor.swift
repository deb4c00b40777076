import Glibc
import System

/// A loop whose rounds run on several threads at once (fork and join).
enum ParallelFor {
  /// The processors there are.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs `body` `count` times at once, with numbers from 0, and returns when all have ended. Where the system gives no
  /// more threads, fewer run: the body shares its work out itself.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [Thread] = []
    for number in 1..<max(1, count) {
      // Signals are for the threads that wait for them.
      let options = Thread.Options(blockedSignals: .allButFaults)
      guard let thread = try? Thread(as: options, { body(number) }) else { break }
      threads.append(thread)
    }
    body(0)
    for thread in threads { thread.join() }
  }
}
