/// A node whose type and settings are known, but whose channels are not yet.
protocol NodeDraft: AnyObject {
  var id: String { get }
  /// The place of its id.
  var mark: SourceRange { get }
  var type: any NodeType.Type { get }
  var inputs: [InputPort] { get }
  var outputs: [OutputPort] { get }
  /// Whether the node has a fault. Faults that would follow from it are not reported.
  var isFaulty: Bool { get }
  /// Whether its ports are unknown because of a fault.
  var isVague: Bool { get }
  /// Reads `each:` now that the channels are known.
  func readEach(for channels: [Channel], budget: inout Int, _ context: ReadContext)
  /// Returns the channels of each output, from the type's `shape`; nil after reporting a fault.
  func shape(
    _ inputs: [CheckedInput], _ patch: FixturePatch, _ context: ReadContext
  ) -> [[Channel]]?
  func checked(inputs: [CheckedInput], outputs: [CheckedOutput]) -> CheckedNode
}

/// Makes the draft of a node of any type.
func draft<Type: NodeType>(
  of type: Type.Type, _ entry: NodeEntry, like base: (any NodeDraft)?, _ context: ReadContext
) -> any NodeDraft {
  TypedDraft<Type>(entry, like: base as? TypedDraft<Type>, context)
}

final class TypedDraft<Type: NodeType>: NodeDraft {
  private struct Each {
    let key: Tree
    var pairs: [Tree.Pair] = []
    /// One setting by its path, from the command line; nil: `pairs` has the settings.
    var change: SettingPath?
  }

  let id: String
  let mark: SourceRange
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private(set) var isFaulty = false
  private var settings: PerChannel<Type.Settings>
  /// The entries of `each:`, those inherited by `like:` first.
  private var each: [Each]
  /// The number of inherited entries, whose faults have been reported.
  private let inheritedEach: Int
  /// The values that `each:` has given so far, by channel and setting; kept only if a change by path needs them.
  private var written: [Int: [String: Tree]] = [:]
  private var hasChanges = false
  /// The settings of which single channels have values of their own, by channel.
  private var stated: [Int: Set<String>] = [:]
  /// The layers of which the settings of all channels are made.
  private let layers: SettingLayers<Type>

  var type: any NodeType.Type { Type.self }
  var isVague: Bool { layers.isVague }

  init(_ entry: NodeEntry, like base: TypedDraft?, _ context: ReadContext) {
    id = entry.id
    mark = entry.mark
    let before = context.count
    layers = context.within(entry.id) {
      SettingLayers(entry, like: base?.layers, isBaseFaulty: base?.isFaulty == true, context)
    }
    settings = PerChannel(all: layers.all)
    inputs = Type.inputs(layers.all)
    outputs = Type.outputs(layers.all)
    each = base?.each ?? []
    inheritedEach = each.count
    if let tree = entry.value(of: "each") { readEachKeys(tree, context) }
    for (path, value) in entry.eachOverrides {
      let setting = SettingPath(path.dropFirst(2).joined(separator: "."), value: value, creates: true)
      each.append(Each(key: Tree(.scalar(path[1], quoted: true), mark: value.mark), change: setting))
    }
    isFaulty = context.count != before || layers.isFaulty || base?.isFaulty == true
  }

  private func readEachKeys(_ tree: Tree, _ context: ReadContext) {
    if tree.isNothing { return }
    context.within(id) {
      context.within("each") {
        guard let pairs = tree.map else {
          return context.expected("a map from channels to settings, such as { 2: { … } }", tree)
        }
        for pair in pairs where pair.key.text?.hasPrefix("x-") != true {
          if let settings = pair.value.map {
            each.append(Each(key: pair.key, pairs: settings))
          } else if !pair.value.isNothing {
            context.within(pair.key.text ?? "") { context.expected("a map of settings", pair.value) }
          }
        }
      }
    }
  }

  func readEach(for channels: [Channel], budget: inout Int, _ context: ReadContext) {
    let before = context.count
    defer { if context.count != before { isFaulty = true } }
    let names = ChannelNames(channels)
    hasChanges = each.contains { $0.change != nil }
    for (number, entry) in each.enumerated() {
      switch ChannelSelector(entry.key.text ?? "", at: entry.key.mark)
        .indexes(among: names, of: id, suggesting: !context.hasPlenty)
      {
      case .failure(let fault): context.report(fault)
      case .success(let indexes):
        budget -= indexes.count * max(entry.pairs.count, 1)
        guard budget >= 0 else { return context.report(.tooManyEach(at: entry.key.mark)) }
        for (position, index) in indexes.enumerated() {
          // Reports the faults of an entry at its first channel only.
          let first = position == 0 && number >= inheritedEach
          let quiet = context.quiet()
          read(entry, into: index, first ? context : quiet)
        }
      }
    }
  }

  private func read(_ entry: Each, into index: Int, _ context: ReadContext) {
    var own = settings.each[index] ?? settings.all
    let given = entry.change.map { changed($0, index, context) } ?? entry.pairs
    for pair in given {
      guard let field = pair.key.text.flatMap(Type.Settings.field) else { continue }
      stated[index, default: []].insert(field.name)
      if hasChanges { written[index, default: [:]][field.name] = pair.value }
    }
    let single = Type.Settings.fields.filter(\.each).map(\.name)
    var pairs: [Tree.Pair] = []
    for pair in given {
      if let field = pair.key.text.flatMap(Type.Settings.field), !field.each {
        context.report(.notForEach(field.name, of: Type.name, allowed: single, at: pair.key.mark))
      } else {
        pairs.append(pair)
      }
    }
    context.within(id) {
      context.within(entry.key.text ?? "") {
        own.read(pairs, in: "a channel of \(Type.name)", allowed: single, context)
      }
    }
    settings.each[index] = own
  }

  /// Applies a change by path to a setting of one channel.
  private func changed(_ change: SettingPath, _ index: Int, _ context: ReadContext) -> [Tree.Pair] {
    var path = change
    let key = Tree(.scalar(path.head, quoted: true), mark: path.value.mark)
    guard let field = Type.Settings.field(path.head) else { return [Tree.Pair(key: key, value: path.value)] }
    do throws(SettingPath.PathError) {
      let new = try path.change(written[index]?[field.name] ?? layers.trees[field.name], field.kind)
      return [Tree.Pair(key: key, value: new)]
    } catch {
      context.report(.path(path, error, in: nil, at: path.value.mark, quick: context.hasPlenty))
      return []
    }
  }

  func shape(
    _ inputs: [CheckedInput], _ patch: FixturePatch, _ context: ReadContext
  ) -> [[Channel]]? {
    let (channels, faults, placed) = Type.shape(
      id: id, settings, inputs: inputs, folder: context.folder, patch: patch,
      hasPlenty: context.hasPlenty)
    // A fault that the node inherits by `like:` has been reported already.
    for fault in placed where !context.hasReported(fault) { context.report(fault) }
    for fault in faults {
      let mark = fault.field.flatMap(layers.mark) ?? mark
      context.report(Diagnostic(fault.code, fault.message, at: mark))
    }
    guard faults.isEmpty else {
      isFaulty = true
      return nil
    }
    return outputs.indices.map { output in
      let list = output < channels.count ? channels[output] : []
      // Returns the channels of an input as the same array. Arrays with the same storage compare in constant time,
      // which makes it fast to find out whether a setting changes the channels.
      if zip(1..., list).allSatisfy({ $0 == $1.number }) { return list }
      return list.enumerated().map { index, channel in
        var numbered = channel
        numbered.number = index + 1
        return numbered
      }
    }
  }

  func checked(inputs: [CheckedInput], outputs: [CheckedOutput]) -> CheckedNode {
    CheckedNode(id: id, NodeSettings<Type>(settings, stated: stated), inputs: inputs, outputs: outputs)
  }
}
