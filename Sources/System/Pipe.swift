import CSyscalls
import Glibc

/// Ends a `poll` that waits: a pipe that any thread writes a byte into. Any thread
package final class WakePipe: Sendable {
  /// What to poll for reading.
  package let descriptor: Int32
  private let far: Int32

  /// Opens it; nil, and `errno`, where the system has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard vg_pipe(&ends, O_NONBLOCK) == 0 else { return nil }
    (descriptor, far) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(far)
  }

  /// Ends the wait, or the next; a pipe that is full has been rung often enough.
  package func ring() {
    var byte: UInt8 = 1
    _ = write(far, &byte, 1)
  }

  /// Waits until it is rung, at most so long, and forgets that it was; says whether it was.
  @discardableResult
  package func wait(seconds: Double) -> Bool {
    _ = Descriptor.waits(
      for: POLLIN, on: descriptor, milliseconds: Int32(max(0, min(3600, seconds)) * 1000))
    return drain()
  }

  /// Forgets that it was rung; says whether it was.
  @discardableResult
  package func drain() -> Bool {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var any = false
    while read(descriptor, &bytes, 32) > 0 { any = true }
    return any
  }
}

/// A pipe to a child process, which no other child gets. Its descriptors are above 9, so that a child's are never among
/// them. The thread that opens it closes its ends.
package struct ChildPipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// `room` is how many bytes it should hold, where the system allows it: then its two ends seldom wait for each other.
  package init(room: Int32? = nil) throws(Errno) {
    var ends: [Int32] = [0, 0]
    guard vg_pipe(&ends, 0) == 0 else { throw Errno() }
    defer { for end in ends { close(end) } }
    reading = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
    writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    guard reading >= 0, writing >= 0 else {
      let error = Errno()
      for end in [reading, writing] where end >= 0 { close(end) }
      throw error
    }
    // Linux's F_SETPIPE_SZ.
    let setRoom: Int32 = 1031
    if let room { _ = fcntl(writing, setRoom, room) }
  }
}
