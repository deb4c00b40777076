import Graphs
import Nodes

/// One thing that films must have in common for their parts to belong together. [any]
struct FilmFact: Equatable {
  var name: String
  var value: String
}

/// What a film is made of: the graph, its files, and what was asked for. [control]
///
/// Files are known by their bytes and not by their paths, which differ from machine to machine.
enum FilmFacts {
  /// The facts of a graph. `options` are those of the command line, as they were given.
  static func facts(
    _ graph: CheckedGraph, _ source: SourceText, inputs: [String: String], control: String?,
    options: [(name: String, value: String)]
  ) -> [FilmFact] {
    var facts = [FilmFact(name: "visgraph", value: ProgramVersion.text)]
    facts.append(FilmFact(name: "graph", value: FileSum.of(source.bytes)))
    let folder = graph.folder.isEmpty ? "." : graph.folder
    let sounds = PatchSheet(graph).files.map { file in
      (file.path, file.path.hasPrefix("/") ? file.path : "\(folder)/\(file.path)")
    }
    let others = graph.files.map { path in
      (path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path, path)
    }
    var files = sounds + others
    files += inputs.sorted { $0.key < $1.key }.map { ("--input \($0.key)", $0.value) }
    if let control { files.append(("--control", control)) }
    for (name, path) in files where !facts.contains(where: { $0.name == "file \(name)" }) {
      facts.append(FilmFact(name: "file \(name)", value: FileSum.of(file: path)))
    }
    return facts + options.map { FilmFact(name: $0.name, value: $0.value) }
  }
}
