import Glibc
import Synchronization
import System

/// A thread that does a piece of work again and again, after a while or when it is woken.
///
/// [any] The thread takes no signals: those are the main thread's.
final class DiskThread: Sendable {
  private let work: Work
  private let thread: Locked<pthread_t?>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - piece: does a small piece and says how many nanoseconds there is nothing to do; 0: there is more at once.
  /// - Returns: nil if the system gives no thread.
  init?(piece: @escaping @Sendable () -> Int64) {
    work = Work(piece: piece)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var started = pthread_t()
    let passed = Unmanaged.passRetained(work)
    let code = pthread_create(
      &started, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, passed.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    thread = Locked(code == 0 ? started : nil)
    guard code == 0 else {
      passed.release()
      return nil
    }
  }

  /// Lets it work at once.
  func wake() { work.bell.ring() }

  /// Waits until the piece of work in hand is done, and ends the thread.
  func stop() {
    work.stopping.store(true, ordering: .releasing)
    work.bell.ring()
    thread.withLock { thread in
      if let running = thread { pthread_join(running, nil) }
      thread = nil
    }
  }

  /// Ends the thread after the piece of work in hand, without waiting for that: a disk may never answer.
  func leave() {
    work.stopping.store(true, ordering: .releasing)
    work.bell.ring()
    thread.withLock { thread in
      if let running = thread { pthread_detach(running) }
      thread = nil
    }
  }

  deinit { stop() }

  /// What the thread itself holds: it may outlive the `DiskThread` for a moment.
  private final class Work: Sendable {
    let bell = Bell()
    let stopping = Atomic<Bool>(false)
    private let piece: @Sendable () -> Int64

    init(piece: @escaping @Sendable () -> Int64) { self.piece = piece }

    func run() {
      name()
      while !stopping.load(ordering: .acquiring) {
        let rest = piece()
        if rest > 0 { bell.wait(nanoseconds: rest) }
      }
    }

    /// Names the thread for `top` and debuggers; at most 15 bytes.
    private func name() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, "visgraph disk", 13)
      close(file)
    }
  }
}
