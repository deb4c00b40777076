import Graphs

/// A plan while it is compiled: the results of the compiler's steps so far. [control]
struct PlanDraft {
  let graph: CheckedGraph
  let configuration: StreamConfiguration
  let levels: LevelLayout
  /// The values and sources that nodes have claimed in records.
  let numbers = SlotAllocator()
  /// Objects that nodes share, by name.
  let shared: SharedObjects
  /// The nodes that move in pictures.
  let pictures = PlanPictures()
  /// The levels of scenes in silence.
  let looks: PlanLooks
  /// Owns the memory to which the audio half points.
  let memory = PlanMemory()
  /// The running parts of each node, by its index.
  var parts: [NodeParts]
  /// How each node was made; nil: it is not made yet.
  var running: [RunningNode?]
  /// The sources that each node has claimed.
  var sources: [Range<Int>]
  /// The state that every node keeps for the next plan, by key.
  var kept: [String: [AnyObject]] = [:]
  /// The nodes with a frame part, in the order in which they run; filled by `noteIndexes`.
  private(set) var frameOrder: [Int] = []
  /// The nodes of the audio half: those of the graph by their indexes, then those of the plan before that are fading
  /// out.
  var audioNodes: [AudioNode?] = []
  /// The running fades.
  var fades: [FadingWire] = []

  /// Makes the draft of a graph, without nodes. Nodes keep sharing the objects in `shared`, which come from the plan
  /// before.
  init(
    _ graph: CheckedGraph, _ configuration: StreamConfiguration, _ looks: PlanLooks,
    shared before: [String: AnyObject]
  ) {
    let count = graph.nodes.count
    (self.graph, self.configuration) = (graph, configuration)
    levels = LevelLayout(graph)
    self.looks = looks
    shared = SharedObjects(before: before)
    parts = Array(repeating: NodeParts(), count: count)
    running = Array(repeating: nil, count: count)
    sources = Array(repeating: 0..<0, count: count)
  }

  /// Gives each node that is not in the order a source that never sounds, so that its outputs are idle.
  mutating func silence() {
    guard graph.order.count < graph.nodes.count else { return }
    let made = Set(graph.order)
    for index in graph.nodes.indices where !made.contains(index) {
      let first = numbers.claimSources(1)
      sources[index] = first..<(first + 1)
    }
  }

  /// Notes where the parts of each node are in the two halves of the plan.
  mutating func noteIndexes(_ audio: AudioLayout) {
    frameOrder = runOrder()
    for (frameIndex, index) in frameOrder.enumerated() { running[index]?.frameIndex = frameIndex }
    for index in running.indices { running[index]?.op = audio.opOfNode[index] }
  }

  /// The order of the signal, but lights whose levels are ready are sent before messages. Lamps are slower than
  /// screens, and the first packets of a frame are slowed by the kernel's cold caches.
  private func runOrder() -> [Int] {
    func sends(_ index: Int) -> SentKind? { parts[index].frame?.sends }
    let lights = graph.order.filter { sends($0) == .light }.map { index in
      (index: index, inputNodes: Set(graph.nodes[index].inputs.flatMap { $0.sources.joined() }.map(\.node)))
    }
    var order: [Int] = []
    var remaining = Set(graph.order)
    for index in graph.order where remaining.contains(index) {
      if sends(index) == .message {
        for light in lights
        where remaining.contains(light.index) && light.inputNodes.isDisjoint(with: remaining) {
          order.append(light.index)
          remaining.remove(light.index)
        }
      }
      order.append(index)
      remaining.remove(index)
    }
    return order.filter { parts[$0].frame != nil }
  }

  /// The controls of its nodes, with the nodes' ids, in the order of the file.
  var controls: [(id: String, control: any NodeControl)] {
    zip(graph.nodes, parts).compactMap { node, parts in parts.control.map { (node.id, $0) } }
  }
}
