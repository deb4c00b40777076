import CLiblo
import Glibc
import System

/// Sends datagrams to one program and takes those that come back, by one socket. [control]
///
/// Not connected: a program that listens on all its addresses may answer from another one than it was asked at. What comes
/// from another machine than that program's is not taken.
public final class PacketExchange {
  private let descriptor: Int32
  private let address: SocketAddress
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Opens a socket; asks the system for the address of a host that has a name, which may take seconds.
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

  /// Sends a packet, and never waits; false where the system does not take it.
  @discardableResult
  public func send(_ packet: [UInt8]) -> Bool {
    packet.withUnsafeBytes { bytes in
      address.withPointer { sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
    } == packet.count
  }

  /// The next packet of that program, or of this machine, that comes within so many seconds; nil where none does.
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
      // Nobody listens (yet), or a signal came: what comes later is what counts.
      guard !deadline.isOver,
        Descriptor.waits(for: POLLIN, on: descriptor, milliseconds: deadline.milliseconds)
      else { return nil }
    }
  }
}
