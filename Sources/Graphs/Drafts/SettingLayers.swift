/// What the settings of a node come from, each above the one before: the node it is like, a file of settings, the node
/// itself, its changes by path, the command line.
///
/// A node that names a file takes nothing of the file of the node it is like, nor of the changes made to that.
struct SettingLayers<Type: NodeType> {
  /// The settings of all channels.
  private(set) var all: Type.Settings
  /// What was written for each field, wherever it comes from.
  private(set) var trees: [String: Tree]
  /// The same, but only what nodes have plainly written.
  private var own: [String: Tree]
  /// Whether the file of settings is at fault, or the node that this one is like.
  private(set) var faulty = false
  /// Whether so much of it is at fault that nobody can tell which ports the node has.
  private(set) var isVague = false
  /// How much the node takes from a file.
  private var size = 0
  /// How much nodes have plainly written, this one and those that it is like.
  private var ownSize = 0

  init(_ entry: NodeEntry, like base: SettingLayers?, baseFaulty: Bool, _ context: ReadContext) {
    all = base?.all ?? Type.Settings()
    trees = base?.trees ?? [:]
    own = base?.own ?? [:]
    size = base?.size ?? 0
    ownSize = base?.ownSize ?? 0
    isVague = base?.isVague ?? false
    // Of what is wrong there, no more is said here.
    faulty = baseFaulty
    if let file = Type.settingsFile, let tree = Self.naming(file, entry) {
      start(from: tree, file, entry, context)
    }
    // All that it takes over is looked at once more in this node, by its type.
    let taken = size + ownSize
    if taken > 0, !context.files.spend(taken, at: entry.mark, context) { faulty = true }
    var pairs = entry.pairs
    change(&pairs, entry, context)
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

  /// Where a setting was written, or what lies in it (`sounds.kick.path`); as much of the path as there is.
  func mark(at path: String) -> SourceRange? {
    let head = path.prefix { $0 != "." }
    guard var tree = trees[String(head)] else { return nil }
    var rest = path.dropFirst(head.count + 1)
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "." }
      guard let pair = tree.map?.first(where: { $0.key.text.map { $0 == name } ?? false }) else { break }
      tree = pair.value
      rest = rest.dropFirst(name.count + 1)
    }
    return tree.mark
  }

  /// The value that names a file, in the graph or on the command line.
  private static func naming(_ file: SettingsFile, _ entry: NodeEntry) -> Tree? {
    entry.overrides.last { $0.path == [file.key] }?.value ?? entry.value(of: file.key)
  }

  /// Begins anew from a file, or from nothing where the value is `none`, and what nodes have plainly written.
  private mutating func start(
    from tree: Tree, _ file: SettingsFile, _ entry: NodeEntry, _ context: ReadContext
  ) {
    (all, trees, size, faulty, isVague) = (Type.Settings(), [:], 0, false, false)
    // What is wrong with the value itself is said when it is read as a setting.
    let quiet = ReadContext(fps: context.fps, stage: context.stage, folder: context.folder)
    if case .some(.some(let name)) = GraphFile?.read(tree, as: GraphFile?.kind, quiet) {
      let found = context.within(file.key) {
        context.files.settings(of: Type.self, name, file, at: tree.mark, context)
      }
      if let found {
        (all, trees, size, faulty) = (found.all, found.trees, found.size, found.faulty)
      } else {
        faulty = true
      }
      isVague = faulty
    }
    if own.isEmpty { return }
    guard context.files.spend(ownSize, at: entry.mark, context) else { return }
    for (name, tree) in own {
      trees[name] = tree
      Type.Settings.field(name)?.read(&all, tree, context.quiet())
    }
  }

  /// Carries out the changes by path, and then those of the command line, in the pairs of the file.
  private func change(_ pairs: inout [Tree.Pair], _ entry: NodeEntry, _ context: ReadContext) {
    if entry.value(of: Type.settingsFile?.changes ?? "") == nil && entry.wholeOverrides.isEmpty { return }
    var indexes: [String: Int] = [:]
    for (index, pair) in pairs.enumerated().reversed() {
      if let key = pair.key.text, let field = Type.Settings.field(key) { indexes[field.name] = index }
    }
    if let file = Type.settingsFile, !faulty {
      // The command line may give all of them at once, in place of the file's.
      let all = entry.overrides.last { $0.path == [file.changes] }?.value ?? entry.value(of: file.changes)
      for change in all?.map ?? [] {
        guard let text = change.key.text, !text.hasPrefix("x-") else { continue }
        let path = SettingPath(text, value: change.value, creates: false)
        guard let field = Type.Settings.field(path.head), !file.fixed.contains(field.name) else {
          let known = Type.Settings.fields.map(\.name).filter { !file.fixed.contains($0) }
          let fault = SettingPath.PathError.unknown(
            path.head, place: Type.name, known: known, before: "", isSetting: true)
          report(path, fault, file.changes, at: change.key.mark, context)
          continue
        }
        let mark = change.key.mark
        guard put(path, field, in: &pairs, &indexes, file.changes, at: mark, context) else { return }
      }
    }
    for (path, value) in entry.wholeOverrides {
      // One of them is a change like any other of the command line.
      let keys = path.count > 1 && path[0] == Type.settingsFile?.changes ? path.dropFirst() : path[...]
      guard let field = keys.first.flatMap(Type.Settings.field) else {
        let names = Type.Settings.fields.map(\.name)
        let key = keys.first ?? ""
        context.report(.unknownSetting(key, of: Type.name, allowed: names, at: value.mark, quick: 0))
        continue
      }
      let path = SettingPath(keys.joined(separator: "."), value: value, creates: true)
      _ = put(path, field, in: &pairs, &indexes, nil, at: value.mark, context)
    }
  }

  /// Puts one change into the pairs; false when there is no more to spend.
  private func put(
    _ path: SettingPath, _ field: Field<Type.Settings>, in pairs: inout [Tree.Pair],
    _ indexes: inout [String: Int], _ subject: String?,
    at mark: SourceRange, _ context: ReadContext
  ) -> Bool {
    var path = path
    let index = indexes[field.name]
    let old = index.map { pairs[$0].value } ?? trees[field.name]
    do throws(SettingPath.PathError) {
      let new = try path.change(old, field.kind)
      // A field that comes from elsewhere is read a second time.
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
