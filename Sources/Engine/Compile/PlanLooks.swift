import Graphs

/// The levels that arrive at outputs in a scene of the graph in silence: the look in which lights may be left at the
/// end. They are computed when the plan is made, so that the end of a show does not wait for them. [control]
final class PlanLooks {
  /// A scene at a node, by the node's index.
  private struct NodeInScene: Hashable {
    let node: Int
    let scene: String
  }

  private let graph: CheckedGraph
  private let run: (CheckedGraph, _ node: Int) -> [Float]?
  private var cache: [NodeInScene: [Float]] = [:]

  /// `graph` is the graph of the plan. `run` returns the levels at the first input port of a node, by its index, in
  /// the first frame of a graph in silence; nil where the graph cannot run.
  init(_ graph: CheckedGraph, run: @escaping (CheckedGraph, _ node: Int) -> [Float]?) {
    (self.graph, self.run) = (graph, run)
  }

  /// The levels at the first input port of a node, by its index, in the first frame of a scene in silence. Empty
  /// where there is no such scene, or where the graph cannot run.
  func levels(at node: Int, in scene: String) -> [Float] {
    let place = NodeInScene(node: node, scene: scene)
    if let levels = cache[place] { return levels }
    let levels = graph.scenes.first { $0.name == scene }.flatMap { self.levels(at: node, in: $0) } ?? []
    cache[place] = levels
    return levels
  }

  private func levels(at node: Int, in scene: ShowScene) -> [Float]? {
    var graph = graph
    var isWhole = true
    for setting in scene.settings {
      let override = Override(target: setting.path, value: setting.value)
      if let (changed, _) = graph.setting(override) { graph = changed } else { isWhole = false }
    }
    if !isWhole, let typedNodes = graph.typedScenes[scene.name] {
      // Settings that only the checker can decide, such as those of a node that others are like, are as it read them.
      for index in graph.nodes.indices {
        if let typed = typedNodes[graph.nodes[index].id] { graph.nodes[index].typed = typed }
      }
    }
    let needed = Self.nodes(before: node, in: graph)
    // Nodes outside the order are not made: they open no file and draw nothing.
    graph.order = graph.order.filter(needed.contains)
    return run(graph, node)
  }

  /// The nodes that a node's levels depend on. Sound, events and pictures have no levels in silence.
  private static func nodes(before node: Int, in graph: CheckedGraph) -> Set<Int> {
    var found: Set<Int> = []
    var pending = [node]
    while let next = pending.popLast() {
      for input in graph.nodes[next].inputs where input.type?.hasLevels == true {
        for source in input.sources.joined() where found.insert(source.node).inserted {
          pending.append(source.node)
        }
      }
    }
    return found.filter { node in !graph.nodes[node].outputs.contains { $0.type == .audio } }
  }
}

extension PortType {
  /// Whether the port has one number per channel and frame.
  fileprivate var hasLevels: Bool {
    switch self {
    case .level, .decibels, .number, .light: true
    case .audio, .event, .picture, .pixels: false
    }
  }
}
