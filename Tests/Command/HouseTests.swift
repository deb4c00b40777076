import Foundation
import Testing

/// The tree is the architecture: what may import what, and how long a file may be.
@Suite struct HouseTests {
  /// From the top of the house to its foundations; imports only go down.
  static let floors: [[String]] = [
    ["visgraph"], ["Controls"], ["Hosts", "Importers"], ["Nodes"], ["Graphs"], ["Rendering"],
    ["Playback", "Particles", "Metering", "OSC", "MPRIS"],
    ["Realtime"],
    ["System"],
    ["CParticles", "CRendering"],
    ["CRealtime"],
    [
      "CJack", "CSndfile", "CLiblo", "CYaml", "CSoxr", "CPng", "CZlib", "CExpat", "CTiff",
      "CFfmpeg", "CSoundTouch", "CDbus",
    ],
  ]
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every source file below a folder of the project.
  static func sources(_ folder: String) -> [URL] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { ["swift", "c", "h"].contains($0.pathExtension) }
  }

  static func imports(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").filter {
        $0 != "public" && $0 != "internal" && !$0.hasPrefix("@")
      }
      return words.count >= 2 && words[0] == "import" ? String(words[1]) : nil
    }
  }

  @Test func `imports only go down the house`() throws {
    var level: [String: Int] = [:]
    for (number, floor) in Self.floors.enumerated() { for module in floor { level[module] = number } }
    for (module, own) in level {
      for file in Self.sources("Sources/\(module)") where file.pathExtension == "swift" {
        for other in try Self.imports(of: file) where other != module {
          guard let there = level[other] else { continue }
          #expect(there > own, "\(file.lastPathComponent) in \(module) imports \(other)")
        }
      }
    }
  }

  @Test func `what runs in the callback or beside it does without Foundation`() throws {
    for module in ["System", "Realtime", "Metering", "Particles"] {
      for file in Self.sources("Sources/\(module)") where file.pathExtension == "swift" {
        let foundation = try Self.imports(of: file).filter { $0.hasPrefix("Foundation") }
        #expect(foundation.isEmpty, "\(file.lastPathComponent) in \(module) imports \(foundation)")
      }
    }
  }

  @Test func `no file is longer than 400 lines`() throws {
    for file in Self.sources("Sources") {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 401, "\(file.path) has \(lines.count) lines")
    }
  }

  @Test func `every folder of nodes is in the catalogue`() throws {
    let catalogue = try String(
      contentsOf: Self.root.appending(path: "Sources/Nodes/Catalogue.swift"), encoding: .utf8)
    let listed = catalogue.split(separator: "\n").filter { $0.hasSuffix(".self,") }.count
    let folders = try FileManager.default.contentsOfDirectory(
      at: Self.root.appending(path: "Sources/Nodes"), includingPropertiesForKeys: [.isDirectoryKey]
    ).filter { $0.hasDirectoryPath }
    #expect(listed == folders.count)
  }

  /// What stands in backticks on a page, line by line.
  static func named(in page: String) throws -> [[String]] {
    try String(contentsOf: root.appending(path: page), encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
      return parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
    }
  }

  /// Whether a name is that of a file or a folder of the project.
  static func isPath(_ name: String) -> Bool {
    ["Sources/", "Tests/", "tools/", "graphs/"].contains { name.hasPrefix($0) }
  }

  @Test func `every file that ARCHITECTURE and CONTRIBUTING name is there`() throws {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
      let paths = try Self.named(in: page).joined().filter { Self.isPath($0) }
      #expect(paths.count >= 20, "\(page) names \(paths.count) files")
      for path in paths {
        // Programs stand there with their arguments.
        let file = Self.root.appending(path: String(path.prefix { $0 != " " })).path
        #expect(FileManager.default.fileExists(atPath: file), "\(page): \(path)")
      }
    }
  }

  @Test func `what ARCHITECTURE names behind a file is in that file`() throws {
    for line in try Self.named(in: "ARCHITECTURE.md") {
      var (file, text) = ("", "")
      for name in line {
        if Self.isPath(name) {
          file = name
          text = (try? String(contentsOf: Self.root.appending(path: name), encoding: .utf8)) ?? ""
        } else if !text.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
          let isThere = text.contains(name)
          #expect(isThere, "\(file): \(name)")
        }
      }
    }
  }
}
