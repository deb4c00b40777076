import Glibc
import Graphs
import System

/// The folder of a project: its graph and its state. [control]
struct SessionFolder {
  /// The path as the manager gives it.
  let path: String

  /// The project's graph file.
  var graph: String { path + "/graph.yaml" }
  /// The project's state file.
  var state: String { path + "/show.state" }
  /// An empty file, which exists if pages were shown at the last save.
  private var shown: String { path + "/pages.shown" }

  /// Whether pages were shown at the last save. A failed write is ignored: the next session then shows none.
  var isShown: Bool {
    get { access(shown, F_OK) == 0 }
    nonmutating set {
      if newValue { try? WholeFile.write([], to: shown) } else { unlink(shown) }
    }
  }

  /// Makes the folder if there is none, and a graph: a copy of `template`, else a default one. Returns a fault; nil:
  /// none.
  func prepare(name: String, template: String?) -> (fault: NSMClient.Fault, reason: String)? {
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      return (.createFailed, "\(path): \(Errno().text)")
    }
    var status = stat()
    if stat(graph, &status) == 0 { return nil }
    var text = Self.defaultGraph(name)
    if let template {
      switch SourceText.read(path: template) {
      case .success(let source): text = String(decoding: source.bytes, as: UTF8.self)
      case .failure(let fault): return (.noSuchFile, fault.message)
      }
    }
    // The copy keeps the mode of the template, which may hold a key. `WholeFile` keeps the mode of a file that it
    // replaces.
    if let template, stat(template, &status) == 0 {
      let made = open(graph, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o666)
      if made >= 0 { close(made) }
    }
    do throws(Errno) {
      try WholeFile.write(Array(text.utf8), to: graph)
      return nil
    } catch {
      return (.createFailed, "\(graph): \(error.text)")
    }
  }

  /// The default graph: two inputs, metered, sent to port 7700 of this machine.
  private static func defaultGraph(_ name: String) -> String {
    """
    visgraph: 1
    name: \(Json.string(name.isEmpty ? "Session" : String(name.prefix(200))).text.dropLast())

    nodes:
      in:    { type: jack-input, channels: 2 }
      meter: { type: meter }
      level: { type: meter-table }
      rig:   { type: osc-output, to: "127.0.0.1:7700", address: "/visgraph/level/{channel}" }

    wires:
      - in -> meter -> level -> rig

    """
  }
}
