import Graphs

/// A plan in the making: what the steps of the compiler know of its graph, one after the other. [control]
struct PlanDraft {
  let graph: CheckedGraph
  let configuration: StreamConfiguration
  let levels: LevelLayout
  /// The values and sources that nodes have claimed in records of frames.
  let numbers = SlotAllocator()
  /// What nodes share, by name.
  let shared: SharedObjects
  /// What moves in pictures.
  let pictures = PlanPictures()
  /// How scenes look where nothing plays.
  let looks: PlanLooks
  /// Owns what the audio half points to.
  let memory = PlanMemory()
  /// The halves of each node that run, by its index.
  var parts: [NodeParts]
  /// How each node was made; nil before it is.
  var running: [RunningNode?]
  /// The sources that each node has claimed.
  var sources: [Range<Int>]
  /// What every node keeps for the next plan, by key.
  var kept: [String: [AnyObject]] = [:]
  /// The nodes with a frame part, in the order in which they run; filled by `place`.
  private(set) var frameOrder: [Int] = []
  /// What the audio half runs: the nodes of the graph by their indexes, then those of the plan before that still fade.
  var audioNodes: [AudioNode?] = []
  /// The fades among them.
  var fades: [FadingWire] = []

  /// Begins with a graph of which no node is made yet; what nodes `shared` in the plan before they share again.
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

  /// Gives nodes that are left out of the order a source that never sounds: what follows from them is idle.
  mutating func silence() {
    guard graph.order.count < graph.nodes.count else { return }
    let made = Set(graph.order)
    for index in graph.nodes.indices where !made.contains(index) {
      let first = numbers.claimSources(1)
      sources[index] = first..<(first + 1)
    }
  }

  /// Notes where the parts of each node stand in the two halves of the plan.
  mutating func place(_ audio: AudioLayout) {
    frameOrder = runOrder()
    for (place, index) in frameOrder.enumerated() { running[index]?.framePlace = place }
    for index in running.indices { running[index]?.op = audio.opOfNode[index] }
  }

  /// The order of the signal, but that no message leaves ahead of light whose levels are there by then. Lamps are slower than
  /// screens, and the first packets of a frame find a kernel whose caches are cold.
  private func runOrder() -> [Int] {
    func sends(_ index: Int) -> SentKind? { parts[index].frame?.sends }
    let lights = graph.order.filter { sends($0) == .light }.map { index in
      (index: index, hears: Set(graph.nodes[index].inputs.flatMap { $0.sources.joined() }.map(\.node)))
    }
    var order: [Int] = []
    var left = Set(graph.order)
    for index in graph.order where left.contains(index) {
      if sends(index) == .message {
        for light in lights where left.contains(light.index) && light.hears.isDisjoint(with: left) {
          order.append(light.index)
          left.remove(light.index)
        }
      }
      order.append(index)
      left.remove(index)
    }
    return order.filter { parts[$0].frame != nil }
  }

  /// What can be asked of its nodes, with their ids, in the order of the file.
  var controls: [(id: String, control: any NodeControl)] {
    zip(graph.nodes, parts).compactMap { node, parts in parts.control.map { (node.id, $0) } }
  }
}
