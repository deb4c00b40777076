/// Setting one value in a checked graph by its declaration alone, without reading the file again. [control]
extension CheckedGraph {
  /// The graph with one setting changed, and the node, by index, that has it. nil where the declaration of the setting
  /// cannot say whether all is well, and the checker must: another node is like this one, the setting lies within others
  /// or is not one that changes live, the value is wrong or names a file, or it changes ports or channels.
  public func setting(_ override: Override) -> (graph: CheckedGraph, node: Int)? {
    let path = override.target.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.count == 2 || (path.count == 4 && path[1] == "each"), !likened.contains(path[0]),
      let index = nodes.firstIndex(where: { $0.id == path[0] })
    else { return nil }
    var channel: Int?
    if path.count == 4 {
      let channels = (nodes[index].inputs.first?.channels ?? nodes[index].outputs.first?.channels ?? []).count
      guard path[2].utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(path[2]), number >= 1,
        number <= channels
      else { return nil }
      channel = number - 1
    }
    let context = ReadContext(fps: fps, stage: stage, folder: folder)
    guard let value = override.tree(context), !value.isNothing,
      let typed = nodes[index].typed.setting(path[path.count - 1], channel, to: value, context),
      context.count == 0, typed.leavesShape(of: nodes[index], folder: folder),
      // A shape may read what it needs through the same context.
      context.count == 0
    else { return nil }
    var graph = self
    graph.nodes[index].typed = typed
    return (graph, index)
  }
}

extension TypedSettings {
  /// The settings with one of them read anew, of one channel or of all that do not state it for themselves.
  fileprivate func setting(
    _ name: String, _ channel: Int?, to value: Tree, _ context: ReadContext
  ) -> (any TypedSettings)? {
    guard let field = Node.Settings.field(name), field.change == .live, !field.kind.namesFiles,
      channel == nil || field.each, name != Node.settingsFile?.changes, name != Node.settingsFile?.key
    else { return nil }
    var (values, stated) = (values, stated)
    // What a channel states within a value depends on the whole of it.
    if channel == nil, stated.values.contains(where: { $0.contains(field.name) }), !field.kind.isNumber,
      !field.kind.isFlag
    {
      return nil
    }
    if let channel {
      field.read(&values.each[channel, default: values.all], value, context)
      stated[channel, default: []].insert(field.name)
    } else {
      field.read(&values.all, value, context)
      for channel in values.each.keys where stated[channel]?.contains(field.name) != true {
        field.read(&values.each[channel, default: values.all], value, context)
      }
    }
    return with(values, stated: stated)
  }

  /// Whether a node that has these settings has the ports and channels that it had, and no fault.
  fileprivate func leavesShape(of node: CheckedNode, folder: String) -> Bool {
    guard Node.inputs(values.all).map(\.name) == node.inputs.map(\.name),
      Node.outputs(values.all).map(\.name) == node.outputs.map(\.name)
    else { return false }
    let found = IssueCollector()
    let shape = Node.shape(
      Shaping(
        id: node.id, settings: values,
        inputs: node.inputs.map { .init(type: $0.type, channels: $0.channels) }, folder: folder,
        report: { code, field, message in found.add(code, field, message) }))
    return found.take().isEmpty && shape.count >= node.outputs.count
      && zip(shape, node.outputs).allSatisfy { $0.map(\.name) == $1.channels.map(\.name) }
  }
}
