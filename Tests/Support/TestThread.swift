import Foundation
import Synchronization
import System

/// A thread for calls that would block a test.
public final class TestThread: Sendable {
  private let done = Atomic(false)

  /// Starts the thread.
  public init(_ body: @escaping @Sendable () -> Void) {
    Foundation.Thread.detachNewThread { [self] in
      body()
      done.store(true, ordering: .releasing)
    }
  }

  /// Whether `body` has returned.
  public var isDone: Bool { done.load(ordering: .acquiring) }
}

/// Runs `body` on a thread with a stack of 256 kB, and waits for its end. Code whose stack grows with each of a million
/// calls overflows it.
public func onSmallStack(_ body: @escaping @Sendable () -> Void) throws {
  try System.Thread(as: System.Thread.Options(stackSize: 256 << 10), body).join()
}
