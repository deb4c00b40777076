import CJack
import Graphs

/// What the rules of ports give today, on this server. [jack]
struct JackTargets {
  private let client: JackClient
  /// Full names of the audio ports that sound can go to, the sound card's only, in the server's order.
  private let loudspeakers: [String]
  private let microphones: [String]

  /// Asks the server.
  init(of client: JackClient) {
    self.client = client
    let physical = UInt(JackPortIsPhysical.rawValue)
    loudspeakers = client.ports(flags: physical | UInt(JackPortIsInput.rawValue))
    microphones = client.ports(flags: physical | UInt(JackPortIsOutput.rawValue))
  }

  /// What `port` wants to be connected to and is there, and the regular expressions that are none.
  func find(_ port: HostPort) -> (links: [JackLink], badPatterns: [String]) {
    switch port.connect {
    case .none: return ([], [])
    case .physical(let channel):
      let others = port.direction == .output ? loudspeakers : microphones
      return (links(port, others.indices.contains(channel - 1) ? [others[channel - 1]] : []), [])
    case .speakers(let channel):
      guard port.direction == .input, loudspeakers.indices.contains(channel - 1) else { return ([], []) }
      // Not what visgraph plays itself: that would be a ring.
      let feeding = client.connections(of: loudspeakers[channel - 1]).filter { !client.isOwn($0) }
      return (links(port, feeding), [])
    case .ports(let names):
      var found: [String] = []
      var bad: [String] = []
      for name in names {
        guard let text = JackPattern.text(in: name) else {
          if client.exists(name, flags: facing(port)) { found.append(name) }
          continue
        }
        guard let pattern = JackPattern(text) else {
          bad.append(text)
          continue
        }
        found += client.ports(flags: facing(port)).filter { !client.isOwn($0) && pattern.matches($0) }
      }
      return (links(port, found), bad)
    }
  }

  private func links(_ port: HostPort, _ others: [String]) -> [JackLink] {
    others.map { JackLink(port: port.name, other: client.remembered($0)) }
  }

  private func facing(_ port: HostPort) -> UInt {
    UInt(port.direction == .output ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue)
  }
}
