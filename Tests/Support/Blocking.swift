import Dispatch
import Synchronization
public import Testing

/// Runs each test of a suite on a thread of its own, as it blocks: it waits for programs, servers and locks. Swift's own
/// pool has one thread a core; two tests that wait there would stop all others.
public struct Blocking: SuiteTrait, TestTrait, TestScoping {
  fileprivate let places: [Places]

  /// Waits for its places without holding a thread, then runs the tests on one.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for place in places { await place.take() }
    defer { for place in places { place.give() } }
    try await withTaskExecutorPreference(Thread(), operation: function)
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
  /// Its tests wait for programs that they run. Two such suites run at once: on two cores more gain nothing, and JACK tests
  /// beside them miss their cycles.
  public static var blocking: Self { Blocking(places: [programs]) }

  /// Its tests wait for a JACK server. As the machine has one turn for JACK (`JackTurn`), they run one after another.
  public static var blockingInJack: Self { Blocking(places: [servers]) }

  /// Its tests look at pages. There is one browser for all: what a test waits for must not begin while it has another's page.
  public static var blockingInBrowser: Self { Blocking(places: [browsers, programs]) }
}
