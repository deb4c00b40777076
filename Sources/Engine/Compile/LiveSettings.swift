public import Graphs
import Realtime
import System

extension CompiledPlan {
  /// Gives nodes the settings of `graph`, which differs from the running graph only in settings that change live, as
  /// `CheckedGraph.setting` makes it. Makes the parts of these nodes anew. The parts replace the running ones at the
  /// start of the next frame, each in a slot of its own, all in the same frame. No other node is touched.
  ///
  /// With a command number they are replaced in the frame in which that command acts. Returns the nodes that were
  /// set. The others need a new plan: their settings ask for new state, other ports or other numbers, or they cannot
  /// run. [control]
  public func set(_ indexes: [Int], as graph: CheckedGraph, at command: Int64? = nil) -> Set<Int> {
    var changed = self.graph
    var made: [(index: Int, parts: NodeParts)] = []
    for index in indexes {
      let before = changed.nodes[index]
      changed.nodes[index] = graph.nodes[index]
      guard let parts = try? parts(of: index, in: changed) else {
        changed.nodes[index] = before
        continue
      }
      made.append((index, parts))
    }
    if !made.isEmpty { take(made, changed, at: command) }
    return Set(made.map(\.index))
  }

  /// The parts of a node with its settings in `graph`; nil where they cannot replace the running ones.
  private func parts(of index: Int, in graph: CheckedGraph) throws -> NodeParts? {
    let node = graph.nodes[index]
    let was = running[index]
    guard let settings = node.typed as? any RunnableSettings else { return nil }
    assert(node.settingsKey(.rebuild) == self.graph.nodes[index].settingsKey(.rebuild))
    let claimed = was.claimedBefore
    let numbers = SlotAllocator(values: claimed.values, sources: claimed.sources, bytes: claimed.bytes)
    let old = kept[was.key] ?? []
    let reuse = StateReuse(before: old, former: [])
    let shared = SharedObjects(before: shared)
    let parts = try PlanCompiler.makeParts(
      settings, index, graph, configuration, levels, pictures, looks, numbers, reuse, shared)
    guard was.takes(parts, numbers), reuse.kept.count == old.count,
      zip(reuse.kept, old).allSatisfy({ $0 === $1 }),
      shared.all.allSatisfy({ self.shared[$0.key] === $0.value })
    else { return nil }
    return parts
  }

  private func take(_ made: [(index: Int, parts: NodeParts)], _ graph: CheckedGraph, at command: Int64?) {
    plan.pointee.settings.close()
    var frameNodes: [(index: Int, node: any FrameNode)] = []
    for (index, parts) in made {
      if let block = parts.block, let op = running[index].op {
        let memory = PlanMemory()
        let isUnseen = plan.pointee.settings.put(block.settings(memory), for: op)
        // Either the settings in the slot were never taken, or the op no longer uses those taken before them.
        if !isUnseen { running[index].settings = running[index].waiting }
        running[index].waiting = memory
        // If the node is removed, the next plan fades it out with this block.
        nodes[index]?.block = block
      }
      if let node = parts.frame, let frameIndex = running[index].frameIndex {
        frameNodes.append((frameIndex, node))
      }
    }
    if !frameNodes.isEmpty {
      frames.replace(frameNodes, at: command, taken: configuration.timing?.gate.lastTaken ?? .min)
    }
    plan.pointee.settings.open()
    let controls = made.compactMap { made in made.parts.control.map { (graph.nodes[made.index].id, $0) } }
    current.withLock { current in
      current.graph = graph
      current.changes += 1
      for (id, control) in controls {
        guard let found = current.controls.firstIndex(where: { $0.id == id }) else { continue }
        current.controls[found].control = control
      }
    }
  }
}
