import Glibc

/// The way to the service manager that has started us: the socket that `NOTIFY_SOCKET` names. Any thread but the audio
/// callback's
///
/// The protocol is that of sd_notify(3): datagrams of lines `NAME=VALUE` to a Unix socket. Our own and not libsystemd's,
/// because that one waits where the manager does not read, and the frame thread, which says that it lives, may not wait.
package final class NotifySocket: Sendable {
  private let descriptor: Int32
  private let name: sockaddr_un
  private let length: socklen_t

  /// Opens the way to a socket: a path from the root, or `@NAME` for one of the abstract namespace. Nil where it is
  /// neither, or where there is no descriptor left.
  package init?(_ path: String) {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    guard isAbstract || bytes.first == UInt8(ascii: "/"), bytes.count > 1, !bytes.contains(0),
      bytes.count < MemoryLayout.size(ofValue: name.sun_path)
    else { return nil }
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    // One of a path ends with a zero, one of the abstract namespace by its length.
    let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    length = socklen_t(head + bytes.count + (isAbstract ? 0 : 1))
    self.name = name
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends lines `NAME=VALUE` as one datagram, and never waits; false where the manager has not got them: it is busy, or
  /// has gone.
  @discardableResult
  package func send(_ lines: String) -> Bool {
    var (lines, name) = (lines, name)
    return lines.withUTF8 { bytes in
      withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
          return sendto(descriptor, bytes.baseAddress, bytes.count, flags, address, length) == bytes.count
        }
      }
    }
  }

  /// How often the manager wants to hear that we live, in seconds, by `WATCHDOG_USEC` and `WATCHDOG_PID`; nil where it
  /// does not, or where another process is meant.
  package static func watchdogInterval(_ environment: [String: String]) -> Double? {
    if let process = environment["WATCHDOG_PID"], pid_t(process) != getpid() { return nil }
    guard let text = environment["WATCHDOG_USEC"], let microseconds = UInt64(text), microseconds > 0,
      // UINT64_MAX is systemd's word for never.
      microseconds < .max / 1000
    else { return nil }
    return Double(microseconds) * 1e-6
  }
}

/// Where lines go that are written to stderr.
package enum JournalStream {
  /// Whether a descriptor leads into systemd's journal: `JOURNAL_STREAM` (systemd.exec(5)) has the device and the inode of
  /// the stream that the manager has opened, which may have been replaced by another since.
  package static func isBehind(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
    let numbers = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":").compactMap { UInt64($0) }
    var status = stat()
    guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
    return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
  }
}
