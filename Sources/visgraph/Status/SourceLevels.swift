import Engine
import Graphs
import Nodes

/// The levels of the channels of all sources, for the screen, poll by poll. [control]
struct SourceLevels {
  struct Channel {
    var average: Float?
    var peak = PeakHold()
    var gate: ShowStatus.Gate?
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]
  private var meters: [Int: [SourceMeters.Channel]] = [:]
  private var plan: Int?

  /// Takes the snapshot of a plan at `time`, in s.
  mutating func take(_ seen: LevelMonitor.Snapshot, of plan: CompiledPlan, at time: Double) {
    if self.plan != plan.version.plan {
      meters = SourceMeters(plan).channels
      channels = meters.mapValues { $0.map { _ in Channel() } }
      self.plan = plan.version.plan
    }
    // Right after a change of graph, the last frame may belong to the previous plan.
    guard seen.plan == self.plan else { return }
    let graph = plan.graph
    for (node, meters) in meters {
      for (index, meter) in meters.enumerated() {
        guard let average = meter.average, let peak = meter.peak else { continue }
        channels[node]?[index].average = seen.levels[average]
        channels[node]?[index].peak.take(seen.highest[peak], at: time)
        channels[node]?[index].gate = meter.gate.flatMap { gate in
          // Read anew, because a setting may have changed the threshold.
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

/// Finds the levels that give the mean and peak of each source's channels: those of the meters that are wired to them.
/// [control]
struct SourceMeters {
  struct Channel: Sendable {
    /// Level numbers; nil: nothing measures the channel.
    var average: Int?
    var peak: Int?
    /// The first gate behind the meter.
    var gate: Gate?
  }

  struct Gate: Sendable {
    /// The node's index in the graph.
    var node: Int
    /// The channel's index, from 0.
    var channel: Int
    /// Level numbers before and behind the gate.
    var arriving: Int
    var leaving: Int
  }

  /// A channel of a node's first input.
  private struct InputChannel {
    var node: Int
    var channel: Int
  }

  /// By the node's index in the graph, then by channel.
  private(set) var channels: [Int: [Channel]] = [:]

  init(_ plan: CompiledPlan) {
    let graph = plan.graph
    let levels = plan.frames.levelNumbers
    let meters = Self.firstListeners(graph) { $0.type.role == .meter }
    let gates = Self.firstListeners(graph) { $0.gateOpening(channel: 0) != nil }
    /// The number of the level at an output of a node.
    func level(_ place: InputChannel, _ port: String = "") -> Int? {
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

  /// For each output channel, the first node of a kind whose input has this channel as its only source.
  private static func firstListeners(
    _ graph: CheckedGraph, _ isWanted: (CheckedNode) -> Bool
  ) -> [CheckedInput.Source: InputChannel] {
    var found: [CheckedInput.Source: InputChannel] = [:]
    for (index, node) in graph.nodes.enumerated() where isWanted(node) {
      for (channel, sources) in (node.inputs.first?.sources ?? []).enumerated() where sources.count == 1 {
        if found[sources[0]] == nil { found[sources[0]] = InputChannel(node: index, channel: channel) }
      }
    }
    return found
  }
}

/// A peak meter's hold: rises at once, holds for 1.5 s, then falls by 20 dB a second. The screen polls less often than
/// levels change. Also notes when there was sound. [control]
struct PeakHold: Equatable, Sendable {
  /// The hold time, in s.
  static var hold: Double { 1.5 }
  /// The fall, in dB a second.
  static var fall: Double { 20 }

  /// dBFS, at least -160.
  private(set) var level: Float = -160
  /// When a peak was last above -160 dBFS, in s; nil: it never was.
  private(set) var lastSound: Double?
  /// When a peak was taken last, and when it last reached `level`, in s.
  private var time = 0.0
  private var top = 0.0

  /// Takes a peak in dBFS at `time`, in s.
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

  /// The time since there was sound, in s; nil: there never was any.
  func sinceSound(at time: Double) -> Double? { lastSound.map { max(0, time - $0) } }
}
