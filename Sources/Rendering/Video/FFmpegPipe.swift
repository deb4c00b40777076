import Glibc
import Synchronization
import System

/// A queue, and a thread that writes its elements into a pipe.
final class FFmpegPipe<Element: Sendable>: Sendable {
  private let queue: BoundedQueue<Element>
  /// The error that ended the writing; 0: none.
  private let failure = Atomic<Int32>(0)
  nonisolated(unsafe) private var thread: Thread?

  /// Starts the thread, which closes the descriptor at its end. `room`: the most elements that wait. `write` must pass
  /// the bytes of an element to the closure that it receives, and return the closure's error. `isStuck` is called after
  /// each second in which the reader took nothing; if it returns true, writing ends. Throws if no thread can start.
  init(
    _ descriptor: Int32, room: Int, isStuck: @escaping @Sendable () -> Bool,
    write: @escaping @Sendable (Element, (UnsafeRawBufferPointer) -> Errno?) -> Errno?
  ) throws(Errno) {
    queue = BoundedQueue(room: room)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    do throws(Errno) {
      thread = try Thread(as: .filmWriter) { [self] in
        while let element = queue.take() {
          let error = write(element) {
            Descriptor.write($0, to: descriptor, timeout: 1000, isGivenUp: isStuck)
          }
          if let error {
            failure.store(error.number, ordering: .releasing)
            queue.abandon()
            break
          }
        }
        Glibc.close(descriptor)
      }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Whether writing has failed, such as because the reader has left.
  var isBroken: Bool { failure.load(ordering: .acquiring) != 0 }

  /// Whether writing has ended because the reader was stuck.
  var isGivenUp: Bool { failure.load(ordering: .acquiring) == EAGAIN }

  /// Adds an element. Waits while the queue is full.
  func add(_ element: Element) { queue.add(element) }

  /// Ends the queue. The pipe is closed once all elements are written.
  func close() { queue.close() }

  /// Writes the waiting elements, or drops them, and closes the pipe.
  func finish(dropping: Bool = false) {
    if dropping { queue.abandon() } else { queue.close() }
    thread?.join()
    thread = nil
  }
}

extension Thread.Options {
  /// A thread without SIGPIPE. If the reader has gone, `write` fails instead of ending the process.
  static let filmWriter = Thread.Options(blockedSignals: SignalSet([SIGPIPE]))
}
