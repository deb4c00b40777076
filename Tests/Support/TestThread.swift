import Foundation
import Synchronization
import System

/// A thread for what would block a test.
public final class TestThread: Sendable {
  private let done = Atomic(false)

  /// Starts it.
  public init(_ body: @escaping @Sendable () -> Void) {
    Foundation.Thread.detachNewThread { [self] in
      body()
      done.store(true, ordering: .releasing)
    }
  }

  /// Whether its work is done.
  public var isDone: Bool { done.load(ordering: .acquiring) }
}

/// Runs `body` on a thread whose stack has 256 kB, and waits for its end. What grows a little with each of a million calls
/// does not fit.
public func onSmallStack(_ body: @escaping @Sendable () -> Void) throws {
  try System.Thread(as: System.Thread.Options(stackSize: 256 << 10), body).join()
}
