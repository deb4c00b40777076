/// The layers of a node's settings, each of which overrides those before it: a file of settings, the base that the node
/// is like, the node itself, its changes by path, the command line.
///
/// A node that names a file inherits nothing from the file of its base, nor from the changes by path to that file.
struct SettingLayers<Type: NodeType> {
  /// The settings of all channels.
  private(set) var all: Type.Settings
  /// The written value of each field, from whichever layer.
  private(set) var trees: [String: Tree]
  /// The same, but only from nodes: neither from files nor from changes by path.
  private var own: [String: Tree]
  /// Whether the file of settings or the base has a fault.
  private(set) var isFaulty = false
  /// Whether the ports of the node are unknown, because its file of settings is missing or has a fault.
  private(set) var isVague = false
  /// The number of keys and values from a file.
  private var size = 0
  /// The number of keys and values written in nodes: in this one and its bases.
  private var ownSize = 0

  init(_ entry: NodeEntry, like base: SettingLayers?, isBaseFaulty: Bool, _ context: ReadContext) {
    all = base?.all ?? Type.Settings()
    trees = base?.trees ?? [:]
    own = base?.own ?? [:]
    size = base?.size ?? 0
    ownSize = base?.ownSize ?? 0
    isVague = base?.isVague ?? false
    // Faults of the base have been reported.
    isFaulty = isBaseFaulty
    if let file = Type.settingsFile, let value = Self.fileValue(file, entry) {
      restart(from: value, file, entry, context)
    }
    // The type checks inherited values again in this node, so they count against the limit.
    let taken = size + ownSize
    if taken > 0, !context.files.spend(taken, at: entry.mark, context) { isFaulty = true }
    var pairs = entry.pairs
    applyChanges(to: &pairs, entry, context)
    all.read(pairs, in: Type.name, also: NodeEntry.keys, context)
    for pair in pairs {
      if let key = pair.key.text, let field = Type.Settings.field(key) { trees[field.name] = pair.value }
    }
    for pair in entry.pairs {
      guard let key = pair.key.text, let field = Type.Settings.field(key) else { continue }
      own[field.name] = pair.value
      ownSize += pair.value.size
    }
    if let file = Type.settingsFile { for key in [file.key, file.changes] { own[key] = nil } }
  }

  /// The place of a setting's value, or of a value in it (`sounds.kick.path`, `to.2.address`), as deep as the path
  /// exists.
  func mark(at path: String) -> SourceRange? {
    let head = path.prefix { $0 != "." }
    guard var tree = trees[String(head)] else { return nil }
    var rest = path.dropFirst(head.count + 1)
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "." }
      guard let inner = tree.part(name) else { break }
      tree = inner
      rest = rest.dropFirst(name.count + 1)
    }
    return tree.mark
  }

  /// The value that names a file: that of the command line, or else that of the graph.
  private static func fileValue(_ file: SettingsFile, _ entry: NodeEntry) -> Tree? {
    entry.overrides.last { $0.path == [file.key] }?.value ?? entry.value(of: file.key)
  }

  /// Starts again from a file, or from the defaults if the value is `none`, and applies the values written in nodes.
  private mutating func restart(
    from value: Tree, _ file: SettingsFile, _ entry: NodeEntry, _ context: ReadContext
  ) {
    (all, trees, size, isFaulty, isVague) = (Type.Settings(), [:], 0, false, false)
    // Faults of the value itself are reported when it is read as a setting.
    if case .some(.some(let name)) = GraphFile?.read(value, as: GraphFile?.kind, context.quiet()) {
      let found = context.within(file.key) {
        context.files.settings(of: Type.self, name, file, at: value.mark, context)
      }
      if let found {
        (all, trees, size, isFaulty) = (found.all, found.trees, found.size, found.isFaulty)
      } else {
        isFaulty = true
      }
      isVague = isFaulty
    }
    if own.isEmpty { return }
    guard context.files.spend(ownSize, at: entry.mark, context) else { return }
    for (name, tree) in own {
      trees[name] = tree
      Type.Settings.field(name)?.read(&all, tree, context.quiet())
    }
  }

  /// Applies the changes by path, then those of the command line, to the pairs of the node.
  private func applyChanges(to pairs: inout [Tree.Pair], _ entry: NodeEntry, _ context: ReadContext) {
    let changes = Type.settingsFile.flatMap { entry.value(of: $0.changes) }
    if changes == nil && entry.wholeOverrides.isEmpty { return }
    var indexes: [String: Int] = [:]
    for (index, pair) in pairs.enumerated().reversed() {
      if let key = pair.key.text, let field = Type.Settings.field(key) { indexes[field.name] = index }
    }
    if let file = Type.settingsFile, !isFaulty {
      // The command line may replace all changes of the file at once.
      let all = entry.overrides.last { $0.path == [file.changes] }?.value ?? changes
      for change in all?.map ?? [] {
        guard let text = change.key.text, !text.hasPrefix("x-") else { continue }
        let path = SettingPath(text, value: change.value, creates: false)
        guard let field = Type.Settings.field(path.head), !file.notByPath.contains(field.name) else {
          let known = Type.Settings.fields.map(\.name).filter { !file.notByPath.contains($0) }
          let fault = SettingPath.PathError.unknown(
            path.head, place: Type.name, known: known, before: "", isSetting: true)
          report(path, fault, file.changes, at: change.key.mark, context)
          continue
        }
        let mark = change.key.mark
        guard apply(path, field, in: &pairs, &indexes, file.changes, at: mark, context) else { return }
      }
    }
    for (path, value) in entry.wholeOverrides {
      // A single change by path is applied like any other setting of the command line.
      let keys = path.count > 1 && path[0] == Type.settingsFile?.changes ? path.dropFirst() : path[...]
      guard let field = keys.first.flatMap(Type.Settings.field) else {
        let names = Type.Settings.fields.map(\.name)
        let key = keys.first ?? ""
        context.report(.unknownSetting(key, of: Type.name, allowed: names, at: value.mark, quick: false))
        continue
      }
      let path = SettingPath(keys.joined(separator: "."), value: value, creates: true)
      _ = apply(path, field, in: &pairs, &indexes, nil, at: value.mark, context)
    }
  }

  /// Applies one change to the pairs; false if the budget of the graph is spent.
  private func apply(
    _ path: SettingPath, _ field: Field<Type.Settings>, in pairs: inout [Tree.Pair],
    _ indexes: inout [String: Int], _ subject: String?,
    at mark: SourceRange, _ context: ReadContext
  ) -> Bool {
    var path = path
    let index = indexes[field.name]
    let old = index.map { pairs[$0].value } ?? trees[field.name]
    do throws(SettingPath.PathError) {
      let new = try path.change(old, field.kind)
      // A field from another layer is read a second time.
      let cost = path.cost + (index == nil ? new.size : 0)
      guard context.files.spend(cost, at: mark, context) else { return false }
      if let index {
        pairs[index].value = new
      } else {
        indexes[field.name] = pairs.count
        pairs.append(
          Tree.Pair(key: Tree(.scalar(field.name, quoted: true), mark: path.value.mark), value: new))
      }
    } catch {
      report(path, error, subject, at: mark, context)
      return context.files.spend(path.cost, at: mark, context)
    }
    return true
  }

  private func report(
    _ path: SettingPath, _ fault: SettingPath.PathError, _ subject: String?, at mark: SourceRange,
    _ context: ReadContext
  ) {
    let quick = context.hasPlenty
    guard let subject else {
      if case .nothingInside = fault { return context.report(.nothingInside(path.text, at: mark)) }
      return context.report(.path(path, fault, in: nil, at: mark, quick: quick))
    }
    context.within(subject) {
      context.report(.path(path, fault, in: context.subject, at: mark, quick: quick))
    }
  }
}

extension Tree {
  /// The value of a key, or the entry of a list by its number from 1; of a value that is no list, 1 is the value
  /// itself, as a list of one may be written without brackets.
  fileprivate func part(_ name: Substring) -> Tree? {
    if let pair = map?.first(where: { $0.key.text.map { $0 == name } ?? false }) { return pair.value }
    guard let number = Int(name), number > 0 else { return nil }
    guard let list else { return number == 1 ? self : nil }
    return number <= list.count ? list[number - 1] : nil
  }
}
