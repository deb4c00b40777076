import Dispatch
import Synchronization
public import Testing

/// Runs each test of a suite on a thread of its own, because the tests block: they wait for programs, servers and
/// locks. Swift's pool has one thread for each core, so two tests that blocked there would stop all others.
public struct Blocking: SuiteTrait, TestTrait, TestScoping {
  fileprivate let places: [Places]

  /// Waits until fewer suites of this kind run than may run at once, runs the tests, and lets the next suite begin, all
  /// on one thread of its own. In Swift's pool these steps would queue behind every test that computes.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      let task = Task(executorPreference: Thread()) {
        for place in places { await place.take() }
        defer { for place in places { place.give() } }
        try await function()
      }
      // A task of its own is not canceled with the one that waits for it, such as by a time limit.
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Runs the jobs of one suite on a thread that runs nothing else.
  private final class Thread: TaskExecutor {
    private let queue = DispatchQueue(label: "test that blocks")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

/// A counting semaphore for suites: limits how many run at once, and serves them in the order in which they came.
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

private let programs = Places(4)
private let servers = Places(1)
private let browsers = Places(1)

extension Trait where Self == Blocking {
  /// For tests that wait for programs that they start. Four such suites run at once: with two, two cores are idle for
  /// half of the time; more gain nothing, because the tests of JACK and of the browser take as long.
  public static var blocking: Self { Blocking(places: [programs]) }

  /// For tests that wait for threads, clocks, files or sockets of this process, and use little CPU.
  public static var waiting: Self { Blocking(places: []) }

  /// For tests that wait for a JACK server. The machine has one turn for JACK (`JackTurn`), so these tests run one
  /// after another.
  public static var blockingInJack: Self { Blocking(places: [servers]) }

  /// For tests that run pages in the browser, which all tests share: these suites run one after another, so that no
  /// timeout runs while the browser shows the page of another test.
  public static var blockingInBrowser: Self { Blocking(places: [browsers]) }
}
