import CLiblo
import Glibc
import System

/// An IPv4 UDP port of this machine that sends datagrams to many machines and receives theirs. Only `wait` blocks.
/// [any]
package final class DatagramPort: Sendable {
  /// The destination of a datagram, in the form of the system's calls.
  package struct Peer: Sendable, Hashable {
    fileprivate let name: SocketAddress

    /// Makes the destination of a port at an address.
    package init(_ address: IPAddress, port: UInt16) { name = SocketAddress(address, port: port) }
  }

  private let descriptor: Int32
  /// Whether it has the requested port, rather than one that the system chose because another program uses it.
  package let isAsAsked: Bool

  /// Opens a port on all networks; one of the system's choice where another program uses `port`.
  package init(_ port: UInt16) throws(Errno) {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, type, Int32(IPPROTO_UDP))
    guard descriptor >= 0 else { throw Errno() }
    var yes: Int32 = 1
    _ = setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
    let everywhere = IPAddress(high: 0, low: 0xFFFF_0000_0000)
    let descriptor = descriptor
    func bind(_ port: UInt16) -> Bool {
      SocketAddress(everywhere, port: port).withPointer { Glibc.bind(descriptor, $0, $1) == 0 }
    }
    // No SO_REUSEADDR: the system would give datagrams only to the program that opened the port last.
    isAsAsked = bind(port)
    guard isAsAsked || bind(0) else {
      let error = Errno()
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Sends one datagram; returns 0 or the `errno`.
  package func send(_ bytes: UnsafeRawBufferPointer, to peer: Peer) -> Int32 {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return peer.name.withPointer {
      sendto(descriptor, bytes.baseAddress, bytes.count, flags, $0, $1) < 0 ? errno : 0
    }
  }

  /// The next datagram received, cut to the size of `buffer`; nil where none waits.
  package func receive(_ buffer: UnsafeMutableRawBufferPointer) -> (
    bytes: UnsafeRawBufferPointer, from: IPAddress
  )? {
    while true {
      let (count, sender) = SocketAddress.filled {
        recvfrom(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT), $0, $1)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0, let sender else { return nil }
      return (UnsafeRawBufferPointer(rebasing: buffer[..<count]), sender.address)
    }
  }

  /// Waits until a datagram arrives or the pipe is written to, at most `milliseconds`.
  package func wait(or wake: WakePipe, milliseconds: Int32) {
    var requests = [descriptor, wake.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&requests, 2, milliseconds) > 0 else { return }
    if requests[1].revents != 0 { wake.drain() }
  }
}
