import Graphs

/// What a client may do.
enum ViewRight: Int, Comparable {
  /// Watch what the stage needs.
  case watch
  /// Steer, and see everything.
  case steer

  static func < (a: ViewRight, b: ViewRight) -> Bool { a.rawValue < b.rawValue }
}

/// What clients with the right to watch are sent: the state of the show, but no files, targets, settings and samples.
extension ViewRight {
  /// The topics for watching clients.
  private static let topics: Set<ViewTopic> = [.graph, .players, .events]
  /// Addresses for watching clients, with all addresses below them.
  private static let addresses = [
    "/visgraph/level", "/visgraph/master", "/visgraph/blackout", "/visgraph/scene", "/visgraph/cue",
    "/visgraph/status/state", "/visgraph/status/event", "/visgraph/status/node",
  ]
  /// Addresses for watching clients, without those below them.
  private static let plainAddresses: Set<String> = Set(
    ["name", "version", "started", "host", "rate", "master", "blackout", "healthy"].map {
      "/visgraph/status/\($0)"
    })

  /// Whether a topic is sent.
  func sees(_ topic: ViewTopic) -> Bool { self == .steer || Self.topics.contains(topic) }

  /// Whether the value at an OSC address is sent.
  func sees(_ address: String) -> Bool {
    if self == .steer || Self.plainAddresses.contains(address) { return true }
    // The URL and the sentence of a fault have the path of the player's file.
    if address.hasPrefix("/visgraph/status/node/"),
      ["/url", "/fault"].contains(where: { address.hasSuffix($0) })
    {
      return false
    }
    return Self.addresses.contains { address == $0 || address.hasPrefix($0 + "/") }
  }

  /// Whether samples are sent. The number of probes is limited, and those who steer need them.
  var hearsSound: Bool { self == .steer }

  /// Whether LEDs are sent: a watching client has the stage.
  var seesLeds: Bool { self == .steer }
}
