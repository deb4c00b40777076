import Glibc

/// A serial device that takes raw bytes, such as a USB interface for DMX. [any]
package struct SerialDevice: ~Copyable {
  private let descriptor: Int32

  /// Opens a device below /dev; `path` may be a link to it. Throws if there is none, or if another program uses it
  /// exclusively. Throws `ENOTTY` if it is no serial device, or is the terminal of this program.
  package init(_ path: String) throws(Errno) { descriptor = try Self.open(path) }

  private static func open(_ path: String) throws(Errno) -> Int32 {
    guard let real = realpath(path, nil) else { throw Errno() }
    defer { free(real) }
    guard String(cString: real).hasPrefix("/dev/") else { throw Errno(ENOTTY) }
    // Does not wait for a carrier, and does not become the controlling terminal.
    let descriptor = Glibc.open(real, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno() }
    if let error = prepare(descriptor) {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Opens it exclusively and sets raw mode. Returns the error, otherwise nil.
  private static func prepare(_ descriptor: Int32) -> Errno? {
    guard isatty(descriptor) == 1, !isOurs(descriptor) else { return Errno(ENOTTY) }
    var settings = termios()
    guard ioctl(descriptor, UInt(TIOCEXCL)) == 0, tcgetattr(descriptor, &settings) == 0 else {
      return Errno()
    }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
    // Matters only for a real serial line; a USB interface has a fixed speed.
    cfsetspeed(&settings, speed_t(B115200))
    return tcsetattr(descriptor, TCSANOW, &settings) == 0 ? nil : Errno()
  }

  deinit {
    // Discards bytes that have not been sent: closing would wait for them, by default for half a minute. If all have
    // been sent, discards nothing, because a pseudo-terminal would lose bytes that its other end has not read yet.
    if !drain(milliseconds: 0) { tcflush(descriptor, TCIOFLUSH) }
    close(descriptor)
  }

  /// Writes all bytes. Each wait for space lasts at most `timeout` ms. Returns the error that stopped it, otherwise
  /// nil.
  package borrowing func write(_ bytes: [UInt8], timeout: Int32) -> Errno? {
    bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor, timeout: timeout) }
  }

  /// Waits until all bytes have been sent, at most `milliseconds`. Returns whether they have.
  package borrowing func drain(milliseconds: Int32) -> Bool {
    let deadline = Deadline.after(seconds: Double(milliseconds) / 1000)
    while true {
      var count: Int32 = 0
      guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 else { return true }
      if deadline.isOver { return false }
      MonotonicClock.sleep(seconds: 0.001)
    }
  }

  /// Reads and discards the bytes that the device has sent, without waiting. Returns the error of the device, otherwise
  /// nil.
  package borrowing func readAway() -> Errno? {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { continue }
        if count == 0 { return Errno(EIO) }
        return errno == EAGAIN || errno == EINTR ? nil : Errno()
      }
    }
  }

  /// Whether it is the terminal of stdin, stdout or stderr.
  private static func isOurs(_ descriptor: Int32) -> Bool {
    func device(_ number: Int32) -> dev_t? {
      var facts = stat()
      return fstat(number, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR ? facts.st_rdev : nil
    }
    let own = device(descriptor)
    return (Int32(0)...2).contains { isatty($0) == 1 && device($0) == own }
  }
}
