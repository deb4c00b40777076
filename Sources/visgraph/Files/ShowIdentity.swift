import Glibc
import Graphs
import System

/// Which show a state is of: by the `id` in the head of its graph; where one of the two has none, by where the graph lies,
/// seen from the state file or from the root. So a folder with both may be moved, copied and renamed. [any]
struct ShowIdentity: Equatable, Sendable {
  /// What the graph calls itself.
  var id: String?
  /// The graph file, from the root, links followed.
  var graph = ""
  /// The graph file, from the folder of the state file; empty where it came from elsewhere.
  var relative = ""

  /// Of no show.
  init() {}

  /// Of a graph whose state lies at a path.
  init(_ graph: CheckedGraph, stateAt path: String) {
    id = graph.identity.id
    self.graph = RealPath(graph.path)?.text ?? graph.path
    let folder = RealPath(path)?.text ?? path
    let end = folder.lastIndex(of: "/")
    let name = end.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
    if let place = RealPath(name), let graph = RealPath(graph.path) {
      relative = Self.way(from: place.text, to: graph.text)
    }
  }

  /// Whether a state is of this show.
  func owns(_ state: ShowState) -> Bool {
    if let id, let other = state.id { return id == other }
    return state.graph == graph || !relative.isEmpty && state.relative == relative
  }

  /// The way from a folder to a file, both from the root.
  private static func way(from folder: String, to file: String) -> String {
    let (from, to) = (folder.split(separator: "/"), file.split(separator: "/"))
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)).joined(separator: "/")
  }
}
