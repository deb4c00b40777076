import Graphs

/// How loud the channels of the sources are, for the screen: from one look to the next. [control]
struct SourceLevels {
  /// One channel.
  struct Channel {
    var average: Float?
    var peak = HeldPeak()
    var gate: ShowStatus.Gate?
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]
  private var meters: [Int: [SourceMeters.Channel]] = [:]
  private var plan: ObjectIdentifier?

  /// Takes over what was seen of a plan at `time`, in seconds.
  mutating func take(_ seen: LevelsSeen.Sight, of plan: CompiledPlan, at time: Double) {
    if self.plan != ObjectIdentifier(plan) {
      self.plan = ObjectIdentifier(plan)
      meters = SourceMeters(plan).channels
      channels = meters.mapValues { $0.map { _ in Channel() } }
    }
    // Right after a change of graph the last frame may still be of the one before.
    guard seen.plan == self.plan else { return }
    for (node, meters) in meters {
      for (index, meter) in meters.enumerated() {
        guard let average = meter.average, let peak = meter.peak else { continue }
        channels[node]?[index].average = seen.levels[average]
        channels[node]?[index].peak.take(seen.highest[peak], at: time)
        channels[node]?[index].gate = meter.gate.map { gate in
          ShowStatus.Gate(
            id: gate.id, isOpen: seen.highest[gate.leaving] > (gate.isDecibels ? -160 : 0),
            level: seen.levels[gate.arriving], threshold: Float(gate.opening), isDecibels: gate.isDecibels)
        }
      }
    }
  }
}
