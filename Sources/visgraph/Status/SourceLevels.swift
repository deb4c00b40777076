import Engine
import Graphs
import Nodes

/// How loud the channels of the sources are, for the screen: from one look to the next. [control]
struct SourceLevels {
  /// One channel.
  struct Channel {
    var average: Float?
    var peak = PeakHold()
    var gate: ShowStatus.Gate?
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]
  private var meters: [Int: [SourceMeters.Channel]] = [:]
  private var version: CompiledPlan.Version?

  /// Takes over what was seen of a plan at `time`, in seconds.
  mutating func take(_ seen: LevelMonitor.Snapshot, of plan: CompiledPlan, at time: Double) {
    let version = plan.version
    if self.version != version {
      meters = SourceMeters(plan).channels
      // A setting moves where a gate opens; peaks are held on.
      if self.version?.plan != version.plan { channels = meters.mapValues { $0.map { _ in Channel() } } }
      self.version = version
    }
    // Right after a change of graph the last frame may still be of the one before.
    guard seen.plan == version.plan else { return }
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

/// Which levels of a plan tell how loud the channels of its sources are: those of the meters wired to them. [control]
struct SourceMeters {
  /// One channel of one source.
  struct Channel: Sendable {
    /// Levels by number; nil where nothing measures the channel.
    var average: Int?
    var peak: Int?
    /// The first gate that the level runs into.
    var gate: Gate?
  }

  /// A gate that a channel's level runs into.
  struct Gate: Sendable {
    var id: String
    var arriving: Int
    var leaving: Int
    var opening: Double
    var isDecibels: Bool
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]

  init(_ plan: CompiledPlan) {
    let graph = plan.graph
    let levels = Dictionary(
      plan.frames.columns.map { ($0.name, $0.level) }, uniquingKeysWith: { first, _ in first })
    for (index, node) in graph.nodes.enumerated()
    where node.inputs.isEmpty && node.outputs.first?.type == .audio {
      channels[index] = node.outputs[0].channels.indices.map { channel in
        Self.measured(.init(node: index, output: 0, channel: channel), graph, levels)
      }
    }
  }

  private static func measured(
    _ source: CheckedInput.Source, _ graph: CheckedGraph, _ levels: [String: Int]
  ) -> Channel {
    var found = Channel()
    for (index, node) in graph.nodes.enumerated() where node.type.role == .meter {
      guard let place = node.inputs[0].sources.firstIndex(where: { $0 == [source] }) else { continue }
      found.average = levels["\(node.id)/\(place + 1)"]
      found.peak = levels["\(node.id).peak/\(place + 1)"]
      found.gate = gate(behind: .init(node: index, output: 0, channel: place), graph, levels)
      return found
    }
    return found
  }

  private static func gate(
    behind source: CheckedInput.Source, _ graph: CheckedGraph, _ levels: [String: Int]
  ) -> Gate? {
    for node in graph.nodes {
      guard let place = node.inputs.first?.sources.firstIndex(where: { $0 == [source] }),
        let opening = node.gateOpening(channel: place), let leaving = levels["\(node.id)/\(place + 1)"],
        let arriving = levels["\(graph.nodes[source.node].id)/\(source.channel + 1)"]
      else { continue }
      return Gate(
        id: node.id, arriving: arriving, leaving: leaving, opening: opening.level,
        isDecibels: opening.isDecibels)
    }
    return nil
  }
}

/// The highest level of late, for a screen that looks less often than levels come: up at once, held for 1.5 s, then
/// down by 20 dB a second. Also knows when there last was sound. [control]
struct PeakHold: Equatable, Sendable {
  /// How long it is held, in seconds.
  static var hold: Double { 1.5 }
  /// How fast it falls then, in dB a second.
  static var fall: Double { 20 }

  /// dBFS, -160 at the floor.
  private(set) var level: Float = -160
  /// When a level was last above the floor; nil if none ever was.
  private(set) var lastSound: Double?
  private var time = 0.0
  private var top = 0.0

  /// Takes a peak in dBFS at `time`, in seconds.
  mutating func take(_ peak: Float, at time: Double) {
    if peak > -160 { lastSound = time }
    if peak >= level {
      level = peak
      top = time
    } else if time > top + Self.hold {
      let seconds = time - max(self.time, top + Self.hold)
      level = max(peak, level - Float(max(0, seconds) * Self.fall), -160)
    }
    self.time = time
  }

  /// How long there has been no sound at `time`; nil if there never was any.
  func sinceSound(at time: Double) -> Double? { lastSound.map { max(0, time - $0) } }
}
