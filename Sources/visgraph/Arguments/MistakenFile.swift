import Glibc
import Graphs
import Playback
import System

/// Detects a file of another kind than the subcommand takes, to name the right subcommand. [control]
struct MistakenFile {
  enum Kind {
    case sound, list, graph, emitter, fixture, cues
  }

  /// The path as given.
  let path: String
  let kind: Kind

  /// Detects the kind by the ending, or else by the first 4096 bytes. Nil if it is no regular file, or of no known
  /// kind.
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
      if key.hasPrefix("visgraph-cues") { return .cues }
      if key.hasPrefix("visgraph"), key.dropFirst(8).first.map({ ":\" ".contains($0) }) == true {
        return .graph
      }
    }
    return nil
  }

  /// The subcommand for this kind.
  var command: String {
    switch kind {
    case .sound, .list: "visgraph play \(ShellQuoting.quoted(path))"
    case .graph: "visgraph run \(ShellQuoting.quoted(path))"
    case .emitter, .fixture, .cues: "visgraph check \(ShellQuoting.quoted(path))"
    }
  }

  /// The kind in words.
  var noun: String {
    switch kind {
    case .sound: "an audio file"
    case .list: "a playlist"
    case .graph: "a graph"
    case .emitter: "an emitter file, which a graph names"
    case .fixture: "a fixture file, which a graph names"
    case .cues: "a cue file, which a graph names"
    }
  }

  /// The fault to report where a graph is expected; nil: the checker may read the file.
  var fault: Diagnostic? {
    guard kind == .sound || kind == .list else { return nil }
    return Diagnostic(
      "not-a-graph", "this is \(noun), not a graph", at: nil, notes: ["to hear it: \(command)"])
  }

  /// The note to print where sound is expected; nil: the player may read the file.
  var note: String? {
    switch kind {
    case .sound, .list: nil
    case .graph: "'\(path)' is \(noun), not an audio file; to run it: \(command)"
    case .emitter, .fixture, .cues: "'\(path)' is \(noun), not an audio file; to look at it: \(command)"
    }
  }
}
