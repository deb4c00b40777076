import CSyscalls
import Glibc

/// What the system says why it did not do something.
package struct Errno: Error, Equatable, Sendable {
  /// Its number.
  package let number: Int32

  /// An error of the system by its number; that of the call before unless given.
  package init(_ number: Int32 = errno) { self.number = number }

  /// Its own words.
  package var text: String { String(cString: strerror(number)) }
}

/// Reads and writes that go on where a signal interrupts them or only a part was done. Any thread but the audio callback's
package enum Descriptor {
  /// Of stdin, stdout and stderr those that our parent process has closed lead nowhere: else the next file that is opened
  /// gets their number, and what is told is written into it.
  package static func openStandardFiles() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
  }

  /// Allows this process as many as its user may have, at most `most`; gives how many that are.
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

  /// Writes all bytes; gives what stopped it, else nil. Takes neither memory nor locks: may be called in a signal handler.
  ///
  /// - Parameters:
  ///   - patience: how many milliseconds a descriptor that does not block may take nothing; 0: not at all.
  ///   - isGivenUp: asked each time these are over; while it says no, it is waited for again.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32 = 0,
    isGivenUp: () -> Bool = { true }
  ) -> Errno? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        // Signal handlers write: a slice would be a type that is looked up, and made in memory, at its first use.
        rest = UnsafeRawBufferPointer(start: rest.baseAddress! + count, count: rest.count - count)
      } else if count == 0 {
        return Errno(EIO)
      } else if errno == EAGAIN, patience > 0 {
        if !waits(for: POLLOUT, on: descriptor, milliseconds: patience), isGivenUp() { return Errno(EAGAIN) }
      } else if errno != EINTR {
        return Errno()
      }
    }
    return nil
  }

  /// The same, of an array.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Writes as much as goes at once: the number of bytes, at least 1, or what stopped it.
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

  /// The next bytes that come, `most` of them; none at the end.
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

  /// All that comes until the end; nil when it is more than `most` bytes. `expecting` so many, it is read in one go.
  package static func readAll(
    from descriptor: Int32, most: Int, expecting: Int = 0
  ) throws(Errno) -> [UInt8]? {
    // A byte more than expected finds the end, or more, without another call.
    let room = min(most, expecting > 0 ? expecting : 65_535) + 1
    var bytes: [UInt8] = []
    while bytes.count <= most {
      let piece = try readSome(min(room, most + 1 - bytes.count), from: descriptor)
      if piece.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return nil
  }

  /// Reads bytes from a place of a file; fewer at its end, -1 where the disk fails before the first.
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

  /// Sends datagrams by a connected socket, one after another, and never blocks. Runs of one size are handed to the kernel
  /// together, at most `joined` at a time, which cuts them; 1: none are.
  /// - Returns: how many have gone, and what stopped the one after them; nil: nothing.
  package static func send(
    _ datagrams: UnsafeBufferPointer<iovec>, joined: Int, on descriptor: Int32
  ) -> (sent: Int, failure: Errno?) {
    guard let first = datagrams.baseAddress, !datagrams.isEmpty else { return (0, nil) }
    let sent = vg_send_datagrams(descriptor, first, datagrams.count, joined)
    return (sent, sent < datagrams.count ? Errno() : nil)
  }

  /// Whether the kernel cuts what `send` hands it together for a socket.
  package static func cutsDatagrams(on descriptor: Int32) -> Bool { vg_cuts_datagrams(descriptor) != 0 }

  /// Waits until a descriptor is ready for an event of `poll`, at most so long; says whether it is. A signal counts as
  /// ready, so that the caller tries again.
  package static func waits(for event: Int32, on descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&request, 1, milliseconds) != 0
  }
}
