import Graphs

/// What a client may do with the pages.
enum ViewRight: Int, Comparable {
  /// Look on, at what a stage needs.
  case watch
  /// Steer as well, and look at everything.
  case steer

  static func < (a: ViewRight, b: ViewRight) -> Bool { a.rawValue < b.rawValue }
}

/// What viewers who may only look are sent: how the show goes, and neither files, targets and settings nor samples of sound.
extension ViewRight {
  /// The facts of a show that pages which look on are sent.
  private static let topics: Set<ViewTopic> = [.graph, .players, .events]
  /// The addresses, or what they begin with.
  private static let addresses = [
    "/visgraph/level", "/visgraph/master", "/visgraph/blackout", "/visgraph/scene", "/visgraph/cue",
    "/visgraph/status/state", "/visgraph/status/event", "/visgraph/status/node",
  ]
  /// Those that others lie below and are meant alone.
  private static let plainAddresses: Set<String> = Set(
    ["name", "version", "started", "host", "rate", "master", "blackout", "healthy"].map {
      "/visgraph/status/\($0)"
    })

  /// Whether facts are sent.
  func sees(_ topic: ViewTopic) -> Bool { self == .steer || Self.topics.contains(topic) }

  /// Whether what stands at an address of the control port is sent.
  func sees(_ address: String) -> Bool {
    if self == .steer || Self.plainAddresses.contains(address) { return true }
    // Where a player's file lies.
    if address.hasPrefix("/visgraph/status/node/"), address.hasSuffix("/url") { return false }
    return Self.addresses.contains { address == $0 || address.hasPrefix($0 + "/") }
  }

  /// Whether samples of sound are sent: of the places that there are, none is taken from a desk.
  var hearsSound: Bool { self == .steer }

  /// Whether LEDs are shown: who looks on has the stage.
  var seesLeds: Bool { self == .steer }
}
