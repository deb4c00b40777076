/// Makes a checked graph of one text, in steps: head, nodes, wires, scenes, cues, hooks. [control]
struct GraphReading {
  private let catalog: Catalog
  private let messages: MessageCheck?
  private let source: SourceText
  private let files: GraphFileCache
  /// Collects the faults of the top level and of the head.
  private let top: ReadContext
  private let header: GraphHeader
  /// Collects all other faults. It has the frame rate and the stage of the head, by which values of nodes are read.
  private let context: ReadContext
  /// The patched fixtures of the head.
  private let patch: FixturePatch
  /// The top level, with every `${name}` replaced by its value.
  private let tree: Tree
  private let entries: [NodeEntry]
  /// The ids of nodes that could not be read. A reference to one of them is not reported.
  private let broken: Set<String>

  /// The nodes and their wires.
  private struct Wired {
    /// In file order; nil for a node with a fault. Empty if the wires form a loop.
    var nodes: [CheckedNode?]
    var wires: [Wire]
    var order: [Int] = []
    var isLoop = false
  }

  /// Reads the head and the nodes of a top level. `top` collects faults until the frame rate is known.
  init(
    _ tree: Tree, _ source: SourceText, _ overrides: [Override], _ catalog: Catalog,
    _ messages: MessageCheck?, _ top: ReadContext, _ files: GraphFileCache
  ) {
    (self.catalog, self.messages, self.source) = (catalog, messages, source)
    (self.top, self.files) = (top, files)
    let pairs = tree.map ?? []
    let values = pairs.first { $0.key.text == "values" }?.value
    var substitution = top.within("values") {
      Substitution(values, overrides: overrides.filter(\.isValue), top)
    }
    self.tree = substitution.apply(
      to: Tree(.map(pairs.filter { $0.key.text != "values" }), mark: tree.mark), top)
    var header = GraphHeader()
    header.read(self.tree.map ?? [], in: "a graph file", also: GraphHeader.others, top)
    self.header = header
    context = ReadContext(fps: header.fps, stage: header.stage, folder: source.folder, files: files)
    context.spoiled = top.spoiled
    patch = FixturePatch(header.patch, isWhole: top.count == 0, context)
    (entries, broken) = NodeEntry.read(
      self.tree.value(of: "nodes"), overrides: overrides.filter { !$0.isValue }, context)
  }

  /// Wires the nodes, then checks all that refers to nodes.
  func result() -> CheckResult {
    let wired = wire(entries, context)
    assert(
      top.count + context.count > 0 || !wired.nodes.contains { $0 == nil }, "a node is lost without a word")
    checkClaims(wired.nodes)
    header.requires.check(
      tree.value(of: "requires"), catalog, wired.isLoop ? [nil] : wired.nodes, context)
    var graph = graph(of: wired)
    checkCommands(&graph)
    return CheckResult(
      graph, [top, context], warnings: warnings(wired.wires) + sameKeys(wired.nodes), source, files)
  }

  private func wire(_ entries: [NodeEntry], _ context: ReadContext) -> Wired {
    let drafts = NodeInheritance.drafts(of: entries, broken: broken, catalog: catalog, context)
    let reading = WireReading(drafts, ids: entries.map(\.id), broken: broken, context)
    let before = context.count
    let (wires, doubtful) = reading.wires(tree.value(of: "wires"))
    let areTorn = context.count != before
    let (order, loop) = TopologicalOrder.order(count: drafts.count, wires: wires)
    if let loop {
      context.report(.loop(loop.map { entries[$0].id }, at: closing(loop, wires)))
      return Wired(nodes: [], wires: wires, order: order, isLoop: true)
    }
    var wiring = Wiring(drafts, wires, areTorn: areTorn, catalog, patch, context)
    return Wired(nodes: wiring.nodes(in: order, doubtful: doubtful), wires: wires, order: order)
  }

  /// The place of the last wire, in file order, of a loop: the wire that closed it.
  private func closing(_ loop: [Int], _ wires: [Wire]) -> SourceRange? {
    let followers = Dictionary(
      zip(loop, loop.dropFirst() + loop.prefix(1)).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    return wires.last { followers[$0.from] == $0.to }?.end.mark
  }

  /// The graph with its scenes, and with the settings of the scene that it starts in (`main`).
  private func graph(of wired: Wired) -> CheckedGraph {
    var scenes: [ShowScene] = []
    var (typed, nodes) = ([String: SceneCheck.Typed](), wired.nodes)
    if !wired.isLoop {
      let main = header.main.map { ($0, tree.value(of: "main")?.mark ?? tree.mark) }
      (scenes, typed, nodes) = SceneCheck.check(
        header.scenes, main: main, tree.value(of: "scenes"), entries, wired.nodes, broken: broken,
        isFaulty: top.count > 0, context
      ) { entries, context in
        wire(entries, context).nodes
      }
    }
    var graph = CheckedGraph(
      name: header.name ?? source.title, path: source.path, client: header.client, fps: header.fps,
      stage: header.stage, nodes: nodes.compactMap { $0 }, order: wired.order, wires: wired.wires.count,
      files: files.paths, control: header.control, view: header.view,
      likened: Set(entries.compactMap { $0.value(of: "like")?.text }))
    graph.take(header)
    graph.patch = patch
    graph.scenes = scenes
    graph.typedScenes = typed
    return graph
  }

  /// Checks cues and alarms, then hooks. Hooks may go to cues, so they are checked only if all else is valid.
  private func checkCommands(_ graph: inout CheckedGraph) {
    let isWell = top.count + context.count == 0
    let hasCues = !header.cues.entries.isEmpty || !header.clock.isEmpty
    guard isWell || hasCues else { return }
    let size = entries.reduce(0) { $0 + $1.pairs.reduce(0) { $0 + 1 + $1.value.size } }
    if hasCues {
      var check = CueCheck(
        graph, size: size, messages: messages, context, faults: faults(with:))
      (graph.cues, graph.alarms) = check.check(
        header.cues, header.clock, listMark: tree.value(of: "cues")?.mark,
        scenes: SceneCheck.names(tree.value(of: "scenes")), isWell: isWell)
    }
    guard isWell else { return }
    let check = HookCheck(
      graph: graph, size: size, messages: messages, context: context,
      faults: faults(with:))
    check.check(header.hooks, at: tree.value(of: "hooks")?.mark)
  }

  /// The faults that the graph has with a setting changed.
  private func faults(with setting: Override) -> [Diagnostic] {
    let changed = context.separate()
    var entries = entries
    NodeEntry.distribute([setting], among: &entries, [], changed)
    _ = wire(entries, changed)
    return changed.diagnostics
  }

  /// Warns of keys of the terminal that several nodes use. The first node in the file gets the key.
  private func sameKeys(_ nodes: [CheckedNode?]) -> [Diagnostic] {
    var owners: [String: String] = [:]
    var found: [Diagnostic] = []
    for case (let entry, let node?) in zip(entries, nodes) {
      for key in node.typed.keys {
        guard let owner = owners[key] else {
          owners[key] = node.id
          continue
        }
        if owner != node.id { found.append(.sameKey(key, of: node.id, and: owner, at: entry.mark)) }
      }
    }
    return found
  }

  /// Reports a node that claims what another node has claimed, such as an OSC address.
  private func checkClaims(_ nodes: [CheckedNode?]) {
    var owners: [String: String] = [:]
    for (node, entry) in zip(nodes, entries) {
      guard let node else { continue }
      for (setting, claim) in node.claims {
        if let owner = owners[claim], owner != node.id {
          context.report(
            .claimedTwice(claim, by: node.id, owner: owner, at: entry.value(of: setting)?.mark ?? entry.mark))
          break
        }
        owners[claim] = node.id
      }
    }
  }

  private func warnings(_ wires: [Wire]) -> [Diagnostic] {
    var wired: Set<Int> = []
    var seen: Set<[Int]> = []
    var found: [Diagnostic] = []
    for wire in wires {
      wired.formUnion([wire.from, wire.to])
      let plainly = wire.pick == nil && wire.place == nil
      if plainly, !seen.insert([wire.from, wire.output, wire.to, wire.input]).inserted {
        found.append(.wiredTwice(wire))
      }
    }
    for (index, entry) in entries.enumerated() where !wired.contains(index) {
      found.append(.unused(entry.id, at: entry.mark))
    }
    return found
  }
}

extension TypedSettings {
  /// The keys of the terminal that the node uses.
  fileprivate var keys: [String] { Node.keys(values.all) }
}

extension Tree {
  /// The value of a key, the first one if there are several.
  fileprivate func value(of key: String) -> Tree? { map?.first { $0.key.text == key }?.value }
}
