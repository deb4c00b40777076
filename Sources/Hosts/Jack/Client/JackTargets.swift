import CJack
import Engine
import Glibc
import Graphs

/// Finds the connections that the connection rules of ports ask for, among the ports that this server has now. [jack]
struct JackTargets {
  private let client: JackClient
  /// Full names of the sound card's playback ports, in the server's order.
  private let loudspeakers: [String]
  /// Full names of the sound card's capture ports, in the server's order.
  private let microphones: [String]

  /// Reads the ports of the sound card.
  init(of client: JackClient) {
    self.client = client
    let physical = UInt(JackPortIsPhysical.rawValue)
    loudspeakers = client.ports(flags: physical | UInt(JackPortIsInput.rawValue))
    microphones = client.ports(flags: physical | UInt(JackPortIsOutput.rawValue))
  }

  /// The connections between `port` and existing ports that its rule gives, and the invalid regular expressions of
  /// the rule.
  func find(_ port: HostPort) -> (links: [JackLink], badPatterns: [String]) {
    switch port.connect {
    case .none: return ([], [])
    case .physical(let channel):
      let others = port.direction == .output ? loudspeakers : microphones
      return (links(port, others.indices.contains(channel - 1) ? [others[channel - 1]] : []), [])
    case .speakers(let channel):
      guard port.direction == .input, loudspeakers.indices.contains(channel - 1) else { return ([], []) }
      // Our own outputs are left out, because they would feed back.
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

  /// The JACK flag of ports to which a port can be connected: those of the other direction.
  private func facing(_ port: HostPort) -> UInt {
    UInt(port.direction == .output ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue)
  }
}

/// A regular expression on full port names, as JACK's own tools take them: POSIX extended, found anywhere. [jack]
struct JackPattern: ~Copyable {
  private let expression: UnsafeMutablePointer<regex_t>

  /// Compiles an expression; nil if it is invalid.
  init?(_ text: String) {
    let room = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    room.initialize(to: regex_t())
    guard regcomp(room, text, REG_EXTENDED | REG_NOSUB) == 0 else {
      room.deallocate()
      return nil
    }
    expression = room
  }

  deinit {
    regfree(expression)
    expression.deallocate()
  }

  /// Whether the expression is found in `name`.
  borrowing func matches(_ name: String) -> Bool { regexec(expression, name, 0, nil, 0) == 0 }

  /// The text between slashes; nil for a plain name.
  static func text(in rule: String) -> String? {
    guard rule.utf8.count >= 2, rule.hasPrefix("/"), rule.hasSuffix("/") else { return nil }
    return String(rule.dropFirst().dropLast())
  }
}
