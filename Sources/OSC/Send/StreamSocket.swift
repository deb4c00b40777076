import CLiblo
import Glibc
import System

/// System calls of a TCP connection that never block.
enum StreamSocket {
  /// What a wait has found.
  enum Event {
    case nothing, readable, writable
    /// It has ended.
    case over(Int32)
  }

  /// What the system keeps of a connection that does not go: little, as what is old is of no use to a light.
  private static let systemBuffer: Int32 = 32_768
  /// How long sent bytes may stay without an answer, in milliseconds, before a receiver counts as gone.
  private static let silence: Int32 = 5000

  /// A connection, or `errno` below zero; ends early when the pipe is written to, where there is one.
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
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, silence)
    var error: Int32 = address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 ? 0 : errno
    if error == EINPROGRESS {
      var requests = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        // Below zero it is left out.
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

  /// Waits for something to do, or for the pipe.
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

  /// Reads what is there, once, and forgets it; the `errno` where the other end is gone, else nil.
  static func readAway(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int32? {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { return nil }
    if count == 0 { return ECONNRESET }
    return errno == EAGAIN || errno == EINTR ? nil : errno
  }

  /// Sends bytes; gives how many went, or `errno` below zero.
  static func send(_ bytes: [UInt8], from start: Int, on descriptor: Int32) -> Int {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start, flags)
    }
    return count < 0 ? -Int(errno) : count
  }

  /// Ends a connection that is of no more use; the thread that waits for it sees that.
  static func cut(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Closes a connection: what was sent still arrives.
  static func close(_ descriptor: Int32) {
    // Bytes that nobody has read would have the system break it off.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) {
      while recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
    shutdown(descriptor, Int32(SHUT_WR))
    Glibc.close(descriptor)
  }
}
