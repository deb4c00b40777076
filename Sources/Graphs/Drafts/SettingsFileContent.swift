/// The content of a file with the settings of a node type.
final class SettingsFileContent<Type: NodeType>: AnySettings {
  private(set) var all = Type.Settings()
  /// The written value of each field.
  private(set) var trees: [String: Tree] = [:]
  /// Whether the file has a fault, which has been reported.
  private(set) var isFaulty: Bool
  /// The number of keys and values in the file.
  let size: Int

  /// Reads the top level of a file; faults go to `context`.
  init(_ tree: Tree?, isFaulty: Bool, _ file: SettingsFile, _ path: String, _ context: ReadContext) {
    self.isFaulty = isFaulty
    size = tree?.size ?? 0
    guard let tree else { return }
    let before = context.count
    read(tree, file, path, context)
    if context.count != before { self.isFaulty = true }
  }

  private func read(_ tree: Tree, _ file: SettingsFile, _ path: String, _ context: ReadContext) {
    guard let pairs = tree.map else { return context.report(.notSettings(tree, file)) }
    guard isVersion(pairs, file, path, context) else { return }
    var header = SettingsFileHeader()
    let headings = SettingsFileHeader.fields.flatMap { [$0.name] + $0.aliases }
    header.read(pairs.filter { headings.contains($0.key.text ?? "") }, in: file.noun, context)
    var own: [Tree.Pair] = []
    for pair in pairs {
      let key = pair.key.text ?? ""
      if key == file.version || headings.contains(key) { continue }
      if key == file.key {
        context.report(.fileInFile(file, at: pair.key.mark))
      } else if file.without.contains(key) {
        context.report(.notInFile(key, file, at: pair.key.mark))
      } else {
        own.append(pair)
      }
    }
    let fields = Type.Settings.fields.map(\.name).filter { !file.without.contains($0) }
    all.read(own, in: file.noun, allowed: [file.version] + headings + fields, context)
    for pair in own {
      if let key = pair.key.text, let field = Type.Settings.field(key) { trees[field.name] = pair.value }
    }
  }

  /// Whether the file is to be read further; false for a graph, and for a newer version, of which no other fault is
  /// reported. Reports a wrong or missing version.
  private func isVersion(
    _ pairs: [Tree.Pair], _ file: SettingsFile, _ path: String, _ context: ReadContext
  ) -> Bool {
    guard let version = pairs.first(where: { $0.key.text == file.version })?.value else {
      let mark = SourceRange.start(file: path)
      let isGraph = pairs.contains { $0.key.text == "visgraph" }
      context.report(.missingVersion(file, isGraph: isGraph, at: mark))
      return !isGraph
    }
    guard let text = version.text, text != "1" else {
      if version.text == nil { context.report(.wrongVersion(version, file)) }
      return true
    }
    if Quantity(text).map({ $0.number > 1 && $0.unit.isEmpty }) == true {
      context.report(.newerVersion(text, at: version.mark))
      return false
    }
    context.report(.wrongVersion(version, file))
    return true
  }
}

extension GraphFileCache {
  /// The settings in a file, read once for each type; nil, after reporting a fault at `mark`, if the file cannot be
  /// read. Faults inside the file are reported once, at their places.
  func settings<Type: NodeType>(
    of type: Type.Type, _ name: GraphFile, _ file: SettingsFile, at mark: SourceRange, _ context: ReadContext
  ) -> SettingsFileContent<Type>? {
    content(of: name, as: file.noun, key: "\(Type.name) \(name.path)", at: mark, context) { tree, isFaulty in
      SettingsFileContent<Type>(tree, isFaulty: isFaulty, file, name.path, context)
    }
  }
}
