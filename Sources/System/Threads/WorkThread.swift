import Synchronization

/// Runs closures one after another on a thread of its own (a serial queue), so that their senders do not wait. [any]
///
/// `init` creates the thread, so `perform` never waits. Dispatch would block its caller if the system could not create
/// a thread.
package final class WorkThread: Sendable {
  private final class Queue: @unchecked Sendable {
    private let lock = Lock()
    private var work: [@Sendable () -> Void] = []

    func append(_ body: @escaping @Sendable () -> Void) { lock.withLock { work.append(body) } }

    func takeAll() -> [@Sendable () -> Void] {
      lock.withLock {
        defer { work = [] }
        return work
      }
    }
  }

  private let queue = Queue()
  private let semaphore = Semaphore()
  private let isOver = Atomic<Bool>(false)

  /// Starts the thread, which runs until `end`.
  package init(_ name: String) throws(ThreadError) {
    _ = try Thread.required(name) { [self] in
      while !isOver.load(ordering: .acquiring) {
        // `Semaphore` has no wait without a timeout; its length does not matter.
        _ = semaphore.wait(seconds: 3600)
        for body in queue.takeAll() { body() }
      }
      for body in queue.takeAll() { body() }
    }
  }

  /// Queues `body` and returns at once. After `end`, `body` may never run.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    queue.append(body)
    semaphore.post()
  }

  /// Ends the thread when all closures that are queued have run. Returns at once.
  package func end() {
    isOver.store(true, ordering: .releasing)
    semaphore.post()
  }
}
