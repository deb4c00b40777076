import Foundation
import Synchronization

/// A thread for what would block a test.
public final class TestThread: Sendable {
  private let done = Atomic(false)

  /// Starts it.
  public init(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [self] in
      body()
      done.store(true, ordering: .releasing)
    }
  }

  /// Whether its work is done.
  public var isDone: Bool { done.load(ordering: .acquiring) }
}
