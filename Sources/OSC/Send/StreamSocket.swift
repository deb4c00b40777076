import CLiblo
import Glibc
import System

/// Non-blocking system calls for a TCP connection.
enum StreamSocket {
  /// The result of a wait.
  enum Event {
    case nothing, readable, writable
    /// The connection has ended, with an `errno`.
    case over(Int32)
  }

  /// The socket's send buffer in bytes. It is small, because old values are of no use to a light.
  private static let systemBuffer: Int32 = 32_768
  /// How long sent bytes may stay unacknowledged before the receiver counts as gone, in milliseconds.
  private static let acknowledgeTimeout: Int32 = 5000

  /// Connects; returns a descriptor or −`errno`. Ends early when `wake` is written to.
  static func connect(to address: SocketAddress, or wake: WakePipe?, within seconds: Double) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { return -errno }
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_SNDBUF, systemBuffer)
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, acknowledgeTimeout)
    var error: Int32 = address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 ? 0 : errno
    if error == EINPROGRESS {
      var requests = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        // `poll` ignores negative descriptors.
        pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&requests, 2, Int32(seconds * 1000))
      error = requests[0].revents == 0 ? ETIMEDOUT : DatagramSocket.takeError(of: descriptor)
    }
    guard error == 0 else {
      Glibc.close(descriptor)
      return -error
    }
    return descriptor
  }

  /// Waits for an event of the connection, or for the pipe.
  static func wait(_ descriptor: Int32, writes: Bool, or wake: WakePipe, milliseconds: Int32) -> Event {
    var requests = [
      pollfd(fd: descriptor, events: Int16(POLLIN | (writes ? POLLOUT : 0)), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&requests, 2, milliseconds) > 0 else { return .nothing }
    if requests[1].revents != 0 { wake.drain() }
    let found = Int32(requests[0].revents)
    if found & Int32(POLLIN) != 0 { return .readable }
    if found & Int32(POLLERR | POLLHUP | POLLNVAL) != 0 {
      let error = DatagramSocket.takeError(of: descriptor)
      return .over(error == 0 ? ECONNRESET : error)
    }
    return found & Int32(POLLOUT) != 0 ? .writable : .nothing
  }

  /// Reads once and discards what was read. Returns an `errno` where the peer is gone; nil otherwise.
  static func discardInput(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int32? {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { return nil }
    if count == 0 { return ECONNRESET }
    return errno == EAGAIN || errno == EINTR ? nil : errno
  }

  /// Sends bytes; returns how many, or −`errno`.
  static func send(_ bytes: [UInt8], from start: Int, on descriptor: Int32) -> Int {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start, flags)
    }
    return count < 0 ? -Int(errno) : count
  }

  /// Shuts a connection down, so that the thread that waits for it notices.
  static func cut(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Closes a connection; bytes that were sent still arrive.
  static func close(_ descriptor: Int32) {
    // Unread input would make the system reset the connection.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) {
      while recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
    shutdown(descriptor, Int32(SHUT_WR))
    Glibc.close(descriptor)
  }
}
