import Glibc

/// A serial device that takes bytes as they are, such as a USB interface for DMX. [any]
package struct SerialDevice: ~Copyable {
  private let descriptor: Int32

  /// Opens a device below /dev, links followed. Throws where there is none, another program has it for itself, or it is no
  /// serial device: `ENOTTY`, also for the terminal that this program was started in.
  package init(_ path: String) throws(Errno) { descriptor = try Self.open(path) }

  private static func open(_ path: String) throws(Errno) -> Int32 {
    guard let real = realpath(path, nil) else { throw Errno() }
    defer { free(real) }
    guard String(cString: real).hasPrefix("/dev/") else { throw Errno(ENOTTY) }
    // Without waiting for a carrier, and never as the terminal of this process.
    let descriptor = Glibc.open(real, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno() }
    if let error = prepare(descriptor) {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Takes it for this process alone, with all bytes as they are; gives what is wrong, else nil.
  private static func prepare(_ descriptor: Int32) -> Errno? {
    guard isatty(descriptor) == 1, !isOurs(descriptor) else { return Errno(ENOTTY) }
    var settings = termios()
    guard ioctl(descriptor, UInt(TIOCEXCL)) == 0, tcgetattr(descriptor, &settings) == 0 else {
      return Errno()
    }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
    // What counts for a real line; a USB interface has a speed of its own.
    cfsetspeed(&settings, speed_t(B115200))
    return tcsetattr(descriptor, TCSANOW, &settings) == 0 ? nil : Errno()
  }

  deinit {
    // What has not gone would hold up the end of the process, by default for half a minute. Where all has gone there is nothing
    // to take back: of a pseudo-terminal that would be what its other end has not read yet.
    if !drain(milliseconds: 0) { tcflush(descriptor, TCIOFLUSH) }
    close(descriptor)
  }

  /// Writes all bytes; gives what stopped it, else nil. Waits at most so many milliseconds for room.
  package borrowing func write(_ bytes: [UInt8], patience: Int32) -> Errno? {
    bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor, patience: patience) }
  }

  /// Waits until what was written is on its way, at most so many milliseconds; says whether it is.
  package borrowing func drain(milliseconds: Int32) -> Bool {
    let deadline = Deadline.after(seconds: Double(milliseconds) / 1000)
    while true {
      var count: Int32 = 0
      guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 else { return true }
      if deadline.isOver { return false }
      MonotonicClock.sleep(seconds: 0.001)
    }
  }

  /// Reads away what the device says; gives what is wrong with it, else nil. Never waits.
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

  /// Whether it is the terminal of one of the standard files.
  private static func isOurs(_ descriptor: Int32) -> Bool {
    func device(_ number: Int32) -> dev_t? {
      var facts = stat()
      return fstat(number, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR ? facts.st_rdev : nil
    }
    let own = device(descriptor)
    return (Int32(0)...2).contains { isatty($0) == 1 && device($0) == own }
  }
}
