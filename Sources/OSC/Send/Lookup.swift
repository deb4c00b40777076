import Glibc

/// The answer to the question for a host's addresses.
enum Lookup: Sendable {
  case addresses([SocketAddress])
  case failure(String)

  /// Asks the system; may take seconds unless the host is numeric. [network]; where it is numeric [any].
  static func ask(_ endpoint: Endpoint) -> Lookup {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_UDP)
    hints.ai_flags = AI_NUMERICSERV | (endpoint.isNumeric ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
    guard code == 0 else {
      return .failure(
        code == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let pointer = entry.ai_addr, let address = SocketAddress(pointer, length: entry.ai_addrlen) {
        addresses.append(address)
      }
      next = entry.ai_next
    }
    return .addresses(ordered(addresses))
  }

  /// IPv4 first: most receivers listen there only, and a UDP socket cannot tell before packets are lost.
  ///
  /// "localhost" would else end at ::1.
  static func ordered(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }
  }
}
