import Realtime
import Synchronization
import TestSupport
import Testing

@Suite(.waiting) struct MPSCQueueTests {
  /// A queue at a fixed address.
  private final class Held: @unchecked Sendable {
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

  @Test func `orders come out as they went in, lap after lap`() {
    let held = Held()
    #expect(held.first == 0)
    var next: UInt32 = 1
    for round in 1...20 {
      let items = (0..<UInt32(100 * round % 1024)).map { next + $0 }
      for order in items { #expect(held.push(order)) }
      #expect(held.takeAll() == items)
      next += UInt32(items.count)
    }
    #expect(held.lost == 0)
  }

  @Test func `what finds no place is counted, and what is there stays`() {
    let held = Held()
    for order in 1...1024 { #expect(held.push(UInt32(order))) }
    for order in 1...7 { #expect(!held.push(UInt32(order))) }
    #expect(held.lost == 7)
    #expect(held.takeAll() == Array(1...1024))
    #expect(held.push(5))
    #expect(held.takeAll() == [5])
  }

  @Test func `what was forgotten never comes out`() {
    let held = Held()
    for order in 1...10 { held.push(UInt32(order)) }
    #expect(held.first == 1)
    held.queue.pointee.drop()
    held.queue.pointee.forget()
    held.push(11)
    #expect(held.takeAll() == [11])
    held.queue.pointee.forget()
    #expect(held.takeAll() == [])
  }

  @Test func `many threads give at once and nothing is lost, doubled or out of order`() {
    let held = Held()
    let each: UInt32 = 20_000
    let threads = (0..<4).map { number in
      TestThread {
        for order in 1...each {
          while !held.push(UInt32(number) << 24 | order) {}
        }
      }
    }
    var last: [UInt32] = [0, 0, 0, 0]
    var count = 0
    let isDone = poll(within: 60) {
      for order in held.takeAll() {
        let number = Int(order >> 24)
        #expect(order & 0xff_ffff == last[number] + 1)
        last[number] = order & 0xff_ffff
        count += 1
      }
      return count == 4 * Int(each)
    }
    #expect(isDone)
    #expect(poll { threads.allSatisfy(\.isDone) })
    #expect(held.takeAll() == [])
  }
}
