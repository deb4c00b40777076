/// Finds the type and the settings of each node, which `like:` takes over from another node, its base.
struct NodeInheritance {
  private let entries: [NodeEntry]
  private let catalog: Catalog
  private let indexes: [String: Int]
  private let broken: Set<String>
  /// The index of each entry's base; nil without a base, or if there is no such node.
  private var bases: [Int?]
  /// Whether an entry gets no draft, because its `like:` is invalid or leads to such an entry.
  private var refused: [Bool]

  /// The drafts of all nodes, in file order; nil for a node of unknown type.
  static func drafts(
    of entries: [NodeEntry], broken: Set<String>, catalog: Catalog, _ context: ReadContext
  ) -> [(any NodeDraft)?] {
    var chains = NodeInheritance(entries, broken, catalog)
    chains.findBases(context)
    let order = chains.order(context)
    var drafts = [(any NodeDraft)?](repeating: nil, count: entries.count)
    for index in order where !chains.refused[index] {
      drafts[index] = chains.draft(index, drafts, context)
    }
    return drafts
  }

  private init(_ entries: [NodeEntry], _ broken: Set<String>, _ catalog: Catalog) {
    self.entries = entries
    self.broken = broken
    self.catalog = catalog
    indexes = Dictionary(entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    bases = Array(repeating: nil, count: entries.count)
    refused = Array(repeating: false, count: entries.count)
  }

  private mutating func findBases(_ context: ReadContext) {
    for (index, entry) in entries.enumerated() {
      guard let like = entry.value(of: "like") else { continue }
      guard let other = like.text, !like.isNothing else {
        context.within(entry.id) { context.within("like") { context.expected("the id of a node", like) } }
        refused[index] = true
        continue
      }
      bases[index] = indexes[other]
      guard bases[index] == nil else { continue }
      refused[index] = true
      if !broken.contains(other) {
        let known = context.hasPlenty ? [] : entries.map(\.id)
        context.report(.unknownNode(other, known: known, at: like.mark))
      }
    }
  }

  /// The indexes of all entries, each base before the entries that are like it. Loops and chains of more than
  /// `Limits.likeChain` are reported, and their entries refused.
  private mutating func order(_ context: ReadContext) -> [Int] {
    var order: [Int] = []
    var depth = [Int](repeating: 0, count: entries.count)
    for start in entries.indices where depth[start] == 0 {
      var chain: [Int] = []
      var next: Int? = start
      while let index = next, depth[index] == 0 {
        depth[index] = -1
        chain.append(index)
        next = bases[index]
      }
      if let index = next, depth[index] == -1, let begin = chain.firstIndex(of: index) {
        let loop = chain[begin...].map { entries[$0].id }
        let first = chain[begin...].min() ?? index
        context.report(.likeLoop(loop, at: entries[first].value(of: "like")?.mark))
        for member in chain[begin...] { refused[member] = true }
      }
      for index in chain.reversed() {
        let base = bases[index]
        depth[index] = 1 + (base.map { max(depth[$0], 0) } ?? 0)
        if let base, refused[base] { refused[index] = true }
        if depth[index] > Limits.likeChain, !refused[index] {
          context.report(.likeTooLong(entries[index].id, at: entries[index].value(of: "like")?.mark))
          refused[index] = true
        }
        order.append(index)
      }
    }
    return order
  }

  private func draft(
    _ index: Int, _ drafts: [(any NodeDraft)?], _ context: ReadContext
  ) -> (any NodeDraft)? {
    let entry = entries[index]
    let base = bases[index].flatMap { drafts[$0] }
    if bases[index] != nil && base == nil { return nil }
    guard let tree = entry.value(of: "type") else {
      if let base { return Graphs.draft(of: base.type, entry, like: base, context) }
      context.report(.missingType(entry.id, known: catalog.names, at: entry.mark))
      return nil
    }
    guard let name = tree.text, !tree.isNothing else {
      context.within(entry.id) {
        context.within("type") { context.expected("the name of a node type", tree) }
      }
      return nil
    }
    guard let type = catalog[name] else {
      context.report(.unknownType(name, known: catalog.names, at: tree.mark))
      // Checks the settings as those of the type that was probably meant.
      if !context.hasPlenty, let meant = nearest(to: name, among: catalog.names).flatMap({ catalog[$0] }) {
        _ = Graphs.draft(of: meant, entry, like: base?.type == meant ? base : nil, context)
      }
      return nil
    }
    if let base, type != base.type {
      context.report(.likeOtherType(entry.id, type.name, base.id, base.type.name, at: tree.mark))
      return nil
    }
    return Graphs.draft(of: type, entry, like: base, context)
  }
}
