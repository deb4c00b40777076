/// Which sources every channel of every output is made from: when all of them are idle, the channel is idle. [control]
struct Lineage {
  /// By node, output and channel.
  private var sources: [[[Set<Int>]]]

  init(_ graph: CheckedGraph, sources ranges: [Range<Int>]) {
    sources = graph.nodes.map { $0.outputs.map { $0.channels.map { _ in [] } } }
    for index in graph.order {
      let node = graph.nodes[index]
      for (port, output) in node.outputs.enumerated() {
        for channel in output.channels.indices {
          sources[index][port][channel] = Self.made(node, ranges[index], port, channel, sources)
        }
      }
    }
  }

  private static func made(
    _ node: CheckedNode, _ own: Range<Int>, _ port: Int, _ channel: Int, _ known: [[[Set<Int>]]]
  ) -> Set<Int> {
    if !own.isEmpty {
      return own.count == node.outputs[port].channels.count ? [own.lowerBound + channel] : Set(own)
    }
    var all: Set<Int> = []
    for (number, input) in node.inputs.enumerated() {
      let channels: [Int]
      if number == 0, let chosen = node.makes(output: port, channel: channel) {
        channels = chosen
      } else {
        channels = channel < input.channels.count ? [channel] : Array(input.channels.indices)
      }
      for heard in channels where heard < input.sources.count {
        for source in input.sources[heard] {
          all.formUnion(known[source.node][source.output][source.channel])
        }
      }
    }
    return all
  }

  func ofLevels(_ levels: LevelNumbers) -> [Set<Int>] {
    levels.writers.map { sources[$0.node][$0.output][$0.channel] }
  }
}

extension CheckedNode {
  /// Which channels of the first input a channel of an output is made from; nil where it is the same number.
  func makes(output: Int, channel: Int) -> [Int]? {
    let type: any NodeType.Type = self.type
    return chosen(type, output, channel)
  }

  private func chosen<T: NodeType>(_ type: T.Type, _ output: Int, _ channel: Int) -> [Int]? {
    guard let settings = settings as? PerChannel<T.Settings> else { return nil }
    let shaping = Shaping(
      id: id, settings: settings, inputs: inputs.map { .init(type: $0.type, channels: $0.channels) },
      folder: "",
      report: { _, _, _ in })
    return type.makes(output: output, channel: channel, shaping: shaping)
  }
}
