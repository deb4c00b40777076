import CSyscalls
import Glibc

/// A pipe that wakes a thread from `poll`: any thread writes a byte into it. Any thread
package final class WakePipe: Sendable {
  /// The descriptor to poll for reading.
  package let descriptor: Int32
  private let writeEnd: Int32

  /// Opens the pipe; nil with `errno` if the system has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard vg_pipe(&ends, O_NONBLOCK) == 0 else { return nil }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait or the next one. A full pipe does so already.
  package func wake() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Waits for `wake`, for at most `seconds`, and drains the pipe. Returns whether `wake` was called.
  @discardableResult
  package func wait(seconds: Double) -> Bool {
    _ = Descriptor.waits(
      for: POLLIN, on: descriptor, milliseconds: Int32((max(0, min(3600, seconds)) * 1000).rounded(.up)))
    return drain()
  }

  /// Reads all bytes in the pipe. Returns whether `wake` was called.
  @discardableResult
  package func drain() -> Bool {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var wasWoken = false
    while true {
      let count = read(descriptor, &bytes, 32)
      if count > 0 { wasWoken = true }
      // The pipe is empty where it had less than there was room for.
      if count < 32 { return wasWoken }
    }
  }
}

/// A pipe to a child process, which no other child inherits. Its descriptors are 10 or greater, so that they never
/// collide with those of a child. The thread that opens it closes both ends.
package struct ChildPipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// `room`: wanted capacity in bytes, if the system allows it; with more, the ends rarely wait for each other.
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
