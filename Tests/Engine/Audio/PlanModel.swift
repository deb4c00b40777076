import Graphs

/// The samples of a graph of the plan nodes, computed naively: every channel of every output has its own samples.
struct PlanModel {
  private let graph: CheckedGraph
  private var made: [CheckedInput.Source: [Float]] = [:]
  /// The samples at each sink, by the name of its port.
  private(set) var sinkSamples: [String: [Float]] = [:]

  init(_ graph: CheckedGraph, from start: Int, count: Int, plugs: [String: [Float]] = [:]) {
    self.graph = graph
    for index in graph.order {
      let node = graph.nodes[index]
      let inputs = node.inputs.flatMap { input in input.sources.map { sum($0, count) } }
      let width = node.outputs.first?.channels.count ?? 0
      for channel in 0..<width {
        let out: [Float]
        switch node.type.name {
        case "numbers":
          let seed = (node.settings(of: Numbers.self))?.all.seed ?? 0
          out = (0..<count).map { PlanMath.number(seed, channel, start + $0) }
        case "plug":
          out = plugs["\(node.id)_\(channel + 1)"] ?? []
        case "warp":
          let factor = Float((node.settings(of: Warp.self))?.all.factor ?? 0)
          out = inputs[channel].map { PlanMath.warp($0, factor, channel) }
          made[.init(node: index, output: 1, channel: channel)] = out.map { -$0 }
        default:
          out = zip(inputs[channel], inputs[width + channel]).map { PlanMath.cross($0, $1) }
        }
        made[.init(node: index, output: 0, channel: channel)] = out
      }
      if node.type.name == "sink" {
        for (channel, input) in inputs.enumerated() { sinkSamples["\(node.id)_\(channel + 1)"] = input }
      }
    }
  }

  /// Adds in the order of the wires in the file.
  private func sum(_ sources: [CheckedInput.Source], _ count: Int) -> [Float] {
    var total = made[sources[0]] ?? []
    for source in sources.dropFirst() {
      let more = made[source] ?? []
      for i in 0..<count { total[i] += more[i] }
    }
    return total
  }
}
