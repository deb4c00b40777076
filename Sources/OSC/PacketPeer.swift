import Glibc

/// Who has sent a packet to a `PacketServer`, so that it can be answered.
public struct PacketPeer: Sendable, Hashable {
  enum Way: Sendable, Hashable {
    /// A UDP port of an IPv4 address, as they are on the wire.
    case datagrams(address: UInt32, port: UInt16)
    /// A TCP connection, by its number; no number comes twice.
    case stream(Int)
  }
  let way: Way
}
