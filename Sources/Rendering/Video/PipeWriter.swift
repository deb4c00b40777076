import Glibc
import Synchronization
import System

/// A queue, and a thread that writes what comes along it into one end of a pipe.
final class PipeWriter<Element: Sendable>: Sendable {
  private let queue: BoundedQueue<Element>
  private let broken = Atomic<Bool>(false)
  nonisolated(unsafe) private var thread: Thread?

  /// Takes over a descriptor. `write` gives all bytes of an element to what it is handed and returns what that returned:
  /// what stopped it, else nil. `isStuck` is asked every second in which nothing was taken; then it gives up. Throws where
  /// there is no thread left.
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
            Descriptor.write($0, to: descriptor, patience: 1000, isGivenUp: isStuck)
          }
          guard error == nil else {
            broken.store(true, ordering: .releasing)
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

  /// Whether the reader has left.
  var isBroken: Bool { broken.load(ordering: .acquiring) }

  /// Takes one; waits while there is no room.
  func add(_ element: Element) { queue.add(element) }

  /// No more will come; the pipe is closed once all is written.
  func close() { queue.close() }

  /// Writes what waits, or drops it, and closes the pipe.
  func finish(dropping: Bool = false) {
    if dropping { queue.abandon() } else { queue.close() }
    thread?.join()
    thread = nil
  }
}

extension Thread.Options {
  /// A thread that writes: a reader that has gone is an error of `write` on it, and not the end of the process.
  static let filmWriter = Thread.Options(blockedSignals: SignalSet([SIGPIPE]))
}
