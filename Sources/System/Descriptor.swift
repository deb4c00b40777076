import CSyscalls
import Glibc

/// An error number of the system (errno).
package struct Errno: Error, Equatable, Sendable {
  /// The number.
  package let number: Int32

  /// Makes an error of a number, by default that of the last system call.
  package init(_ number: Int32 = errno) { self.number = number }

  /// The system's text for it.
  package var text: String { String(cString: strerror(number)) }
}

/// Reads and writes of descriptors. They go on when a signal interrupts them or a system call does only a part. Any
/// thread but the audio callback's
package enum Descriptor {
  /// Opens stdin, stdout and stderr as /dev/null if the parent process has closed them. Otherwise the next file that is
  /// opened would get such a number, and messages would be written into it.
  package static func openStandardFiles() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
  }

  /// Raises the limit of open descriptors to `most`, as far as the hard limit allows. Returns the limit.
  package static func allow(_ most: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    let wanted = min(limit.rlim_max, rlim_t(most))
    if limit.rlim_cur < wanted {
      limit.rlim_cur = wanted
      _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Writes all bytes. Returns the error that stopped it, otherwise nil. Neither allocates nor locks, so a signal
  /// handler may call it.
  ///
  /// - Parameters:
  ///   - timeout: the timeout, in ms, of each wait for a non-blocking descriptor to accept bytes; 0: never waits.
  ///   - isGivenUp: called after each timeout; if it returns true, the write ends with EAGAIN.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, timeout: Int32 = 0,
    isGivenUp: () -> Bool = { true }
  ) -> Errno? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        // Not a slice: its type metadata would be looked up and allocated at the first use, which a signal handler
        // must not do.
        rest = UnsafeRawBufferPointer(start: rest.baseAddress! + count, count: rest.count - count)
      } else if count == 0 {
        return Errno(EIO)
      } else if errno == EAGAIN, timeout > 0 {
        if !waits(for: POLLOUT, on: descriptor, milliseconds: timeout), isGivenUp() { return Errno(EAGAIN) }
      } else if errno != EINTR {
        return Errno()
      }
    }
    return nil
  }

  /// Writes all bytes of an array.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Writes as much as one call accepts. Returns the number of bytes, at least 1, or the error.
  package static func writeSome(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> Result<Int, Errno> {
    while true {
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      if count > 0 { return .success(count) }
      if count == 0 { return .failure(Errno(EIO)) }
      if errno != EINTR { return .failure(Errno()) }
    }
  }

  /// Reads the next bytes, at most `most`; empty at the end.
  package static func readSome(_ most: Int, from descriptor: Int32) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      var count = Glibc.read(descriptor, buffer.baseAddress, most)
      while count < 0, errno == EINTR { count = Glibc.read(descriptor, buffer.baseAddress, most) }
      if count < 0 { failure = Errno() }
      filled = max(0, count)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until the end; nil if there are more than `most` bytes. `expecting`: the number of bytes that are likely
  /// there, which are then read in one call.
  package static func readAll(
    from descriptor: Int32, most: Int, expecting: Int = 0
  ) throws(Errno) -> [UInt8]? {
    // Asks for one byte more than expected, which shows whether there are more.
    let room = min(most, expecting > 0 ? expecting : 65_535) + 1
    var bytes: [UInt8] = []
    while bytes.count <= most {
      let piece = try readSome(min(room, most + 1 - bytes.count), from: descriptor)
      if piece.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return nil
  }

  /// Reads `count` bytes from offset `place` of a file. Returns how many were read: fewer at the end, −1 if the disk
  /// fails before the first.
  package static func read(
    _ bytes: UnsafeMutableRawPointer, count: Int, from descriptor: Int32, at place: Int64
  ) -> Int {
    guard place >= 0 else { return 0 }
    var done = 0
    while done < count {
      let given = pread(descriptor, bytes + done, count - done, off_t(place) + off_t(done))
      if given < 0, errno == EINTR { continue }
      if given < 0 { return done > 0 ? done : -1 }
      if given == 0 { break }
      done += given
    }
    return done
  }

  /// Sends datagrams through a connected socket, in order, without blocking. At most `joined` datagrams of one size
  /// form one buffer, which the kernel cuts; with 1 each is a buffer of its own.
  /// - Returns: how many were sent, and the error of the next one, if it failed.
  package static func send(
    _ datagrams: UnsafeBufferPointer<iovec>, joined: Int, on descriptor: Int32
  ) -> (sent: Int, failure: Errno?) {
    guard let first = datagrams.baseAddress, !datagrams.isEmpty else { return (0, nil) }
    let sent = vg_send_datagrams(descriptor, first, datagrams.count, joined)
    return (sent, sent < datagrams.count ? Errno() : nil)
  }

  /// Lets a descriptor refer to what `other` refers to. A thread that uses it meanwhile reaches one or the other.
  /// Returns whether that was possible.
  package static func redirect(_ descriptor: Int32, to other: Int32) -> Bool {
    vg_redirect(descriptor, other) >= 0
  }

  /// Whether the kernel supports `joined` greater than 1 for a socket.
  package static func cutsDatagrams(on descriptor: Int32) -> Bool { vg_cuts_datagrams(descriptor) != 0 }

  /// Waits until a descriptor is ready for an event of `poll`, at most `milliseconds`. Returns whether it is. Also
  /// returns true when a signal arrives, so that the caller tries again.
  package static func waits(for event: Int32, on descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&request, 1, milliseconds) != 0
  }
}
