import Graphs

/// What arrives at outputs in a scene of the graph where nothing plays: how lights may be left at the end. It is made ahead,
/// so that no end has to wait for it, and none is without it. [control]
final class PlanLooks {
  /// A node, by its index, in a scene.
  private struct Place: Hashable {
    let node: Int
    let scene: String
  }

  private let graph: CheckedGraph
  private let run: (CheckedGraph, _ node: Int) -> [Float]?
  private var known: [Place: [Float]] = [:]

  /// `graph` is the one that the plan is made of; `run` gives the levels that arrive at the first input port of a node, by its
  /// index, in the first frame of a graph where nothing plays; nil where that cannot run.
  init(_ graph: CheckedGraph, run: @escaping (CheckedGraph, _ node: Int) -> [Float]?) {
    (self.graph, self.run) = (graph, run)
  }

  /// The levels that arrive at the first input port of a node, by its index, in the first frame of a scene, in silence; empty
  /// where there is no such scene, or what makes them cannot run.
  func levels(at node: Int, in scene: String) -> [Float] {
    let place = Place(node: node, scene: scene)
    if let levels = known[place] { return levels }
    let levels = graph.scenes.first { $0.name == scene }.flatMap { self.levels(at: node, in: $0) } ?? []
    known[place] = levels
    return levels
  }

  private func levels(at node: Int, in scene: ShowScene) -> [Float]? {
    var graph = graph
    for setting in scene.settings {
      let override = Override(target: setting.path, value: setting.value)
      if let (changed, _) = graph.setting(override) { graph = changed }
    }
    let needed = Self.nodes(before: node, in: graph)
    // What is not in the order is not made: files stay closed, and nothing is drawn.
    graph.order = graph.order.filter(needed.contains)
    return run(graph, node)
  }

  /// The nodes whose levels a node is made of: sound, events and pictures have none in silence.
  private static func nodes(before node: Int, in graph: CheckedGraph) -> Set<Int> {
    var found: Set<Int> = []
    var open = [node]
    while let next = open.popLast() {
      for input in graph.nodes[next].inputs where input.type?.hasLevels == true {
        for source in input.sources.joined() where found.insert(source.node).inserted {
          open.append(source.node)
        }
      }
    }
    return found.filter { node in !graph.nodes[node].outputs.contains { $0.type == .audio } }
  }
}

extension PortType {
  /// Whether it is numbers, one a frame.
  fileprivate var hasLevels: Bool {
    switch self {
    case .level, .decibels, .number, .light: true
    case .audio, .event, .picture, .pixels: false
    }
  }
}
