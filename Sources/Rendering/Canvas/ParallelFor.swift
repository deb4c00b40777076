#if canImport(Glibc)
  import Glibc
  import Synchronization
  import System
#endif

/// A loop whose iterations run on several threads (fork and join).
enum ParallelFor {
  #if canImport(Glibc)
    /// The number of iterations that threads have taken.
    private final class Counter: Sendable {
      let next = Atomic<Int>(0)
    }

    /// The number of processors online.
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Runs `body` once for each iteration of `rounds`, on up to `threads` threads; a thread that is free takes the
    /// next iteration. Returns when all are done. If the system refuses a thread, fewer threads run.
    static func run(
      _ threads: Int, rounds: Range<Int>, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
    ) {
      let counter = Counter()
      let work: @Sendable (Int) -> Void = { thread in
        while true {
          let index = counter.next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < rounds.count else { return }
          body(thread, rounds.lowerBound + index)
        }
      }
      var helpers: [Thread] = []
      for index in 1..<max(1, min(threads, rounds.count)) {
        // Other threads wait for signals, so these must not receive them.
        let options = Thread.Options(blockedSignals: .allButFaults)
        guard let thread = try? Thread(as: options, { work(index) }) else { break }
        helpers.append(thread)
      }
      work(0)
      for thread in helpers { thread.join() }
    }
  #else
    /// A module in a page has one thread; a page runs several modules.
    static var processors: Int { 1 }

    /// Runs `body` once for each iteration.
    static func run(_ threads: Int, rounds: Range<Int>, _ body: (_ thread: Int, _ round: Int) -> Void) {
      for round in rounds { body(0, round) }
    }
  #endif
}
