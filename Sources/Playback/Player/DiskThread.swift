import Synchronization
import System

/// A thread that repeats a piece of work, after a pause or when it is woken. [any]
///
/// All signals but faults are blocked in it; the main thread handles signals.
final class DiskThread: Sendable {
  private let work: Work
  private let thread: Locked<Thread?>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - piece: does a small piece of work, and returns the pause after it in ns; 0: there is more at once.
  /// - Returns: nil if the system cannot create a thread.
  init?(piece: @escaping @Sendable () -> Int64) {
    let work = Work(piece: piece)
    guard
      let thread = try? Thread(
        "visgraph disk", as: Thread.Options(blockedSignals: .allButFaults), { work.run() })
    else { return nil }
    self.work = work
    self.thread = Locked(thread)
  }

  /// Wakes the thread.
  func wake() { work.update.set() }

  /// Ends the thread, and waits until it has finished its current piece of work.
  func stop() {
    end()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// Ends the thread after its current piece of work, without waiting: a disk may never answer.
  func leave() {
    end()
    thread.withLock { $0 = nil }
  }

  private func end() {
    work.stopping.store(true, ordering: .releasing)
    work.update.set()
  }

  deinit { stop() }

  /// The state of the thread, which may outlive the `DiskThread` for a moment.
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
