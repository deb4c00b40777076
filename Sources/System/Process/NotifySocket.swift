import Glibc

/// The socket to the service manager that has started the process (`NOTIFY_SOCKET`). Any thread but the audio
/// callback's
///
/// The protocol is that of sd_notify(3): datagrams of lines `NAME=VALUE` to a Unix socket. libsystemd is not used: it
/// waits if the manager does not read, and the frame thread, which sends the watchdog messages, must not wait.
package final class NotifySocket: Sendable {
  private let descriptor: Int32
  private let name: sockaddr_un
  private let length: socklen_t

  /// Opens a socket to an absolute path, or to `@NAME` in the abstract namespace. Nil for any other text, or if no
  /// descriptor is left.
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
    // A path ends with a zero byte, an abstract name by its length.
    let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    length = socklen_t(head + bytes.count + (isAbstract ? 0 : 1))
    self.name = name
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends lines `NAME=VALUE` as one datagram without waiting. Returns false if the manager did not take it because it
  /// is busy or gone.
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

  /// The watchdog interval in seconds, by `WATCHDOG_USEC`. Nil without one, or if `WATCHDOG_PID` is another process.
  package static func watchdogInterval(_ environment: [String: String]) -> Double? {
    if let process = environment["WATCHDOG_PID"], pid_t(process) != getpid() { return nil }
    guard let text = environment["WATCHDOG_USEC"], let microseconds = UInt64(text), microseconds > 0,
      // systemd uses UINT64_MAX for never.
      microseconds < .max / 1000
    else { return nil }
    return Double(microseconds) * 1e-6
  }
}

/// Whether stderr leads to systemd's journal.
package enum JournalStream {
  /// Whether a descriptor is the journal's stream. `JOURNAL_STREAM` (systemd.exec(5)) has the stream's device and
  /// inode; the descriptor may have been redirected since.
  package static func isBehind(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
    let numbers = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":").compactMap { UInt64($0) }
    var status = stat()
    guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
    return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
  }
}
