import Glibc
import Graphs
import System

/// The folder of a project: its graph and its state. [control]
struct SessionFolder {
  /// Where it is, as the session manager has it.
  let path: String

  /// The graph of the project.
  var graph: String { path + "/graph.yaml" }
  /// How it stood when it was left.
  var state: String { path + "/show.state" }
  /// There where pages were seen when the session was saved; empty.
  private var shown: String { path + "/pages.shown" }

  /// Whether pages were seen when the session was saved. Where that cannot be kept they are not next time.
  var isShown: Bool {
    get { access(shown, F_OK) == 0 }
    nonmutating set {
      if newValue { try? WholeFile.write([], to: shown) } else { unlink(shown) }
    }
  }

  /// Makes the folder where there is none, and a graph to begin with: a copy of `template`, else a plain one. Gives what is
  /// wrong where that does not go.
  func prepare(name: String, template: String?) -> (fault: NSMClient.Fault, reason: String)? {
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      return (.createFailed, "\(path): \(Errno().text)")
    }
    var status = stat()
    if stat(graph, &status) == 0 { return nil }
    var text = Self.plain(name)
    if let template {
      switch SourceText.read(path: template) {
      case .success(let source): text = String(decoding: source.bytes, as: UTF8.self)
      case .failure(let fault): return (.noSuchFile, fault.message)
      }
    }
    // A template that others may not read, as it holds a key, is copied so: a file that is replaced hands on its rights.
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

  /// A graph to begin with: two inputs, measured, to a rig on this machine.
  private static func plain(_ name: String) -> String {
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
