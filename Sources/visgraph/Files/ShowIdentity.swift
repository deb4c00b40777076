import Glibc
import Graphs
import System

/// Identifies the show of a state. Two identities match if their graphs have the same `id`. If one has no `id`, the
/// paths of the graph files decide, absolute or relative to the state file. So a folder that holds both may be moved,
/// copied and renamed. [any]
struct ShowIdentity: Equatable, Sendable {
  /// The graph's `id`.
  var id: String?
  /// The absolute path of the graph file, links resolved.
  var graph = ""
  /// The path of the graph file relative to the state file's folder; empty where the graph came from elsewhere.
  var relative = ""

  /// The identity of no show.
  init() {}

  /// The show of a graph whose state file is at `path`.
  init(_ graph: CheckedGraph, stateAt path: String) {
    id = graph.identity.id
    self.graph = RealPath(graph.path)?.text ?? graph.path
    let folder = RealPath(path)?.text ?? path
    let end = folder.lastIndex(of: "/")
    let name = end.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
    if let place = RealPath(name), let graph = RealPath(graph.path) {
      relative = Self.relativePath(from: place.text, to: graph.text)
    }
  }

  /// Whether a state belongs to this show.
  func owns(_ state: ShowState) -> Bool {
    if let id, let other = state.id { return id == other }
    return state.graph == graph || !relative.isEmpty && state.relative == relative
  }

  /// The relative path from a folder to a file, both absolute.
  private static func relativePath(from folder: String, to file: String) -> String {
    let (from, to) = (folder.split(separator: "/"), file.split(separator: "/"))
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)).joined(separator: "/")
  }
}
