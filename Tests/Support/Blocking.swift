import Dispatch
import Synchronization
public import Testing

/// Runs each test of a suite on a thread of its own, as it blocks: it waits for programs, servers and locks. Swift's own
/// pool has one thread a core; two tests that wait there would stop all others.
public struct Blocking: SuiteTrait, TestTrait, TestScoping {
  fileprivate let places: [Places]

  /// Waits for its places, runs the tests and gives the places back, all on one thread of its own: what has to wait for Swift's
  /// pool stands in its queue behind every test that computes.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await Task(executorPreference: Thread()) {
        for place in places { await place.take() }
        defer { for place in places { place.give() } }
        try await function()
      }.value
    }
  }

  /// Runs what it is given on a thread that nobody else has.
  private final class Thread: TaskExecutor {
    private let queue = DispatchQueue(label: "test that blocks")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

/// How many suites may run at once, first come first served.
private final class Places: Sendable {
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) { state = Mutex((count, [])) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isOurs = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isOurs { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

private let programs = Places(2)
private let servers = Places(1)
private let browsers = Places(1)

extension Trait where Self == Blocking {
  /// Its tests wait for programs that they run. Two such suites run at once: on two cores more gain little, and JACK tests
  /// beside them miss their cycles.
  public static var blocking: Self { Blocking(places: [programs]) }

  /// Its tests wait for threads, clocks, files or sockets of this process, and need little of the machine.
  public static var waiting: Self { Blocking(places: []) }

  /// Its tests wait for a JACK server. As the machine has one turn for JACK (`JackTurn`), they run one after another.
  public static var blockingInJack: Self { Blocking(places: [servers]) }

  /// Its tests look at pages. There is one browser for all: what a test waits for must not begin while it has another's page.
  public static var blockingInBrowser: Self { Blocking(places: [browsers]) }
}
