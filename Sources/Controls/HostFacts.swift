/// How the host stands, as `/visgraph/status` tells it. [control]
public struct HostFacts: Equatable, Sendable {
  /// Who turns the crank: `jack` or `clock`.
  public var name: String
  /// Samples a second.
  public var rate: Int
  /// Where the timeline is, in seconds.
  public var timeline: Double

  /// States facts.
  public init(name: String, rate: Int, timeline: Double) {
    self.name = name
    self.rate = rate
    self.timeline = timeline
  }
}
