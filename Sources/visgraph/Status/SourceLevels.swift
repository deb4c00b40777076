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
  private var plan: Int?

  /// Takes over what was seen of a plan at `time`, in seconds.
  mutating func take(_ seen: LevelMonitor.Snapshot, of plan: CompiledPlan, at time: Double) {
    if self.plan != plan.version.plan {
      meters = SourceMeters(plan).channels
      channels = meters.mapValues { $0.map { _ in Channel() } }
      self.plan = plan.version.plan
    }
    // Right after a change of graph the last frame may still be of the one before.
    guard seen.plan == self.plan else { return }
    let graph = plan.graph
    for (node, meters) in meters {
      for (index, meter) in meters.enumerated() {
        guard let average = meter.average, let peak = meter.peak else { continue }
        channels[node]?[index].average = seen.levels[average]
        channels[node]?[index].peak.take(seen.highest[peak], at: time)
        channels[node]?[index].gate = meter.gate.flatMap { gate in
          // A setting may have moved where it opens.
          graph.nodes[gate.node].gateOpening(channel: gate.channel).map { opening in
            ShowStatus.Gate(
              id: graph.nodes[gate.node].id,
              isOpen: seen.highest[gate.leaving] > (opening.isDecibels ? -160 : 0),
              level: seen.levels[gate.arriving], threshold: Float(opening.level),
              isDecibels: opening.isDecibels)
          }
        }
      }
    }
  }
}

/// Which levels of a plan state how loud the channels of its sources are: those of the meters wired to them. [control]
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
    /// The node, by index into the graph's nodes.
    var node: Int
    /// Its channel, by index from 0.
    var channel: Int
    /// Levels by number.
    var arriving: Int
    var leaving: Int
  }

  /// A channel of a node's first input.
  private struct Place {
    var node: Int
    var channel: Int
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]

  init(_ plan: CompiledPlan) {
    let graph = plan.graph
    let levels = plan.frames.levelNumbers
    let meters = Self.hearing(graph) { $0.type.role == .meter }
    let gates = Self.hearing(graph) { $0.gateOpening(channel: 0) != nil }
    /// The level of a node's output.
    func level(_ place: Place, _ port: String = "") -> Int? {
      levels["\(graph.nodes[place.node].id)\(port)/\(place.channel + 1)"]
    }
    for (index, node) in graph.nodes.enumerated()
    where node.inputs.isEmpty && node.outputs.first?.type == .audio {
      channels[index] = node.outputs[0].channels.indices.map { channel in
        var found = Channel()
        guard let meter = meters[.init(node: index, output: 0, channel: channel)] else { return found }
        (found.average, found.peak) = (level(meter), level(meter, ".peak"))
        if let gate = gates[.init(node: meter.node, output: 0, channel: meter.channel)],
          let arriving = found.average, let leaving = level(gate)
        {
          found.gate = Gate(node: gate.node, channel: gate.channel, arriving: arriving, leaving: leaving)
        }
        return found
      }
    }
  }

  /// The first channel of a node of a sort that hears a channel of an output, and nothing else.
  private static func hearing(
    _ graph: CheckedGraph, _ isWanted: (CheckedNode) -> Bool
  ) -> [CheckedInput.Source: Place] {
    var found: [CheckedInput.Source: Place] = [:]
    for (index, node) in graph.nodes.enumerated() where isWanted(node) {
      for (channel, sources) in (node.inputs.first?.sources ?? []).enumerated() where sources.count == 1 {
        if found[sources[0]] == nil { found[sources[0]] = Place(node: index, channel: channel) }
      }
    }
    return found
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
