/// One wire from an output port to an input port; all by index.
struct Wire {
  let from: Int
  let output: Int
  /// The channels that are picked where it starts; nil: all.
  let pick: ChannelSelector?
  let to: Int
  let input: Int
  /// The channels that it goes to where it ends; nil: as they come.
  let place: ChannelSelector?
  let start: WireEnd
  let end: WireEnd
}

/// Makes wires of chains of text, finding nodes and ports by name.
struct WireReading {
  private let drafts: [(any NodeDraft)?]
  private let ids: [String]
  private let indexes: [String: Int]
  private let broken: Set<String>
  private let context: ReadContext

  init(_ drafts: [(any NodeDraft)?], ids: [String], broken: Set<String>, _ context: ReadContext) {
    self.drafts = drafts
    self.ids = ids
    self.broken = broken
    self.context = context
    indexes = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The wires, in file order; also the nodes that a wire at fault may have been meant for.
  func wires(_ tree: Tree?) -> (wires: [Wire], doubtful: Set<Int>) {
    guard let tree, !tree.isNothing else { return ([], []) }
    guard let list = tree.list else {
      let note = tree.text.map { $0.contains("->") ? ["write - \(plain($0))"] : [] } ?? []
      context.within("wires") {
        context.expected("a list of wires such as - song -> meter", tree, notes: note)
      }
      return ([], Set(ids.indices))
    }
    var wires: [Wire] = []
    var doubtful: Set<Int> = []
    for item in list {
      guard wires.count <= Limits.wires else {
        context.report(.tooManyWires(at: item.mark))
        break
      }
      guard let text = item.text, !item.isNothing else {
        context.report(.wireNotText(item))
        doubtful.formUnion(ids.indices)
        continue
      }
      switch WireText.ends(of: item, text: text) {
      case .failure(let fault):
        context.report(fault)
        doubtful.formUnion(mentioned(in: text))
      case .success(let ends):
        for end in ends { checkNode(end, &doubtful) }
        for (index, (start, end)) in zip(ends, ends.dropFirst()).enumerated() {
          if index > 0, start.channels != nil {
            context.report(.channelsInTheMiddle(start.text, at: start.mark))
          }
          if let wire = wire(from: start, first: index == 0, to: end, last: index == ends.count - 2) {
            wires.append(wire)
          } else if let target = indexes[end.id] {
            doubtful.insert(target)
          }
        }
      }
    }
    return (wires, doubtful)
  }

  /// The nodes whose ids stand in a text that is no wire.
  private func mentioned(in text: String) -> [Int] {
    text.prefix(1000).split { !isName(String($0)) }.compactMap { indexes[String($0)] }
  }

  private func checkNode(_ end: WireEnd, _ doubtful: inout Set<Int>) {
    guard indexes[end.id] == nil, !broken.contains(end.id) else { return }
    let known = context.hasPlenty ? [] : ids
    context.report(.unknownNode(end.id, known: known, at: end.mark))
    if let meant = nearest(to: end.id, among: known).flatMap({ indexes[$0] }) { doubtful.insert(meant) }
  }

  private func wire(from start: WireEnd, first: Bool, to end: WireEnd, last: Bool) -> Wire? {
    guard let from = indexes[start.id], let to = indexes[end.id] else { return nil }
    if from == to {
      context.report(.wiredToItself(start.id, at: end.mark))
      return nil
    }
    guard let source = drafts[from], let target = drafts[to] else { return nil }
    let output = port(start, among: source.outputs.map(\.name), of: source, leaves: true, alone: first)
    let input = port(end, among: target.inputs.map(\.name), of: target, leaves: false, alone: last)
    guard let output, let input else { return nil }
    return Wire(
      from: from, output: output, pick: start.channels, to: to, input: input,
      place: last ? end.channels : nil, start: start, end: end)
  }

  /// The port that an end means; in the middle of a chain a name belongs to whichever side has it.
  private func port(
    _ end: WireEnd, among names: [String], of node: any NodeDraft, leaves: Bool, alone: Bool
  ) -> Int? {
    if names.isEmpty {
      context.report(
        leaves
          ? .noOutput(node.id, node.type.name, at: end.mark) : .noInput(node.id, node.type.name, at: end.mark)
      )
      return nil
    }
    guard let name = end.port else { return 0 }
    if let index = names.firstIndex(of: name) { return index }
    // Whether there is such a port, a fault hides.
    if node.isVague { return nil }
    let others = (leaves ? node.inputs.map(\.name) : node.outputs.map(\.name))
    if !alone && others.contains(name) { return 0 }
    // In the middle both sides would complain; once is enough.
    if alone || leaves {
      let known = alone ? names : names + others
      context.report(
        .unknownPort(
          name, of: node.id, leaves: leaves, known: known, other: others.contains(name), at: end.mark))
    }
    return nil
  }
}
