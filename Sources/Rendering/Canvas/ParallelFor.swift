#if canImport(Glibc)
  import Glibc
  import Synchronization
  import System
#endif

/// A loop whose iterations run on several threads (fork and join).
enum ParallelFor {
  #if canImport(Glibc)
    /// The next round that no thread runs.
    private final class Counter: Sendable {
      let next = Atomic<Int>(0)
    }

    /// The number of processors online.
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Runs `body` once for each iteration, on up to `threads` threads of which each takes the next one when free.
    /// Returns when all iterations are done. Where the system refuses a thread, fewer run.
    static func run(
      _ threads: Int, rounds: Range<Int>, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
    ) {
      let counter = Counter()
      let work: @Sendable (Int) -> Void = { thread in
        while true {
          let number = counter.next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard number < rounds.count else { return }
          body(thread, rounds.lowerBound + number)
        }
      }
      var others: [Thread] = []
      for number in 1..<max(1, min(threads, rounds.count)) {
        // Other threads wait for signals, so these must not receive them.
        let options = Thread.Options(blockedSignals: .allButFaults)
        guard let thread = try? Thread(as: options, { work(number) }) else { break }
        others.append(thread)
      }
      work(0)
      for thread in others { thread.join() }
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
