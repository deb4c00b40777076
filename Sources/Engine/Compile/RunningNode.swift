/// How a node of a running plan was made, and where its parts are: it can then be made again with other settings.
/// [control]
struct RunningNode {
  /// Identifies the node from plan to plan; settings that change live must not change it.
  let key: String
  /// The numbers claimed by the nodes before this one.
  let claimedBefore: (values: Int, sources: Int, bytes: Int)
  /// The numbers claimed by the nodes up to this one.
  let claimedAfter: (values: Int, sources: Int, bytes: Int)
  /// The block's state and the parts that must stay the same.
  let state: BlockState?
  let ports: [PortRequest]
  let stream: (any StreamedSource)?
  let scene: (any SceneNode)?
  /// Whether it has a frame part.
  let hasFrame: Bool
  /// Whether it has a control.
  let hasControl: Bool
  /// Its op in the plan.
  var op: Int?
  /// Its index among the nodes of the frame thread.
  var frameIndex: Int?
  /// The memory of the settings that the callback may be reading; nil: the plan's own memory.
  var settings: PlanMemory?
  /// The memory of the settings in the slot; nil: there are none.
  var waiting: PlanMemory?

  init(
    key: String, claimedBefore: (values: Int, sources: Int, bytes: Int),
    claimedAfter: (values: Int, sources: Int, bytes: Int),
    _ parts: NodeParts
  ) {
    (self.key, self.claimedBefore, self.claimedAfter) = (key, claimedBefore, claimedAfter)
    (state, ports) = (parts.block?.state, parts.block?.ports ?? [])
    (stream, scene) = (parts.stream, parts.scene)
    (hasFrame, hasControl) = (parts.frame != nil, parts.control != nil)
  }

  /// Whether `parts` can replace the running ones while all else stays as it is.
  func takes(_ parts: NodeParts, _ numbers: SlotAllocator) -> Bool {
    (numbers.values, numbers.sources, numbers.bytes) == claimedAfter && parts.block?.state === state
      && (parts.block?.ports ?? []) == ports && parts.stream === stream && parts.scene === scene
      && (parts.frame != nil) == hasFrame && (parts.control != nil) == hasControl
  }
}
