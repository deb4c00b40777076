import Synchronization
import System
import TestSupport
import Testing

@Suite struct CallbackTests {
  @Test func `the closure set last is called, and none if none is set`() {
    let calls = Locked<[String]>([])
    let callback = Callback<Int>()
    callback(1)
    #expect(callback.current == nil)
    callback.set { number in calls.withLock { $0.append("first \(number)") } }
    callback(2)
    callback.set { number in calls.withLock { $0.append("second \(number)") } }
    callback(3)
    callback.current?(4)
    callback.set(nil)
    callback(5)
    #expect(calls.withLock { $0 } == ["first 2", "second 3", "second 4"])
  }

  @Test func `a callback that is called for the last time is called once`() {
    let count = Locked(0)
    let callback = Callback<Void> { count.withLock { $0 += 1 } }
    callback()
    callback.callOnce()
    callback.callOnce()
    callback()
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `a closure may replace its own callback, and its captures are freed with it`() {
    final class Kept: Sendable {}
    let callback = Callback<Void>()
    weak var kept: Kept?
    do {
      let object = Kept()
      kept = object
      callback.set { [weak callback] in withExtendedLifetime(object) { callback?.set(nil) } }
    }
    #expect(kept != nil)
    callback()
    #expect(kept == nil && callback.current == nil)
  }

  @Test func `a million calls, reads and changes need no more stack than one`() throws {
    let count = Atomic<Int>(0)
    let callback = Callback<Int>()
    let add: @Sendable (Int) -> Void = { number in count.add(number, ordering: .relaxed) }
    try onSmallStack {
      callback.set(add)
      for _ in 0..<1_000_000 { callback(1) }
      for _ in 0..<1_000_000 { callback.set(callback.current == nil ? nil : add) }
      callback.callOnce(1)
    }
    #expect(count.load(ordering: .relaxed) == 1_000_001)
  }
}
