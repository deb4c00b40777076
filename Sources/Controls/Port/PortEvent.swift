public import OSC

/// Something that happens at the control port, for whoever tells of it.
public enum PortEvent: Sendable {
  /// A message is obeyed.
  case taken(Message, PacketPeer)
  /// Something that came to an address is refused.
  case refused(address: String, ControlFault, PacketPeer)
  /// Somebody is not heard.
  case stranger(PacketServer.Stranger)
}

extension PortEvent {
  /// All of it in one line.
  public var line: String {
    switch self {
    case .taken(let message, let peer):
      "\(message.address)\(message.arguments.map { " \($0.words)" }.joined()) of \(peer)"
    case .refused(let address, let fault, let peer):
      "\(address.isEmpty ? "a packet" : address) of \(peer) is refused: \(fault) [\(fault.code)]"
    case .stranger(.notAllowed(let address)): "something of \(address) is not heard: it is not allowed"
    case .stranger(.notOSC(let address)): "a connection of \(address) is closed: it speaks no OSC"
    }
  }

  /// What is told together: one line and a count, not a flood.
  var sort: String {
    switch self {
    case .taken(let message, _): "taken \(message.address)"
    case .refused(_, let fault, _): "refused \(fault.code)"
    case .stranger(.notAllowed): "not allowed"
    case .stranger(.notOSC): "no OSC"
    }
  }

  /// How long after a line of its sort the next may come, in seconds.
  var pause: Double { if case .stranger = self { 60 } else { 1 } }
}
