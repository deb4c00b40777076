import Glibc

/// Ends a `poll` that waits: a pipe that whoever has something to say writes a byte into. Any thread.
public final class WakePipe: Sendable {
  /// What to poll for reading.
  public let descriptor: Int32
  private let far: Int32

  /// Opens it; nil where the system has no descriptors left.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
    (descriptor, far) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(far)
  }

  /// Ends the wait, or the next; a pipe that is full has been rung often enough.
  public func ring() {
    var byte: UInt8 = 1
    _ = write(far, &byte, 1)
  }

  /// Waits until it is rung, at most so long, and forgets that it was; says whether it was.
  @discardableResult
  public func wait(seconds: Double) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, Int32(max(0, min(3600, seconds)) * 1000))
    return drain()
  }

  /// Forgets that it was rung; says whether it was.
  @discardableResult
  public func drain() -> Bool {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var any = false
    while read(descriptor, &bytes, 32) > 0 { any = true }
    return any
  }
}
