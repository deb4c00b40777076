import Synchronization
import System
import TestSupport
import Testing

@Suite(.waiting) struct WorkThreadTests {
  @Test func `work is done in order, also work that waits at the end, and no caller waits for it`() throws {
    let done = Locked<[Int]>([])
    let gate = Latch(resets: .never)
    let thread = try WorkThread("work")
    thread.perform { gate.wait() }
    for number in 0..<1000 { thread.perform { done.withLock { $0.append(number) } } }
    thread.end()
    #expect(done.withLock { $0.isEmpty })
    gate.set()
    #expect(poll { done.withLock { $0.count } == 1000 })
    #expect(done.withLock { $0 } == Array(0..<1000))
  }
}
