import Graphs
import Nodes

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
    for (index, node) in graph.nodes.enumerated() where node.type.name == "meter" {
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
