import Synchronization

/// A thread that does in order what others must not wait for. [any]
///
/// There from the start on: Dispatch has its caller wait where the system gives it no thread.
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
  private let bell = Semaphore()
  private let isOver = Atomic<Bool>(false)

  /// Starts it. It goes on until `end`.
  package init(_ name: String) throws(ThreadError) {
    _ = try Thread.required(name) { [self] in
      while !isOver.load(ordering: .acquiring) {
        _ = bell.wait(seconds: 3600)
        for body in queue.takeAll() { body() }
      }
      for body in queue.takeAll() { body() }
    }
  }

  /// Has it do something; returns at once.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    queue.append(body)
    bell.post()
  }

  /// Ends it once everything is done, without waiting for that.
  package func end() {
    isOver.store(true, ordering: .releasing)
    bell.post()
  }
}
