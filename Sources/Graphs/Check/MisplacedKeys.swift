/// Finds keys in the wrong place, as in first files: a setting one level too far left, a node outside of `nodes:`, a
/// colon without a space, another word for `wires:`. Each is reported, and moved to where it was meant, so that the
/// rest of the file is checked and no fault follows from the first. [control]
struct MisplacedKeys {
  private let catalog: Catalog
  private let context: ReadContext

  /// Faults go to `context`.
  init(_ catalog: Catalog, _ context: ReadContext) {
    self.catalog = catalog
    self.context = context
  }

  /// Returns the top level of a file with misplaced keys moved.
  func topLevel(_ pairs: [Tree.Pair]) -> [Tree.Pair] {
    let known = GraphHeader.others + GraphHeader.fields.flatMap { [$0.name] + $0.aliases }
    let present = Set(pairs.compactMap(\.key.text))
    var result: [Tree.Pair] = []
    var nodes: Int?
    var strayNodes: [Tree.Pair] = []
    var straySettings: [Tree.Pair] = []
    // Whether the previous key was `nodes`, or was moved below it.
    var isBelowNodes = false
    for var pair in pairs {
      var key = pair.key.text ?? ""
      if !known.contains(key), known.contains(key.lowercased()), !present.contains(key.lowercased()) {
        // `Nodes:`
        let meant = key.lowercased()
        context.report(
          .unknownSetting(
            key, of: "a graph file", allowed: known, at: pair.key.mark, quick: false, meant: meant))
        pair.key.content = .scalar(meant, quoted: true)
        key = meant
      }
      if key.hasPrefix("x-") || known.contains(key) {
        isBelowNodes = key == "nodes"
        if isBelowNodes {
          nodes = result.count
          pair.value = self.nodes(pair.value)
        }
        result.append(pair)
      } else if isNode(pair.value) {
        strayNodes.append(pair)
      } else if isBelowNodes, strayNodes.isEmpty, let last = nodes.flatMap({ result[$0].value.map?.last }),
        belongs(pair, to: last, straySettings)
      {
        straySettings.append(pair)
      } else if let meant = meant(by: pair.value), !present.contains(meant) {
        context.report(
          .unknownSetting(
            key, of: "a graph file", allowed: known, at: pair.key.mark, quick: false, meant: meant))
        pair.key.content = .scalar(meant, quoted: true)
        if meant == "nodes" {
          nodes = result.count
          pair.value = self.nodes(pair.value)
        }
        isBelowNodes = meant == "nodes"
        result.append(pair)
      } else {
        isBelowNodes = false
        result.append(pair)
      }
    }
    if let nodes, var below = result[nodes].value.map, let last = below.last {
      take(straySettings, into: &below[below.count - 1], after: last)
      result[nodes].value.content = .map(below)
    }
    take(strayNodes, at: nodes, into: &result)
    return result
  }

  private func take(_ strays: [Tree.Pair], at nodes: Int?, into result: inout [Tree.Pair]) {
    guard let first = strays.first else { return }
    context.report(.misplacedNodes(strays.compactMap(\.key.text), hasNodes: nodes != nil, at: first.key.mark))
    let strays = strays.map { Tree.Pair(key: $0.key, value: self.node($0.value)) }
    guard let nodes else {
      let key = Tree(.scalar("nodes", quoted: true), mark: first.key.mark)
      return result.append(Tree.Pair(key: key, value: Tree(.map(strays), mark: first.key.mark)))
    }
    let before = result[nodes].value.map ?? []
    guard !before.isEmpty || result[nodes].value.isNothing else { return }
    let names = Set(before.compactMap(\.key.text))
    result[nodes].value.content = .map(before + strays.filter { !names.contains($0.key.text ?? "") })
  }

  /// Returns the value of `nodes:` with misplaced keys moved.
  private func nodes(_ tree: Tree) -> Tree {
    let tree = tree.list.flatMap { map(of: $0, tree) } ?? tree
    guard let pairs = tree.map else { return tree }
    var result: [Tree.Pair] = []
    var strays: [Tree.Pair] = []
    func flush() {
      if let last = result.last { take(strays, into: &result[result.count - 1], after: last) }
      strays = []
    }
    for pair in pairs {
      if let last = result.last, belongs(pair, to: last, strays) {
        strays.append(pair)
      } else {
        flush()
        result.append(Tree.Pair(key: pair.key, value: node(pair.value, id: pair.key.text)))
      }
    }
    flush()
    var mended = tree
    mended.content = .map(result)
    return mended
  }

  /// Returns a list of nodes (`- song: { … }` or `- id: song`) as a map; nil if an item has no id, or two have the
  /// same.
  private func map(of list: [Tree], _ tree: Tree) -> Tree? {
    var pairs: [Tree.Pair] = []
    for item in list {
      guard let own = item.map, let first = own.first else { return nil }
      if own.count == 1, !isNode(item), first.value.map != nil || first.value.isNothing {
        pairs.append(first)
      } else if let id = own.first(where: { ["id", "name"].contains($0.key.text) && $0.value.text != nil }) {
        let rest = own.filter { $0.key.text != id.key.text }
        pairs.append(Tree.Pair(key: id.value, value: Tree(.map(rest), mark: item.mark)))
      } else if first.value.isNothing {
        // `- song:` with settings that are not indented deeper than the id.
        pairs.append(Tree.Pair(key: first.key, value: Tree(.map(Array(own.dropFirst())), mark: item.mark)))
      } else {
        return nil
      }
    }
    guard !pairs.isEmpty, Set(pairs.map(\.key.text)).count == pairs.count else { return nil }
    context.report(.nodesInList(pairs[0].key.text ?? "", at: list[0].mark))
    var map = tree
    map.content = .map(pairs)
    return map
  }

  /// Moves settings into the node that they follow.
  private func take(_ strays: [Tree.Pair], into node: inout Tree.Pair, after last: Tree.Pair) {
    guard let first = strays.first else { return }
    let isFlow = last.value.map?.isEmpty == false && last.value.mark.line == last.key.mark.line
    context.report(
      .misplacedSettings(
        strays.compactMap(\.key.text), of: "node \(plain(last.key.text ?? ""))", isFlow: isFlow,
        at: first.key.mark))
    let own = node.value.map ?? []
    let names = Set(own.compactMap(\.key.text))
    node.value = self.node(
      Tree(.map(own + strays.filter { !names.contains($0.key.text ?? "") }), mark: node.value.mark))
  }

  /// Returns the settings of a node with missing spaces and colons added, and a type alone put under `type`.
  private func node(_ tree: Tree, id: String? = nil) -> Tree {
    var tree = tree
    if let text = tree.text, !tree.isNothing {
      if let id, catalog[text] != nil {
        context.report(.typeAlone(id, text, at: tree.mark))
        tree.content = .map([Tree.Pair(key: scalar("type", at: tree.mark), value: tree)])
      } else if let (key, value) = MissingSpace.parts(text), isSetting(key, of: nil) {
        context.report(.missingSpace(key, value, at: tree.mark))
        tree.content = .map([Tree.Pair(key: scalar(key, at: tree.mark), value: scalar(value, at: tree.mark))])
      }
      return tree
    }
    guard let pairs = tree.map else { return tree }
    let type = type(of: pairs)
    let names = Set(pairs.compactMap(\.key.text))
    tree.content = .map(
      pairs.map { pair in
        guard let text = pair.key.text, !NodeEntry.keys.contains(text) else { return pair }
        if NodeEntry.keys.contains(text.lowercased()), !names.contains(text.lowercased()) {
          // `Type: meter`
          let meant = text.lowercased()
          context.report(
            .unknownSetting(
              text, of: "a node", allowed: NodeEntry.keys, at: pair.key.mark, quick: false, meant: meant))
          return Tree.Pair(key: scalar(meant, at: pair.key.mark), value: pair.value)
        }
        guard pair.value.isNothing else { return pair }
        if let (key, value) = MissingSpace.parts(text), isSetting(key, of: type), !names.contains(key) {
          context.report(.missingSpace(key, value, at: pair.key.mark))
          return Tree.Pair(key: scalar(key, at: pair.key.mark), value: scalar(value, at: pair.key.mark))
        }
        if let (key, value) = LineText.keyWithoutColon(text[...]), !value.isEmpty, isSetting(key, of: type),
          !names.contains(key)
        {
          context.report(.missingColon(key, value, at: pair.key.mark))
          return Tree.Pair(key: scalar(key, at: pair.key.mark), value: scalar(value, at: pair.key.mark))
        }
        return pair
      })
    return tree
  }

  private func scalar(_ text: String, at mark: SourceRange) -> Tree {
    Tree(.scalar(text, quoted: false), mark: mark)
  }

  // MARK: - What is what

  private func isNode(_ tree: Tree) -> Bool {
    tree.map?.prefix(100).contains { ["type", "like"].contains($0.key.text?.lowercased()) } == true
  }

  /// The key that takes such a value: `wires` or `nodes`; nil for neither.
  private func meant(by tree: Tree) -> String? {
    let first = tree.list?.first ?? tree
    if let text = first.text { return text.utf8.count < 1000 && text.contains("->") ? "wires" : nil }
    return tree.map?.first.map { isNode($0.value) } == true ? "nodes" : nil
  }

  /// Whether a pair is a setting of the node that it follows, and not a node itself.
  private func belongs(_ pair: Tree.Pair, to last: Tree.Pair, _ strays: [Tree.Pair]) -> Bool {
    guard let key = pair.key.text, !key.hasPrefix("x-"), !isNode(pair.value), !pair.value.isNothing,
      last.value.map != nil || last.value.isNothing,
      pair.value.text.map({ catalog[$0] == nil }) ?? true
        || key == "type"
    else { return false }
    if NodeEntry.keys.contains(key) { return true }
    let type = type(of: (last.value.map ?? []) + strays)
    guard pair.value.map == nil || type?.setting(at: key)?.kind.takesMap == true else { return false }
    return isSetting(key, of: type)
  }

  private func type(of pairs: [Tree.Pair]) -> (any NodeType.Type)? {
    pairs.first { $0.key.text == "type" }?.value.text.flatMap { catalog[$0] }
  }

  /// Whether a node type has a setting; without a type, whether any type has.
  private func isSetting(_ key: String, of type: (any NodeType.Type)?) -> Bool {
    if NodeEntry.keys.contains(key) { return true }
    if let type { return type.hasSetting(key) }
    return catalog.types.contains { $0.hasSetting(key) }
  }
}

extension ValueKind {
  /// Whether a value of this kind may be a map.
  fileprivate var takesMap: Bool {
    switch self {
    case .map, .record, .anything: true
    case .oneOf(let kinds): kinds.contains(where: \.takesMap)
    default: false
    }
  }

  /// The record in values of this kind that has a field `key`. `isNamed`: the record stands under names of the
  /// author's choice.
  func record(with key: String) -> (record: any FieldRecord.Type, isNamed: Bool)? {
    switch self {
    case .record(let record): return record.hasField(key) ? (record, false) : nil
    case .map(let inner): return inner.record(with: key).map { ($0.record, true) }
    case .oneOf(let kinds): return kinds.lazy.compactMap { $0.record(with: key) }.first
    default: return nil
    }
  }
}

extension FieldRecord {
  fileprivate static func hasField(_ name: String) -> Bool { field(name) != nil }
}
