/// Changes one setting of a checked graph by its declaration, without reading the file again. [control]
extension CheckedGraph {
  /// The graph with one setting changed, and the index of its node. Nil where only the checker can decide: another node
  /// is like this one; the setting does not change live, has parts, or changes ports or channels; the value is wrong,
  /// or names a file or an unknown scene.
  public func setting(_ override: Override) -> (graph: CheckedGraph, node: Int)? {
    guard let target = SettingTarget(override.target), !self.likened.contains(target.node),
      let index = nodes.firstIndex(where: { $0.id == target.node })
    else { return nil }
    let channels = nodes[index].inputs.first?.channels ?? nodes[index].outputs.first?.channels ?? []
    if let channel = target.channel, !channels.indices.contains(channel) { return nil }
    let context = ReadContext(fps: self.fps, stage: self.stage, folder: self.folder)
    // A fault leads to the checker, which reports it at its place, so this place is never shown.
    let mark = SourceRange.start()
    guard let value = override.tree(context, at: mark), !value.isNothing,
      let typed = nodes[index].typed.setting(target.setting, target.channel, to: value, context),
      typed.leavesShape(of: nodes[index], folder: self.folder, self.patch), has(typed.sceneChange?.choice),
      // This comes last, because a shape may report to the same context.
      context.count == 0
    else { return nil }
    var graph = self
    graph.nodes[index].typed = typed
    return (graph, index)
  }

  private func has(_ choice: SceneChoice?) -> Bool {
    guard case .named(let name) = choice else { return true }
    return self.scenes.contains { $0.name == name }
  }
}

extension TypedSettings {
  /// The settings with one of them, or a part of one, read anew: for one channel, or for all channels that do not set
  /// it themselves.
  fileprivate func setting(
    _ name: String, _ channel: Int?, to value: Tree, _ context: ReadContext
  ) -> (any TypedSettings)? {
    let (head, rest) = ValueKind.split(name[...])
    guard let field = Node.Settings.field(head), channel == nil || field.each,
      head != Node.settingsFile?.changes, head != Node.settingsFile?.key
    else { return nil }
    var (values, stated) = (values, stated)
    // A channel's value of a composite setting depends on the whole of it.
    if channel == nil, stated.values.contains(where: { $0.contains(field.name) }), !field.kind.isNumber,
      !field.kind.isFlag
    {
      return nil
    }
    if let channel {
      guard field.readLive(&values.each[channel, default: values.all], value, at: rest, context) else {
        return nil
      }
      stated[channel, default: []].insert(field.name)
    } else {
      guard field.readLive(&values.all, value, at: rest, context) else { return nil }
      for channel in values.each.keys where stated[channel]?.contains(field.name) != true {
        _ = field.readLive(&values.each[channel, default: values.all], value, at: rest, context)
      }
    }
    return with(values, stated: stated)
  }

  /// Whether the node keeps its ports and channels with these settings, without a fault.
  fileprivate func leavesShape(of node: CheckedNode, folder: String, _ patch: FixturePatch) -> Bool {
    guard Node.inputs(values.all).elementsEqual(node.inputs, by: { $0.name == $1.name }),
      Node.outputs(values.all).elementsEqual(node.outputs, by: { $0.name == $1.name })
    else { return false }
    let (shape, issues, placed) = Node.shape(
      id: node.id, values, inputs: node.inputs, folder: folder, patch: patch)
    return issues.isEmpty && placed.isEmpty && shape.count >= node.outputs.count
      && zip(shape, node.outputs).allSatisfy { channels, output in
        // Most channels are equal in all fields, so the fast comparison comes first.
        channels == output.channels || channels.elementsEqual(output.channels) { $0.name == $1.name }
      }
  }
}
