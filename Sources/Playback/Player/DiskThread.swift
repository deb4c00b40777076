import Synchronization
import System

/// A thread that does a piece of work again and again, after a while or when it is woken.
///
/// [any] The thread takes no signals: those are the main thread's.
final class DiskThread: Sendable {
  private let work: Work
  private let thread: Locked<Thread?>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - piece: does a small piece and says how many nanoseconds there is nothing to do; 0: there is more at once.
  /// - Returns: nil if the system gives no thread.
  init?(piece: @escaping @Sendable () -> Int64) {
    let work = Work(piece: piece)
    guard
      let thread = try? Thread(
        "visgraph disk", as: Thread.Options(blockedSignals: .allButFaults), { work.run() })
    else { return nil }
    self.work = work
    self.thread = Locked(thread)
  }

  /// Lets it work at once.
  func wake() { work.update.set() }

  /// Waits until the piece of work in hand is done, and ends the thread.
  func stop() {
    end()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// Ends the thread after the piece of work in hand, without waiting for that: a disk may never answer.
  func leave() {
    end()
    thread.withLock { $0 = nil }
  }

  private func end() {
    work.stopping.store(true, ordering: .releasing)
    work.update.set()
  }

  deinit { stop() }

  /// What the thread itself holds: it may outlive the `DiskThread` for a moment.
  private final class Work: Sendable {
    let update = Latch(resets: .afterWait)
    let stopping = Atomic<Bool>(false)
    private let piece: @Sendable () -> Int64

    init(piece: @escaping @Sendable () -> Int64) { self.piece = piece }

    func run() {
      while !stopping.load(ordering: .acquiring) {
        let rest = piece()
        if rest > 0 { update.wait(until: .after(seconds: Double(rest) * 1e-9)) }
      }
    }
  }
}
