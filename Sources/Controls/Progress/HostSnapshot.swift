/// How the host stands, as `/visgraph/status` reports it. [port]
public struct HostSnapshot: Equatable, Sendable {
  /// Who runs the cycles: `jack` or `clock`.
  public var name: String
  /// Samples a second.
  public var rate: Int
  /// Where the timeline is, in seconds.
  public var timeline: Double
  /// The version of the program.
  public var version = ""
  /// When the show was started, as ISO 8601 writes it.
  public var started = ""
  /// For how long it has been running, in seconds.
  public var running = 0.0
  /// What is wrong with the host, a sentence each.
  public var faults: [String] = []

  /// States facts.
  public init(name: String, rate: Int, timeline: Double) {
    self.name = name
    self.rate = rate
    self.timeline = timeline
  }
}
