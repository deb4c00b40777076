/// A setting without parts, at its path: of a node, or inside another setting, such as the birth rate of a cell.
public struct SettingLeaf: Sendable {
  /// The path after the node's id: `release`, `cells.spark.birthRate`.
  public let path: String
  /// The channel, by index from 0; nil: the value for all channels.
  public let channel: Int?
  /// The declaring type: the node's, or the name of the record in the docs (`cell`).
  public let owner: String
  /// The declaration.
  public let setting: TypeDescription.Setting
  /// The value, as a graph file would write it.
  public let text: String
}

extension CheckedNode {
  /// The most leaves of one node.
  public static let mostLeaves = 2000

  /// Every setting without parts, at any depth, in the order of the declarations. [any]
  public var settingLeaves: [SettingLeaf] {
    let settings = Dictionary(
      type.described.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var leaves: [SettingLeaf] = []
    for text in settingsTexts {
      guard let setting = settings[text.field] else { continue }
      var walk = LeafWalk(channel: text.channel)
      walk.add(Tree.written(text.text), text.text, at: text.field, type.name, setting, setting.kind)
      leaves += walk.leaves
      if leaves.count >= Self.mostLeaves { return Array(leaves.prefix(Self.mostLeaves)) }
    }
    return leaves
  }
}

extension NodeType {
  fileprivate static var described: [TypeDescription.Setting] { TypeDescription.settings(of: Settings.self) }
}

extension FieldRecord {
  fileprivate static var described: [TypeDescription.Setting] { TypeDescription.settings(of: Self.self) }
}

/// Walks through a written value along its declaration.
private struct LeafWalk {
  let channel: Int?
  var leaves: [SettingLeaf] = []

  mutating func add(
    _ tree: Tree?, _ text: String, at path: String, _ owner: String, _ setting: TypeDescription.Setting,
    _ kind: ValueKind, depth: Int = 0
  ) {
    guard leaves.count < CheckedNode.mostLeaves, depth <= Limits.depth else { return }
    switch kind {
    case .record(let record):
      for field in record.described {
        let pair = tree?.map?.first { pair in
          pair.key.text.map { $0 == field.name || field.aliases.contains($0) } ?? false
        }
        let value = pair?.value ?? Tree.written(field.initial)
        add(
          value, value?.plainText ?? field.initial, at: "\(path).\(field.name)", record.recordName, field,
          field.kind, depth: depth + 1)
      }
    case .map(let inner):
      for pair in tree?.map ?? [] {
        guard let key = pair.key.text else { continue }
        add(
          pair.value, pair.value.plainText, at: "\(path).\(key)", owner, setting, inner, depth: depth + 1)
      }
    case .list(.record, _):
      guard case .list(let inner, _) = kind else { return }
      for (index, value) in (tree?.list ?? []).enumerated() {
        add(value, value.plainText, at: "\(path).\(index + 1)", owner, setting, inner, depth: depth + 1)
      }
    case .oneOf(let kinds):
      let inner = tree?.map == nil ? nil : kinds.first { $0.isRecordOrMap }
      guard let inner else { fallthrough }
      add(tree, text, at: path, owner, setting, inner, depth: depth + 1)
    default:
      leaves.append(
        SettingLeaf(path: path, channel: channel, owner: owner, setting: setting, text: text))
    }
  }
}

extension ValueKind {
  fileprivate var isRecordOrMap: Bool {
    switch self {
    case .record, .map: true
    default: false
    }
  }
}

extension Tree {
  /// The text of a graph file, without quotes.
  fileprivate var plainText: String { text ?? flow }
}
