import CLiblo
import Glibc
import System

/// Sends datagrams to one program and receives its answers by one socket. [control]
///
/// The socket is not connected, because a program that listens on all its addresses may answer from another address
/// than the one asked. Datagrams of other machines are dropped.
public final class PacketExchange {
  private let descriptor: Int32
  private let address: SocketAddress
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Opens a socket. Resolves the host first, which may take seconds.
  public init(_ endpoint: Endpoint) throws(PacketClient.ClientError) {
    switch Lookup.ask(endpoint) {
    case .failure(let reason): throw .unknownHost(endpoint, reason)
    case .addresses(let found):
      guard let first = found.first else { throw .unknownHost(endpoint, "it has no address") }
      address = first
    }
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(address.family, Int32(SOCK_DGRAM.rawValue | flags), 0)
    guard descriptor >= 0 else { throw .refused(endpoint, errno: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends a packet without waiting; returns false where the system refuses it.
  @discardableResult
  public func send(_ packet: [UInt8]) -> Bool {
    packet.withUnsafeBytes { bytes in
      address.withPointer { sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
    } == packet.count
  }

  /// The next packet of that program's machine, or of this one, that arrives within `seconds`, at most 60; nil where
  /// none does.
  public func receive(within seconds: Double) -> [UInt8]? {
    let deadline = Deadline.after(seconds: min(60, seconds))
    let room = buffer.count
    while true {
      let (count, sender) = SocketAddress.filled { name, length in
        recvfrom(descriptor, &buffer, room, Int32(MSG_DONTWAIT), name, length)
      }
      if count >= 0 {
        if let host = sender?.address, host.isLoopback || host == address.address {
          return Array(buffer[..<count])
        }
        if deadline.isOver { return nil }
        continue
      }
      // The port may have no receiver yet, or a signal came: wait for what comes later.
      guard !deadline.isOver,
        Descriptor.waits(for: POLLIN, on: descriptor, milliseconds: deadline.milliseconds)
      else { return nil }
    }
  }
}
