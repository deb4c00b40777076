import Glibc
import Synchronization

/// A queue, and a thread that writes what comes along it into one end of a pipe.
final class FilmWriter<Element: Sendable>: Sendable {
  private let queue: FilmQueue<Element>
  private let broken = Atomic<Bool>(false)
  nonisolated(unsafe) private var thread: FilmThread?

  /// Takes over a descriptor. `write` gives all bytes of an element to what it is handed and returns what that returned,
  /// an `errno` or 0. `isStuck` is asked every second in which nothing was taken; then it gives up. Throws where there is
  /// no thread left.
  init(
    _ descriptor: Int32, room: Int, isStuck: @escaping @Sendable () -> Bool,
    write: @escaping @Sendable (Element, (UnsafeRawBufferPointer) -> Int32) -> Int32
  ) throws(Errno) {
    queue = FilmQueue(room: room)
    let thread = FilmThread { [self] in
      while let element = queue.take() {
        guard write(element, { Self.write($0, descriptor, isStuck) }) == 0 else {
          broken.store(true, ordering: .releasing)
          queue.abandon()
          break
        }
      }
      Glibc.close(descriptor)
    }
    guard let thread else {
      Glibc.close(descriptor)
      throw Errno(number: EAGAIN)
    }
    self.thread = thread
  }

  /// Writes all bytes; gives the `errno` that stopped it, else 0.
  private static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ isStuck: () -> Bool)
    -> Int32
  {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var rest = bytes
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { return errno }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&wanted, 1, 1000) == 0 && isStuck() { return EPIPE }
    }
    return 0
  }

  /// Whether nobody reads any more.
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
