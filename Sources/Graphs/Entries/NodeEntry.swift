/// A node as the file has it, before its type is known.
struct NodeEntry {
  let id: String
  /// Where its id stands.
  let mark: SourceRange
  let pairs: [Tree.Pair]
  /// Settings of the command line: the path under the node, and the value.
  var overrides: [(path: [String], value: Tree)] = []

  init(id: String, mark: SourceRange, pairs: [Tree.Pair]) {
    self.id = id
    self.mark = mark
    self.pairs = pairs
  }

  /// Those of them that are for all channels.
  var wholeOverrides: [(path: [String], value: Tree)] { overrides.filter { !Self.isForChannels($0.path) } }
  /// Those that are for some: `each`, the channels, the path.
  var eachOverrides: [(path: [String], value: Tree)] { overrides.filter { Self.isForChannels($0.path) } }

  private static func isForChannels(_ path: [String]) -> Bool { path.count >= 3 && path[0] == "each" }

  func value(of key: String) -> Tree? { pairs.first { $0.key.text == key }?.value }

  /// What the command line sets in place of it.
  func override(of key: String) -> Tree? { overrides.last { $0.path == [key] }?.value }

  /// Keys of a node that are no settings.
  static let keys = ["type", "like", "each"]
  /// OSC addresses of visgraph's own begin with these.
  static let reserved = [
    "node", "transport", "graph", "status", "error", "subscribe", "fader", "master", "blackout", "identify",
    "scene", "cue", "view",
  ]

  /// Reads `nodes:` as far as ids go; at fault are left out, and their ids are in `broken`.
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

  /// The ids that an entry of a list may be meant to have: `- tone: { … }`, `- id: tone`.
  private static func ids(_ tree: Tree) -> [String] {
    (tree.map ?? []).flatMap { [$0.key.text, $0.value.text].compactMap { $0 } }
  }

  /// Gives nodes the settings that are made in them from outside.
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
