/// Who has sent a packet to a `PacketServer`, so that it can be answered.
public struct PacketPeer: Sendable, Hashable, CustomStringConvertible {
  enum TransportProtocol: Sendable, Hashable {
    /// By UDP, to where its packets come from.
    case datagrams
    /// A TCP connection, by its number; no number comes twice.
    case stream(Int)
  }

  let way: TransportProtocol
  let socketAddress: SocketAddress
  /// Which of this machine's addresses was asked, where the server has several; the answer comes from there.
  var asked: DestinationAddress?

  /// The number of its TCP connection, which never comes twice; nil where it came by UDP.
  public var connection: Int? { if case .stream(let number) = way { number } else { nil } }

  /// The machine.
  public var address: IPAddress { socketAddress.address }

  /// `ADDRESS:PORT`.
  public var description: String { "\(ListenAddress(host: address, port: socketAddress.port))" }
}
