/// A node as written in the file, before its type is known.
struct NodeEntry {
  let id: String
  /// The place of its id.
  let mark: SourceRange
  let pairs: [Tree.Pair]
  /// Settings that replace those of the file: the path below the node, and the value. Later ones win.
  var overrides: [(path: [String], value: Tree)] = []

  init(id: String, mark: SourceRange, pairs: [Tree.Pair]) {
    self.id = id
    self.mark = mark
    self.pairs = pairs
  }

  /// The overrides for all channels.
  var wholeOverrides: [(path: [String], value: Tree)] { overrides.filter { !Self.isForChannels($0.path) } }
  /// The overrides for single channels, whose paths begin with `each` and the channels.
  var eachOverrides: [(path: [String], value: Tree)] { overrides.filter { Self.isForChannels($0.path) } }

  private static func isForChannels(_ path: [String]) -> Bool { path.count >= 3 && path[0] == "each" }

  func value(of key: String) -> Tree? { pairs.first { $0.key.text == key }?.value }

  /// The value that an override sets for a setting.
  func override(of key: String) -> Tree? { overrides.last { $0.path == [key] }?.value }

  /// The keys of a node that are not settings.
  static let keys = ["type", "like", "each"]
  /// Words that cannot be ids, because OSC addresses of visgraph itself begin with them.
  static let reserved = [
    "node", "transport", "graph", "status", "error", "subscribe", "fader", "master", "blackout", "identify",
    "scene", "cue", "view",
  ]

  /// Reads the ids and maps of `nodes:`. Invalid entries are left out, and their ids are in `broken`.
  static func read(
    _ tree: Tree?, overrides: [Override], _ context: ReadContext
  ) -> (entries: [NodeEntry], broken: Set<String>) {
    guard let tree, !tree.isNothing else {
      context.report(.noNodes(at: tree?.mark))
      return ([], [])
    }
    guard let pairs = tree.map else {
      let isList = tree.list != nil
      context.within("nodes") {
        context.expected(
          "a map from ids to nodes", tree,
          notes: isList ? ["write ID: { type: TYPE }, without a - before it"] : [])
      }
      return ([], Set((tree.list ?? []).prefix(1000).flatMap(Self.ids)))
    }
    var entries: [NodeEntry] = []
    var broken: Set<String> = []
    for pair in pairs {
      guard let id = pair.key.text, !id.hasPrefix("x-") else { continue }
      if !isName(id) {
        context.report(.wrongID(id, at: pair.key.mark))
      } else if reserved.contains(id) {
        context.report(.reservedID(id, at: pair.key.mark))
      } else if let settings = pair.value.map {
        entries.append(NodeEntry(id: id, mark: pair.key.mark, pairs: settings))
        continue
      } else {
        context.within(id) { context.expected("a map with type: and settings", pair.value) }
      }
      broken.insert(id)
    }
    if entries.isEmpty && broken.isEmpty { context.report(.noNodes(at: tree.mark)) }
    distribute(overrides, among: &entries, broken, context)
    return (entries, broken)
  }

  /// The ids that an item of a list may state: `- tone: { … }`, `- id: tone`.
  private static func ids(_ tree: Tree) -> [String] {
    (tree.map ?? []).flatMap { [$0.key.text, $0.value.text].compactMap { $0 } }
  }

  /// Adds each override to the node that it names.
  static func distribute(
    _ overrides: [Override], among entries: inout [NodeEntry], _ broken: Set<String>, _ context: ReadContext
  ) {
    for override in overrides {
      let path = override.target.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard let value = override.tree(context), !broken.contains(path[0]) else { continue }
      if let index = entries.firstIndex(where: { $0.id == path[0] }) {
        entries[index].overrides.append((Array(path.dropFirst()), value))
      } else {
        context.report(.unknownNode(path[0], known: entries.map(\.id), at: override.mark))
      }
    }
  }
}
