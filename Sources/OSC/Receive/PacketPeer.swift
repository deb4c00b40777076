/// The sender of a packet that a `PacketServer` received, so that it can be answered.
public struct PacketPeer: Sendable, Hashable, CustomStringConvertible {
  enum TransportProtocol: Sendable, Hashable {
    /// UDP; answers go to the port that its packets come from.
    case datagrams
    /// A TCP connection, by its number; numbers are not reused.
    case stream(Int)
  }

  let way: TransportProtocol
  let socketAddress: SocketAddress
  /// The local address to which it sent, where the server has several; answers are sent from there.
  var localAddress: DestinationAddress?

  /// The number of its TCP connection, which is not reused; nil for UDP.
  public var connection: Int? { if case .stream(let number) = way { number } else { nil } }

  /// The address of its machine.
  public var address: IPAddress { socketAddress.address }

  /// `ADDRESS:PORT`.
  public var description: String { "\(ListenAddress(host: address, port: socketAddress.port))" }
}
