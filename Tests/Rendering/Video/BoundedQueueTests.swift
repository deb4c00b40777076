import Synchronization
import System
import TestSupport
import Testing

@testable import Rendering

/// The queue between the thread that draws and the one that writes.
@Suite(.waiting) struct BoundedQueueTests {
  @Test func `everything arrives, in order, and never more waits than the limit`() throws {
    let queue = BoundedQueue<Int>(room: 3)
    let taken = Locked<[Int]>([])
    let thread = try Thread { while let number = queue.take() { taken.withLock { $0.append(number) } } }
    for number in 0..<10_000 { queue.add(number) }
    queue.close()
    thread.join()
    #expect(taken.withLock { $0 } == Array(0..<10_000))
  }

  @Test func `a writer that waits for room goes on when the reader ends`() throws {
    let queue = BoundedQueue<Int>(room: 1)
    let isDone = Atomic<Bool>(false)
    queue.add(1)
    let thread = try Thread {
      queue.add(2)
      isDone.store(true, ordering: .releasing)
    }
    #expect(stays(for: 0.05) { !isDone.load(ordering: .acquiring) })
    queue.abandon()
    thread.join()
    let isLetGo = isDone.load(ordering: .acquiring)
    #expect(isLetGo)
    queue.add(3)
    #expect(queue.take() == nil)
  }
}
