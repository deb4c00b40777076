/// Checks graph files against a catalog of node types. [control]
///
/// Any bytes at all end in a graph or in faults, in bounded time and memory (`Limits`).
public struct Checker: Sendable {
  /// The node types that files may use.
  public let catalog: Catalog
  /// Reads messages that a graph has done by itself; nil: they are left unread.
  private let messages: MessageCheck?

  /// Makes a checker.
  public init(_ catalog: Catalog, messages: MessageCheck? = nil) {
    self.catalog = catalog
    self.messages = messages
  }

  /// Checks a graph file.
  public func check(path: String, overrides: [Override] = []) -> CheckResult {
    check(SourceText.read(path: path), called: path, overrides, anyFile: false)
  }

  /// Checks a graph file, or a file of settings such as an emitter file.
  public func checkAnyFile(path: String, overrides: [Override] = []) -> CheckResult {
    check(SourceText.read(path: path), called: path, overrides, anyFile: true)
  }

  /// Checks what was read, or tells why nothing was.
  public func check(
    _ read: Result<SourceText, Diagnostic>, called path: String, _ overrides: [Override], anyFile: Bool
  ) -> CheckResult {
    switch read {
    case .success(let source): return check(source, overrides: overrides, anyFile: anyFile)
    case .failure(let fault):
      let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
      context.report(fault)
      return CheckResult(nil, [context], warnings: [], SourceText(path: path, bytes: []), context.files)
    }
  }

  /// Checks any bytes at all, as whatever they say they are; for fuzzing.
  public func check(bytes: [UInt8]) -> CheckResult {
    check(SourceText(path: "graph.yaml", bytes: bytes), anyFile: true)
  }

  /// Checks a text; `source.path` says which folder relative files start from. With `anyFile` it may also be a file of
  /// settings: that has no graph, and no fault when all is well.
  public func check(_ source: SourceText, overrides: [Override] = [], anyFile: Bool = false) -> CheckResult {
    let result = check(MendedText(source), shown: source, overrides, anyFile)
    guard !result.faults.isEmpty, let mended = Typography.mended(source, near: result.faults) else {
      return result
    }
    // With what was meant in their place, nothing else that is told follows from them.
    return check(mended, shown: source, overrides, anyFile)
  }

  private func check(
    _ text: MendedText, shown source: SourceText, _ overrides: [Override], _ anyFile: Bool
  ) -> CheckResult {
    let files = GraphFileCache(pictures: catalog.pictureCheck)
    let top = ReadContext(fps: FrameRate(60), stage: Stage(), folder: source.folder, files: files)
    let (tree, faults) = Composer.compose(text)
    for fault in faults { top.report(fault) }
    if let tree, let type = settingsFile(tree) {
      check(tree, faulty: !faults.isEmpty, as: type, source, overrides, anyFile: anyFile, top)
      return CheckResult(nil, [top], warnings: [], source, files, isSettingsFile: anyFile)
    }
    guard let tree, let written = pairs(of: tree, top) else {
      return CheckResult(nil, [top], warnings: [], source, files)
    }

    let pairs = MisplacedKeys(catalog, top).topLevel(written)
    func value(_ key: String) -> Tree? { pairs.first { $0.key.text == key }?.value }
    var substitution = top.within("values") {
      Substitution(value("values"), overrides: overrides.filter(\.isValue), top)
    }
    let substituted = substitution.apply(
      to: Tree(.map(pairs.filter { $0.key.text != "values" }), mark: tree.mark), top)
    var header = GraphHeader()
    header.read(substituted.map ?? [], in: "a graph file", also: GraphHeader.others, top)

    let context = ReadContext(fps: header.fps, stage: header.stage, folder: source.folder, files: files)
    context.spoiled = top.spoiled
    func part(_ key: String) -> Tree? { substituted.map?.first { $0.key.text == key }?.value }
    let (entries, left) = NodeEntry.read(
      part("nodes"), overrides: overrides.filter { !$0.isValue }, context)
    let broken = left
    let (wired, wires, order, isLoop) = wire(entries, broken, part("wires"), context)
    assert(
      top.count + context.count > 0 || !wired.contains { $0 == nil }, "a node is lost without a word")
    checkClaims(wired, entries, context)
    header.requires.check(part("requires"), catalog, isLoop ? [nil] : wired, context)
    var (scenes, nodes) = ([ShowScene](), wired)
    if !isLoop {
      let main = header.main.map { ($0, part("main")?.mark ?? substituted.mark) }
      (scenes, nodes) = SceneCheck.check(
        header.scenes, main: main, part("scenes"), entries, wired, broken: broken, isFaulty: top.count > 0,
        context
      ) { entries, context in
        wire(entries, broken, part("wires"), context).nodes
      }
    }
    var graph = CheckedGraph(
      name: header.name ?? source.title, path: source.path, client: header.client, fps: header.fps,
      stage: header.stage, nodes: nodes.compactMap { $0 }, order: order, wires: wires.count,
      files: files.paths, control: header.control, view: header.view,
      likened: Set(entries.compactMap { $0.value(of: "like")?.text }))
    graph.take(header)
    graph.scenes = scenes
    let isWell = top.count + context.count == 0
    if isWell || !header.cues.entries.isEmpty || !header.clock.isEmpty {
      let size = entries.reduce(0) { $0 + $1.pairs.reduce(0) { $0 + 1 + $1.value.size } }
      let faults = { (setting: Override) -> [Diagnostic] in
        let quiet = ReadContext(fps: header.fps, stage: header.stage, folder: source.folder, files: files)
        var entries = entries
        NodeEntry.distribute([setting], among: &entries, [], quiet)
        _ = wire(entries, broken, part("wires"), quiet)
        return quiet.diagnostics
      }
      if !header.cues.entries.isEmpty || !header.clock.isEmpty {
        var check = CueCheck(graph, size: size, messages: messages, context, faults: faults)
        (graph.cues, graph.alarms) = check.check(
          header.cues, header.clock, listMark: part("cues")?.mark, scenes: SceneCheck.names(part("scenes")),
          isWell: isWell)
      }
      // Behind the cues, which hooks may go to.
      guard isWell else {
        return CheckResult(graph, [top, context], warnings: [], source, files)
      }
      let check = HookCheck(graph: graph, size: size, messages: messages, context: context, faults: faults)
      check.check(header.hooks, at: part("hooks")?.mark)
    }
    return CheckResult(
      graph, [top, context], warnings: warnings(entries, wires) + Self.sameKeys(entries, wired), source,
      files)
  }

  /// The nodes as wired, in file order, nil where one is at fault; none where the wires go round in a loop.
  private func wire(
    _ entries: [NodeEntry], _ broken: Set<String>, _ tree: Tree?, _ context: ReadContext
  ) -> (nodes: [CheckedNode?], wires: [Wire], order: [Int], isLoop: Bool) {
    let drafts = NodeInheritance.drafts(of: entries, broken: broken, catalog: catalog, context)
    let reading = WireReading(drafts, ids: entries.map(\.id), broken: broken, context)
    let before = context.count
    let (wires, doubtful) = reading.wires(tree)
    let areTorn = context.count != before
    let (order, loop) = TopologicalOrder.order(count: drafts.count, wires: wires)
    if let loop {
      context.report(.loop(loop.map { entries[$0].id }, at: closing(loop, wires)))
      return ([], wires, order, true)
    }
    var wiring = Wiring(drafts, wires, areTorn: areTorn, catalog, context)
    return (wiring.nodes(in: order, doubtful: doubtful), wires, order, false)
  }

  /// The top level, when it is one that this visgraph can read.
  private func pairs(of tree: Tree, _ context: ReadContext) -> [Tree.Pair]? {
    guard let pairs = tree.map else {
      context.report(.notAGraph(tree))
      return nil
    }
    guard let version = pairs.first(where: { $0.key.text == "visgraph" })?.value else {
      // A key of another case is told with the others.
      if !pairs.contains(where: { $0.key.text?.lowercased() == "visgraph" }) {
        context.report(.missingVersion())
      }
      return pairs
    }
    guard let text = version.text, text != "1" else {
      if version.text == nil { context.report(.wrongVersion(version)) }
      return pairs
    }
    if Quantity(text).map({ $0.number > 1 && $0.unit.isEmpty }) == true {
      context.report(.newerVersion(text, at: version.mark))
      return nil
    }
    context.report(.wrongVersion(version))
    return pairs
  }

  /// Where the last wire of a loop in the file stands: the one that closed it.
  private func closing(_ loop: [Int], _ wires: [Wire]) -> SourceRange? {
    let followers = Dictionary(
      zip(loop, loop.dropFirst() + loop.prefix(1)).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    return wires.last { followers[$0.from] == $0.to }?.end.mark
  }

  /// Keys of the terminal that two nodes take, of which the first has them.
  private static func sameKeys(_ entries: [NodeEntry], _ nodes: [CheckedNode?]) -> [Diagnostic] {
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

  /// Reports nodes that claim what another has for itself.
  private func checkClaims(_ nodes: [CheckedNode?], _ entries: [NodeEntry], _ context: ReadContext) {
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

  private func warnings(_ entries: [NodeEntry], _ wires: [Wire]) -> [Diagnostic] {
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
  /// The keys of the terminal that they take.
  fileprivate var keys: [String] { Node.keys(values.all) }
}

extension Checker {
  /// The type whose settings a file holds, when it says so and does not say that it is a graph.
  func settingsFile(_ tree: Tree) -> (any NodeType.Type)? {
    let keys = Set((tree.map ?? []).prefix(1000).compactMap(\.key.text))
    if keys.contains("visgraph") { return nil }
    return catalog.types.first { $0.settingsFile.map { keys.contains($0.version) } == true }
  }

  /// Checks a file of settings by itself.
  func check<Type: NodeType>(
    _ tree: Tree, faulty: Bool, as type: Type.Type, _ source: SourceText, _ overrides: [Override],
    anyFile: Bool,
    _ context: ReadContext
  ) {
    guard let file = Type.settingsFile else { return }
    guard anyFile else {
      let mark = tree.map?.first { $0.key.text == file.version }?.key.mark
      return context.report(.isSettingsFile(file, at: mark ?? tree.mark))
    }
    for override in overrides {
      context.report(
        Diagnostic("not-a-graph", "\(file.noun) has neither values nor nodes to set", at: override.mark))
    }
    let settings = SettingsFileContent<Type>(tree, faulty: faulty, file, source.path, context)
    guard !settings.faulty else { return }
    // What the type finds wrong in the whole, as it would in a node that nothing is wired to.
    let inputs = Type.inputs(settings.all).map { (type: $0.accepts.first, channels: [Channel]()) }
    let shaped = Type.shape(
      id: "", PerChannel(all: settings.all), inputs: inputs, folder: context.folder)
    for fault in shaped.placed { context.report(fault) }
    for fault in shaped.issues {
      let mark = fault.field.flatMap { settings.trees[$0]?.mark } ?? tree.mark
      context.report(Diagnostic(fault.code, fault.message, at: mark))
    }
  }
}
