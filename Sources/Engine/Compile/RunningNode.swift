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
    _ parts: NodeParts
  ) {
    (self.key, self.first, self.last) = (key, first, last)
    (state, ports) = (parts.block?.state, parts.block?.ports ?? [])
    (stream, scene) = (parts.stream, parts.scene)
    (hasFrame, hasControl) = (parts.frame != nil, parts.control != nil)
  }

  /// Whether parts can take the place of those that run, all else staying as it is.
  func takes(_ parts: NodeParts, _ numbers: SlotAllocator) -> Bool {
    (numbers.values, numbers.sources, numbers.bytes) == last && parts.block?.state === state
      && (parts.block?.ports ?? []) == ports && parts.stream === stream && parts.scene === scene
      && (parts.frame != nil) == hasFrame && (parts.control != nil) == hasControl
  }
}
