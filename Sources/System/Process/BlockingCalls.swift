/// Calls that may block for ever, as one does that touches a disk which no longer answers: each runs on a thread of its own,
/// so many at most, and the caller waits as long as it wants to. [any]
package final class BlockingCalls: Sendable {
  private let name: String
  private let most: Int
  private let running = Locked(0)

  /// Calls on threads of a name, of which `most` may run at one time, those among them that never return.
  package init(_ name: String, most: Int) {
    self.name = name
    self.most = most
  }

  /// Starts a call; nil where as many run as may, or the system has no thread left.
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

  /// Waits for what it gives, at most to the deadline; nil where it is late, or was given up.
  package func wait(until deadline: Deadline) -> Value? {
    isOver.wait(until: deadline)
    return value.withLock { $0 }
  }

  /// Ends the waiting; the call itself cannot be ended.
  package func giveUp() { isOver.set() }
}
