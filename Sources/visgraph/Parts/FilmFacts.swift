import Graphs
import Nodes

/// One input of a film. Parts can be joined only when all their inputs are equal. [any]
struct FilmFact: Equatable {
  var name: String
  var value: String
}

/// All inputs of a film: the graph, its files, and the command line's options. [control]
///
/// The value of a file is its size and CRC-32. Its name is the path in the graph, relative to the graph's folder, and
/// so the same on every machine.
enum FilmFacts {
  /// `inputs`: files by the id of the input. `control`: the path of the control score. `options`: those of the command
  /// line, as given.
  static func facts(
    _ graph: CheckedGraph, _ source: SourceText, inputs: [String: String], control: String?,
    options: [(name: String, value: String)]
  ) -> [FilmFact] {
    var facts = [FilmFact(name: "visgraph", value: ProgramVersion.text)]
    facts.append(FilmFact(name: "graph", value: FileChecksum.of(source.bytes)))
    let folder = graph.folder.isEmpty ? "." : graph.folder
    let sounds = PatchSheet(graph).files.map { file in
      (name: file.path, path: file.path.hasPrefix("/") ? file.path : "\(folder)/\(file.path)")
    }
    let others = graph.files.map { path in
      (name: path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path, path: path)
    }
    var files = sounds + others
    files += inputs.sorted { $0.key < $1.key }.map { (name: "--input \($0.key)", path: $0.value) }
    if let control { files.append((name: "--control", path: control)) }
    for (name, path) in files where !facts.contains(where: { $0.name == "file \(name)" }) {
      facts.append(FilmFact(name: "file \(name)", value: FileChecksum.of(file: path)))
    }
    return facts + options.map { FilmFact(name: $0.name, value: $0.value) }
  }
}
