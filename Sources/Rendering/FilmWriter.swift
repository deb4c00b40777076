import Glibc
import Synchronization

/// A queue, and a thread that writes what comes along it into one end of a pipe.
final class FilmWriter<Element: Sendable>: Sendable {
  private let queue: FilmQueue<Element>
  private let broken = Atomic<Bool>(false)
  nonisolated(unsafe) private var thread: FilmThread?

  /// Takes over a descriptor. `write` gives all bytes of an element to what it is handed and returns what that returned,
  /// an `errno` or 0. Throws where there is no thread left.
  init(
    _ descriptor: Int32, room: Int,
    write: @escaping @Sendable (Element, (UnsafeRawBufferPointer) -> Int32) -> Int32
  ) throws(Errno) {
    queue = FilmQueue(room: room)
    let thread = FilmThread { [self] in
      while let element = queue.take() {
        guard write(element, { writeAll($0, to: descriptor) }) == 0 else {
          broken.store(true, ordering: .releasing)
          queue.abandon()
          break
        }
      }
      close(descriptor)
    }
    guard let thread else { throw Errno(number: EAGAIN) }
    self.thread = thread
  }

  /// Whether nobody reads any more.
  var isBroken: Bool { broken.load(ordering: .acquiring) }

  /// Takes one; waits while there is no room.
  func add(_ element: Element) { queue.add(element) }

  /// Writes what waits, or drops it, and closes the pipe.
  func finish(dropping: Bool = false) {
    if dropping { queue.abandon() } else { queue.close() }
    thread?.join()
    thread = nil
  }
}
