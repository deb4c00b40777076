import CGuard
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

/// Whether threads of this build can be canceled anywhere. ThreadSanitizer reports one that ends within a call that it
/// watches.
public var canCancelThreads: Bool { guard_watches_library() == 1 }

/// Cancels a thread, as libjack cancels its own, that computes for some milliseconds and then sleeps in a read. Whether it
/// was canceled in the read, and not while it computed.
public func isCanceledAsleep(after milliseconds: Int32) -> Bool {
  guard_computes_before_cancel(milliseconds) == 1
}

/// Runs `body` on a thread with a stack of 256 kB, and waits for its end. Code whose stack grows with each of a million
/// calls overflows it.
public func onSmallStack(_ body: @escaping @Sendable () -> Void) throws {
  try System.Thread(as: System.Thread.Options(stackSize: 256 << 10), body).join()
}
