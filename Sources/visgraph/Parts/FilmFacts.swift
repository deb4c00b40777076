import CZlib
import Glibc
import Graphs
import Nodes
import System

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
    facts.append(FilmFact(name: "graph", value: sum(source.bytes)))
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
      facts.append(FilmFact(name: "file \(name)", value: sum(ofFile: path)))
    }
    return facts + options.map { FilmFact(name: $0.name, value: $0.value) }
  }

  /// How many bytes, and their CRC-32: what tells apart what was taken by mistake, not what somebody forged.
  static func sum(_ bytes: [UInt8]) -> String { text(bytes.count, add(bytes, to: 0)) }

  /// The same of what lies at a path.
  static func sum(ofFile path: String) -> String {
    let file: RegularFile
    do throws(RegularFile.Refusal) { file = try RegularFile(path) } catch {
      switch error {
      case .folder: return "a folder"
      default: return "no file"
      }
    }
    var sum: UInt = 0
    var place: Int64 = 0
    while place < file.size {
      let bytes = file.bytes(at: place, count: 1 << 20)
      guard !bytes.isEmpty else { return "cannot be read" }
      sum = add(bytes, to: sum)
      place += Int64(bytes.count)
    }
    return text(Int(file.size), sum)
  }

  private static func add(_ bytes: [UInt8], to sum: UInt) -> UInt {
    bytes.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, UInt32($0.count)) }
  }

  private static func text(_ size: Int, _ sum: UInt) -> String {
    "\(size) bytes, crc32 \(String(hexadecimal: sum, digits: 8))"
  }
}
