import Glibc
import System
import TestSupport

/// The service manager's end of the notify socket, as sd_notify(3) has it: takes every datagram and is strict with it.
final class NotifyEar: Sendable {
  /// One datagram: the lines in order, and the process that the system says has sent it.
  struct Notice: Equatable {
    let lines: [String]
    let process: pid_t
    /// When it came, in seconds.
    let time: Double
  }

  /// What `NOTIFY_SOCKET` has to say.
  let name: String
  private let folder: TemporaryFolder
  private let descriptor: Int32
  private let heard = Locked<[Notice]>([])
  private let thread = Locked<TestThread?>(nil)

  /// Listens at a path of its own, or at a name without a place in any folder.
  init(isAbstract: Bool = false) throws {
    folder = try TemporaryFolder()
    let path = folder.file("notify")
    name = isAbstract ? "@visgraph-test-\(getpid())-\(UInt32.random(in: 0 ... .max))" : path
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &one, 4)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    guard bound else { throw Child.Failure(description: "no notify socket") }
    thread.withLock { thread in thread = TestThread { [weak self] in NotifyEar.listen(descriptor) { self } } }
  }

  private static func listen(_ descriptor: Int32, _ ear: () -> NotifyEar?) {
    var data = [UInt8](repeating: 0, count: 65_536)
    while true {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isThere = poll(&wanted, 1, 50) == 1
      guard let ear = ear() else { break }
      guard isThere else { continue }
      var control = [UInt64](repeating: 0, count: 16)
      let (count, process) = data.withUnsafeMutableBytes { data in
        control.withUnsafeMutableBytes { control in
          var piece = iovec(iov_base: data.baseAddress, iov_len: data.count)
          return withUnsafeMutablePointer(to: &piece) { piece in
            var message = msghdr()
            message.msg_iov = piece
            message.msg_iovlen = 1
            message.msg_control = control.baseAddress
            message.msg_controllen = control.count
            let count = recvmsg(descriptor, &message, 0)
            // The first thing behind the header of 16 bytes is the number of the process: SCM_CREDENTIALS.
            let head = control.load(as: cmsghdr.self)
            let isCredentials = message.msg_controllen >= 28 && head.cmsg_type == 2
            return (count, isCredentials ? control.load(fromByteOffset: 16, as: pid_t.self) : 0)
          }
        }
      }
      guard count >= 0 else { continue }
      let text = String(decoding: data[..<count], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      ear.heard.withLock { $0.append(Notice(lines: lines, process: process, time: now())) }
    }
    close(descriptor)
  }

  /// All that came, in order.
  var notices: [Notice] { heard.withLock { $0 } }

  /// All lines that came, in order, but for signs of life.
  var lines: [String] { notices.flatMap(\.lines).filter { $0 != "WATCHDOG=1" } }

  /// The signs of life of a process.
  func beats(of process: pid_t) -> [Notice] {
    notices.filter { $0.process == process && $0.lines == ["WATCHDOG=1"] }
  }

  /// What a manager would stumble over, in all that a process has sent; nil when it is as sd_notify(3) wants it.
  func fault(in process: pid_t) -> String? {
    var (isReady, isReloading, hasStopped) = (false, false, false)
    for notice in notices where notice.process == process {
      if hasStopped { return "\(notice.lines) after STOPPING" }
      for line in notice.lines {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        guard parts.count == 2 else { return "no value: \(line)" }
        switch parts[0] {
        case "READY":
          if parts[1] != "1" || isReady && !isReloading { return line }
          (isReady, isReloading) = (true, false)
        case "RELOADING":
          let hasTime = notice.lines.contains { $0.hasPrefix("MONOTONIC_USEC=") }
          if parts[1] != "1" || !isReady || isReloading || !hasTime { return "\(notice.lines)" }
          isReloading = true
        case "MONOTONIC_USEC":
          guard let time = UInt64(parts[1]), abs(Double(time) * 1e-6 - notice.time) < 60 else { return line }
        case "STATUS":
          if parts[1].isEmpty || parts[1].utf8.count > 2048 || parts[1].utf8.contains(where: { $0 < 32 }) {
            return line
          }
        case "WATCHDOG":
          if parts[1] != "1" || !isReady { return "\(line) before READY" }
        case "STOPPING":
          if parts[1] != "1" { return line }
          hasStopped = true
        default: return line
        }
      }
    }
    return nil
  }
}
