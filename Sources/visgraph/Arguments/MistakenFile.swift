import Glibc
import Graphs
import Playback
import System

/// What a file is that is given to a command which wants another kind, so that the right command can be named. [control]
struct MistakenFile {
  enum Kind {
    case sound, list, graph, emitter, fixture
  }

  /// As it was named.
  let path: String
  let kind: Kind

  /// Detected by the ending, else by how it begins; nil for what is no regular file, or nothing that visgraph knows.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    let name = path.lowercased()
    if AudioEndings.has(path) {
      kind = .sound
    } else if [".m3u", ".m3u8", ".pls", ".xspf"].contains(where: name.hasSuffix) {
      kind = .list
    } else if let kind = Self.kind(beginning: Self.beginning(of: path)) {
      self.kind = kind
    } else {
      return nil
    }
  }

  private static func beginning(of path: String) -> String {
    String(decoding: (try? RegularFile(path))?.bytes(at: 0, count: 4096) ?? [], as: UTF8.self)
  }

  private static func kind(beginning text: String) -> Kind? {
    for line in text.split(whereSeparator: \.isNewline) {
      let key = line.drop { " \t{\"".contains($0) }
      if key.hasPrefix("visgraph-emitter") { return .emitter }
      if key.hasPrefix("visgraph-fixture") { return .fixture }
      if key.hasPrefix("visgraph"), key.dropFirst(8).first.map({ ":\" ".contains($0) }) == true {
        return .graph
      }
    }
    return nil
  }

  /// The command that takes it.
  var command: String {
    switch kind {
    case .sound, .list: "visgraph play \(ShellQuoting.quoted(path))"
    case .graph: "visgraph run \(ShellQuoting.quoted(path))"
    case .emitter, .fixture: "visgraph check \(ShellQuoting.quoted(path))"
    }
  }

  /// What it is.
  var noun: String {
    switch kind {
    case .sound: "an audio file"
    case .list: "a playlist"
    case .graph: "a graph"
    case .emitter: "an emitter file, which a graph names"
    case .fixture: "a fixture file, which a graph names"
    }
  }

  /// Why a command that takes graphs does not take it; nil where it is one, or belongs to one.
  var fault: Diagnostic? {
    guard kind == .sound || kind == .list else { return nil }
    return Diagnostic(
      "not-a-graph", "this is \(noun), not a graph", at: nil, notes: ["to hear it: \(command)"])
  }

  /// Why the player does not take it; nil where it does.
  var note: String? {
    switch kind {
    case .sound, .list: nil
    case .graph: "'\(path)' is \(noun), not an audio file; to run it: \(command)"
    case .emitter, .fixture: "'\(path)' is \(noun), not an audio file; to look at it: \(command)"
    }
  }
}
