public import Graphs
import Realtime
import System

/// How a node of a running plan was made, and where its parts stand: what is needed to make them again with other
/// settings. [control]
struct RunningNode {
  /// What it is known by from plan to plan; other settings of the same node must not change it.
  let key: String
  /// What had been claimed before it, and with it.
  let first: (values: Int, sources: Int, bytes: Int)
  let last: (values: Int, sources: Int, bytes: Int)
  /// The state its block runs on, and what else must stay the same.
  let state: BlockState?
  let ports: [PortRequest]
  let stream: (any StreamedSource)?
  let scene: (any SceneNode)?
  let hasFrame: Bool
  let hasControl: Bool
  /// Its op in the plan.
  var op: Int?
  /// Its place among the nodes of the frame thread.
  var framePlace: Int?
  /// The memory of the settings that the callback may be reading, and of those in the slot; nil for the plan's own.
  var settings: PlanMemory?
  var waiting: PlanMemory?

  init(
    key: String, first: (values: Int, sources: Int, bytes: Int),
    last: (values: Int, sources: Int, bytes: Int),
    _ makeParts: NodeParts
  ) {
    (self.key, self.first, self.last) = (key, first, last)
    (state, ports) = (makeParts.block?.state, makeParts.block?.ports ?? [])
    (stream, scene) = (makeParts.stream, makeParts.scene)
    (hasFrame, hasControl) = (makeParts.frame != nil, makeParts.control != nil)
  }

  /// Whether parts can take the place of those that run, all else staying as it is.
  func takes(_ makeParts: NodeParts, _ numbers: SlotAllocator) -> Bool {
    (numbers.values, numbers.sources, numbers.bytes) == last && makeParts.block?.state === state
      && (makeParts.block?.ports ?? []) == ports && makeParts.stream === stream && makeParts.scene === scene
      && (makeParts.frame != nil) == hasFrame && !hasControl && makeParts.control == nil
  }
}

extension CompiledPlan {
  /// Gives a node the settings that it has in a graph which is otherwise the same: its parts are made again, and take the
  /// place of those that run at the start of the next frame, each in a slot of its own. No other node is touched.
  ///
  /// False where that is not enough, and a plan must be made of the graph: the settings ask for new state, other ports or
  /// other numbers, or the node is one that can be asked for something while it runs. Throws what the node throws when
  /// it cannot run. [control]
  public func set(_ index: Int, as graph: CheckedGraph) throws -> Bool {
    let node = graph.nodes[index]
    let was = running[index]
    guard !was.hasControl, let settings = node.typed as? any RunnableSettings,
      node.settingsKey(.rebuild) == self.graph.nodes[index].settingsKey(.rebuild)
    else { return false }
    let first = was.first
    let numbers = SlotAllocator(values: first.values, sources: first.sources, bytes: first.bytes)
    let old = kept[was.key] ?? []
    let keeping = StateReuse(before: old, former: [])
    let shared = SharedObjects(before: shared)
    let makeParts = try PlanCompiler.open(
      settings, index, graph, configuration, levels, numbers, keeping, shared)
    guard was.takes(makeParts, numbers), keeping.kept.count == old.count,
      zip(keeping.kept, old).allSatisfy({ $0 === $1 }),
      shared.all.allSatisfy({ self.shared[$0.key] === $0.value })
    else { return false }
    take(makeParts, index, graph)
    return true
  }

  private func take(_ makeParts: NodeParts, _ index: Int, _ graph: CheckedGraph) {
    if let block = makeParts.block, let op = running[index].op {
      let memory = PlanMemory()
      let isUnseen = plan.pointee.settings.put(block.settings(memory), for: op)
      // Those in the slot were never taken, or what was taken before them is nobody's any more.
      if !isUnseen { running[index].settings = running[index].waiting }
      running[index].waiting = memory
      // A plan that follows finds these, should the node leave.
      nodes[index]?.block = block
    }
    if let frame = makeParts.frame, let place = running[index].framePlace { frames.replace(place, by: frame) }
    current.withLock { $0 = (graph, $0.changes + 1) }
  }
}
