import Glibc
import Realtime
import Synchronization
import TestSupport
import Testing

@Suite(.waiting) struct MPSCQueueTests {
  /// A queue at a fixed address.
  private final class QueueBox: @unchecked Sendable {
    let queue: UnsafeMutablePointer<MPSCQueue>
    init() {
      queue = .allocate(capacity: 1)
      queue.initialize(to: MPSCQueue())
    }
    deinit {
      queue.deinitialize(count: 1)
      queue.deallocate()
    }
    @discardableResult func push(_ order: UInt32) -> Bool { queue.pointee.push(order) }
    var first: UInt32 { queue.pointee.peek() }
    var lost: UInt64 { queue.pointee.lost.now() }
    func takeAll() -> [UInt32] {
      var all: [UInt32] = []
      while true {
        let order = queue.pointee.peek()
        if order == 0 { return all }
        queue.pointee.drop()
        all.append(order)
      }
    }
  }

  @Test func `commands are taken in the order in which they were pushed, lap after lap`() {
    let box = QueueBox()
    #expect(box.first == 0)
    var next: UInt32 = 1
    for round in 1...20 {
      let items = (0..<UInt32(100 * round % 1024)).map { next + $0 }
      for order in items { #expect(box.push(order)) }
      #expect(box.takeAll() == items)
      next += UInt32(items.count)
    }
    #expect(box.lost == 0)
  }

  @Test func `commands without room are counted, and queued ones stay`() {
    let box = QueueBox()
    for order in 1...1024 { #expect(box.push(UInt32(order))) }
    for order in 1...7 { #expect(!box.push(UInt32(order))) }
    #expect(box.lost == 7)
    #expect(box.takeAll() == Array(1...1024))
    #expect(box.push(5))
    #expect(box.takeAll() == [5])
  }

  @Test func `commands that were dropped are never taken`() {
    let box = QueueBox()
    for order in 1...10 { box.push(UInt32(order)) }
    #expect(box.first == 1)
    box.queue.pointee.drop()
    box.queue.pointee.forget()
    box.push(11)
    #expect(box.takeAll() == [11])
    box.queue.pointee.forget()
    #expect(box.takeAll() == [])
  }

  @Test func `with many threads that push at once no command is lost, doubled or out of order`() {
    let box = QueueBox()
    let each: UInt32 = 20_000
    let threads = (0..<4).map { number in
      TestThread {
        for order in 1...each {
          // A thread that pushes into a full queue all the time takes the processor from the one that reads it.
          while !box.push(UInt32(number) << 24 | order) { usleep(100) }
        }
      }
    }
    var last: [UInt32] = [0, 0, 0, 0]
    var count = 0
    let isDone = poll(within: 60) {
      for order in box.takeAll() {
        let number = Int(order >> 24)
        #expect(order & 0xff_ffff == last[number] + 1)
        last[number] = order & 0xff_ffff
        count += 1
      }
      return count == 4 * Int(each)
    }
    #expect(isDone)
    #expect(poll { threads.allSatisfy(\.isDone) })
    #expect(box.takeAll() == [])
  }
}
