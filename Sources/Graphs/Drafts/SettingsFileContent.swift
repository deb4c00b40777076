/// The settings of a type as a file of its own gives them.
final class SettingsFileContent<Type: NodeType>: AnySettings {
  private(set) var all = Type.Settings()
  /// What was written for each field.
  private(set) var trees: [String: Tree] = [:]
  /// Whether something in it is wrong, and has been reported.
  private(set) var faulty: Bool
  /// How many keys and values it holds.
  let size: Int

  /// Reads the top level of a file; `context` takes what is wrong.
  init(_ tree: Tree?, faulty: Bool, _ file: SettingsFile, _ path: String, _ context: ReadContext) {
    self.faulty = faulty
    size = tree?.size ?? 0
    guard let tree else { return }
    let before = context.count
    read(tree, file, path, context)
    if context.count != before { self.faulty = true }
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

  /// Whether the file is of the format that this visgraph reads; of one that is newer nothing else is said.
  private func isVersion(
    _ pairs: [Tree.Pair], _ file: SettingsFile, _ path: String, _ context: ReadContext
  ) -> Bool {
    guard let version = pairs.first(where: { $0.key.text == file.version })?.value else {
      let mark = SourceRange(line: 1, column: 1, endLine: 1, endColumn: 1, file: path)
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

/// One setting of a checked node as text, so that two graphs can be compared without knowing their types.
public struct SettingsText: Equatable, Sendable {
  /// The name of the setting.
  public let field: String
  /// The channel by index from 0; nil: what holds for all channels.
  public let channel: Int?
  /// What a change of it asks for.
  public let change: Change
  /// The value, as a graph file would write it.
  public let text: String
}

extension CheckedNode {
  /// All settings, in the order of the declaration: those of all channels, then those of single channels. [any]
  public var settingsTexts: [SettingsText] {
    // A stored property is not opened as an argument, a local one is.
    typed.texts(asking: nil)
  }

  /// The settings with one kind of change as one text: equal where none of them differs. Of settings within settings,
  /// such as the numbers of a cell, each has its own kind of change. [control]
  public func settingsKey(_ change: Change) -> String {
    typed.texts(asking: change).map { setting in
      "\(setting.field)\(setting.channel.map { "[\($0 + 1)]" } ?? ""): \(setting.text)"
    }.joined(separator: "\n")
  }

}

extension TypedSettings {
  /// With a kind of change: those settings alone whose change asks for it.
  fileprivate func texts(asking change: Change?) -> [SettingsText] {
    func text(_ field: Field<Node.Settings>, _ settings: Node.Settings) -> String {
      change.map { field.asking(settings, $0) } ?? field.written(settings)
    }
    let fields = Node.Settings.fields.filter { change == nil || $0.change == change }
    var texts = fields.map {
      SettingsText(field: $0.name, channel: nil, change: $0.change, text: text($0, values.all))
    }
    for (channel, own) in values.each.sorted(by: { $0.key < $1.key }) {
      for field in fields where field.each {
        texts.append(
          SettingsText(field: field.name, channel: channel, change: field.change, text: text(field, own)))
      }
    }
    return texts
  }
}
