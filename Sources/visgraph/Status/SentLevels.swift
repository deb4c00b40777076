import Engine
import Graphs
import Nodes

/// Levels that a plan measures or sends, the state of its gates, and its emitters, poll by poll. [control]
struct SentLevels {
  private struct Channel {
    var number: Int
    var name: String?
    /// Its level number.
    var level: Int
  }

  private struct Output {
    var type: PortType
    var unit: LevelUnit?
    var channels: [Channel]
  }

  private var version: CompiledPlan.Version?
  /// By the id of the osc-output.
  private var outputs: [String: Output] = [:]
  /// The nodes that measure sound, with the levels that they measure.
  private var measuring: [(id: String, outputs: [Output])] = []
  private var gates: [(id: String, isDecibels: Bool, channels: [Channel])] = []
  /// The newest levels, by level number.
  private var levels: [Float] = []
  /// Emitters that have shown something, and the reasons of those that have not.
  private var seen: Set<String> = []
  private var reasons: [String: String] = [:]
  /// When visibility is checked next, in s.
  private var nextPoll = 0.0
  /// Since when there has been sound, in s; nil: there is none.
  private var soundSince: Double?
  /// How long an emitter may wait for sound that is loud enough, in s: music often begins softly.
  private static let soundTimeout = 10.0

  /// Takes the snapshot of a plan.
  mutating func take(_ sight: LevelMonitor.Snapshot, of plan: CompiledPlan) {
    let version = plan.version
    if self.version?.plan != version.plan {
      (levels, seen) = ([], [])
      find(in: plan)
    }
    // A changed setting may have made an emitter visible.
    if self.version != version { (reasons, nextPoll) = ([:], 0) }
    self.version = version
    // Right after a change of graph, the last frame may belong to the previous plan.
    if sight.plan == version.plan { levels = sight.levels }
  }

  /// Finds the channels that a new plan measures, sends and gates, with their level numbers.
  private mutating func find(in plan: CompiledPlan) {
    let graph = plan.graph
    let numbers = plan.frames.levelNumbers
    (outputs, measuring, gates) = ([:], [], [])
    for node in graph.nodes {
      let measured = Self.measured(node, numbers)
      if !measured.isEmpty { measuring.append((node.id, measured)) }
      switch node.type.role {
      case .sender:
        guard let input = node.inputs.first, let type = input.type else { continue }
        let channels = zip(input.channels, input.sources).compactMap { channel, sources -> Channel? in
          guard let source = sources.first else { return nil }
          let from = graph.nodes[source.node]
          let port = source.output == 0 ? "" : ".\(from.outputs[source.output].name)"
          return numbers["\(from.id)\(port)/\(source.channel + 1)"].map {
            Channel(number: channel.number, name: channel.name, level: $0)
          }
        }
        outputs[node.id] = Output(type: type, unit: input.unit, channels: channels)
      case .gate:
        let channels = node.outputs[0].channels.enumerated().compactMap { index, channel in
          numbers["\(node.id)/\(index + 1)"].map {
            Channel(number: channel.number, name: channel.name, level: $0)
          }
        }
        gates.append((node.id, node.outputs[0].type != .level, channels))
      default: break
      }
    }
  }

  /// The levels that a node measures from sound. Leaves out a meter's mean and peak, which are shown with their source.
  private static func measured(_ node: CheckedNode, _ numbers: [String: Int]) -> [Output] {
    guard node.inputs.first?.type == .audio, node.type.role != .picture else { return [] }
    let ports = node.outputs.enumerated().filter { index, port in
      port.type.isLevel && (node.type.role != .meter || (index > 0 && port.name != "peak"))
    }
    return ports.map { index, port in
      let prefix = index == 0 ? node.id : "\(node.id).\(port.name)"
      let channels = port.channels.compactMap { channel in
        numbers["\(prefix)/\(channel.number)"].map { level in
          let name = port.channels.count > 1 ? channel.name ?? String(channel.number) : nil
          let words = (ports.count > 1 ? [port.name] : []) + (name.map { [$0] } ?? [])
          return Channel(
            number: channel.number, name: words.isEmpty ? channel.name : words.joined(separator: " "),
            level: level)
        }
      }
      return Output(type: port.type, unit: port.unit, channels: channels)
    }
  }

  var measurements: [ShowStatus.Measurement] {
    measuring.map { node in
      ShowStatus.Measurement(
        id: node.id,
        levels: node.outputs.flatMap { output in
          output.channels.compactMap { channel in
            guard levels.indices.contains(channel.level) else { return nil }
            return ShowStatus.ShownLevel(
              number: channel.number, name: channel.name, value: levels[channel.level], type: output.type,
              unit: output.unit)
          }
        })
    }
  }

  /// The levels that an osc-output sends, with master and blackout applied.
  func sent(by id: String, master: Float, isBlackout: Bool) -> [ShowStatus.ShownLevel] {
    guard let output = outputs[id] else { return [] }
    return output.channels.compactMap { channel in
      guard levels.indices.contains(channel.level) else { return nil }
      var value = levels[channel.level]
      if output.type == .level { value = isBlackout ? 0 : max(0, min(1, value)) * master }
      return ShowStatus.ShownLevel(
        number: channel.number, name: channel.name, value: value, type: output.type, unit: output.unit)
    }
  }

  /// The state of all gates.
  var gateStates: [ShowStatus.GateState] {
    gates.map { gate in
      ShowStatus.GateState(
        id: gate.id,
        channels: gate.channels.map { channel in
          let level = levels.indices.contains(channel.level) ? levels[channel.level] : -.infinity
          return .init(
            label: channel.name ?? String(channel.number), isOpen: level > (gate.isDecibels ? -160 : 0))
        })
    }
  }

  /// The number of living particles, and why none of them is visible. Visibility is checked once a second while there
  /// is sound, until a particle was visible.
  mutating func emitters(of plan: CompiledPlan, hasSound: Bool, at time: Double) -> [ShowStatus.EmitterState]
  {
    soundSince = hasSound ? soundSince ?? time : nil
    let isLong = soundSince.map { time - $0 >= Self.soundTimeout } ?? false
    let polls = hasSound && time >= nextPoll
    if polls { nextPoll = time + 1 }
    return plan.emitters.map { emitter in
      if polls, !seen.contains(emitter.id) {
        let sight = emitter.sight(on: plan.graph.stage)
        reasons[emitter.id] = sight.hasBirths || isLong ? sight.why(plan.graph.stage) : nil
        if sight.isSeen { seen.insert(emitter.id) }
      }
      return ShowStatus.EmitterState(
        id: emitter.id, alive: emitter.alive, nothing: hasSound ? reasons[emitter.id] : nil)
    }
  }
}
