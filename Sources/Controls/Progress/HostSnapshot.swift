/// The state of the host, as `/visgraph/status` reports it. [port]
public struct HostSnapshot: Equatable, Sendable {
  /// What runs the cycles: `jack` or `clock`.
  public var name: String
  /// The sample rate in Hz.
  public var rate: Int
  /// The place on the timeline, in seconds.
  public var timeline: Double
  /// The version of the program.
  public var version = ""
  /// When the show was started, as ISO 8601 writes it.
  public var started = ""
  /// How long the show has been running, in seconds.
  public var running = 0.0
  /// Faults of the host, a sentence each.
  public var faults: [String] = []

  /// States the facts that have no default.
  public init(name: String, rate: Int, timeline: Double) {
    self.name = name
    self.rate = rate
    self.timeline = timeline
  }
}
