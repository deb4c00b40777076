/// Runs calls that may block for ever, such as accesses to a hanging disk. Each call runs on its own thread, at most
/// `most` at a time, and its caller waits with a timeout. [any]
package final class BlockingCalls: Sendable {
  private let name: String
  private let most: Int
  private let running = Locked(0)

  /// Makes a runner whose threads have this name. Calls that never return count as running.
  package init(_ name: String, most: Int) {
    self.name = name
    self.most = most
  }

  /// Starts a call. Returns nil if `most` calls are running, or if the system cannot create a thread.
  package func start<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> BlockingCall<Value>? {
    let mayRun = running.withLock { running in
      guard running < most else { return false }
      running += 1
      return true
    }
    guard mayRun else { return nil }
    let call = BlockingCall<Value>()
    do throws(Errno) {
      _ = try Thread(name, as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
        call.end(with: body())
        running.withLock { $0 -= 1 }
      }
    } catch {
      running.withLock { $0 -= 1 }
      return nil
    }
    return call
  }
}

/// A call that runs on a thread of its own. [any]
package final class BlockingCall<Value: Sendable>: Sendable {
  private let isOver = Latch(resets: .never)
  private let value = Locked<Value?>(nil)

  fileprivate init() {}

  fileprivate func end(with value: Value) {
    self.value.withLock { $0 = value }
    isOver.set()
  }

  /// Waits for the result. Returns nil at the deadline or after `giveUp`.
  package func wait(until deadline: Deadline) -> Value? {
    isOver.wait(until: deadline)
    return value.withLock { $0 }
  }

  /// Ends the wait. The call itself goes on.
  package func giveUp() { isOver.set() }
}
