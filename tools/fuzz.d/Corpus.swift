import Glibc
import Graphs

/// The seeds of mutants: real graph files, and the words of the catalog.
struct Corpus {
  /// Graph files, except those that are too long to be mutated thousands of times.
  let files: [[UInt8]]
  /// Names of types, settings, ports and choices.
  let words: [String]

  /// Reads every graph under some folders.
  init(folders: [String], catalog: Catalog) {
    files = folders.flatMap(Self.paths).compactMap(Self.bytes).filter { !$0.isEmpty && $0.count <= 16384 }
    words = Self.words(in: GraphSchema.json(catalog).text)
  }

  private static func paths(under folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      let path = "\(folder)/\(name)"
      if entry.pointee.d_type == UInt8(DT_DIR) { paths += Self.paths(under: path) }
      if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { paths.append(path) }
    }
    return paths.sorted()
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard case .success(let source) = SourceText.read(path: path) else { return nil }
    return source.bytes
  }

  /// The quoted words of a JSON text that may be names.
  private static func words(in json: String) -> [String] {
    let quoted = json.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
    return Set(
      quoted.filter { word in
        (1...40).contains(word.utf8.count)
          && word.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F }
      }.map(String.init)
    ).sorted()
  }
}
