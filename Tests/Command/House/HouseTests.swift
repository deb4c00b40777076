import Foundation
import Testing
import TestSupport

/// The tree is the architecture: what may import what, and how long a file may be.
@Suite struct HouseTests {
  /// From the top of the house to its foundations; imports only go down.
  static let floors: [[String]] = [
    ["visgraph"], ["Viewer"], ["Controls", "Hosts", "Levels", "Stages"], ["Nodes"], ["Engine", "Importers"],
    ["Graphs", "Rendering"],
    ["Playback", "Particles", "Metering", "DMX", "OSC", "MPRIS", "Tables", "Zeroconf"],
    ["DBus", "Realtime"],
    ["System"],
    ["CParticles", "CRendering"],
    ["CLevels", "CRealtime", "CSyscalls", "CWasm"],
    [
      "CJack", "CSndfile", "CLiblo", "CYaml", "CSoxr", "CPng", "CZlib", "CExpat", "CSqlite", "CTiff",
      "CFfmpeg", "CSoundTouch", "CDbus", "CGuide", "CPages",
    ],
  ]
  static let root = projectFolder

  /// Every source file below a folder of the project.
  static func sources(_ folder: String) -> [URL] {
    let files = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { ["swift", "c", "h"].contains($0.pathExtension) }
  }

  /// What the groups of a pattern catch in a text, match by match. All sources are searched, and Foundation does that
  /// twenty times as fast as `Regex` where nothing is optimized.
  static func groups(_ pattern: NSRegularExpression, in text: String) -> [[String]] {
    let source = text as NSString
    return pattern.matches(in: text, range: NSRange(location: 0, length: source.length)).map { match in
      (1..<match.numberOfRanges).map { source.substring(with: match.range(at: $0)) }
    }
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

  @Test func `the program does not link Foundation, which would be a quarter of its size`() throws {
    for module in Self.floors.joined() {
      for file in Self.sources("Sources/\(module)") where file.pathExtension == "swift" {
        let foundation = try Self.imports(of: file).filter { $0.hasPrefix("Foundation") }
        #expect(foundation.isEmpty, "\(file.lastPathComponent) in \(module) imports \(foundation)")
      }
    }
  }

  /// What is asked of the operating system outside `System`, and why.
  static let systemCalls: [String: String] = [
    "Sources/CRealtime/include/wake.h":
      "the callback posts a semaphore and reads the clock, and must see how",
    "Sources/CFfmpeg/load.c": "a library in C is loaded once",
  ]

  @Test func `the operating system is called by the module System alone`() throws {
    let call = try NSRegularExpression(
      pattern:
        #"\b(pthread_\w+|sem_[a-z]+\(|clock_\w+\(|eventfd\(|posix_spawn\w*|pipe2?\(|sigwait\(|waitpid\("#
        + #"|realpath\(|fstat\(|Glibc\.read\(|Glibc\.write\()"#)
    var used: Set<String> = []
    for file in Self.sources("Sources") {
      let path = String(file.path.dropFirst(Self.root.path.count + 1))
      guard !path.hasPrefix("Sources/System/"), !path.hasPrefix("Sources/CSyscalls/") else { continue }
      let calls = try Self.groups(call, in: String(contentsOf: file, encoding: .utf8)).map { $0[0] }
      if Self.systemCalls[path] == nil {
        #expect(calls.isEmpty, "\(path) calls \(calls)")
      } else if !calls.isEmpty {
        used.insert(path)
      }
    }
    #expect(used == Set(Self.systemCalls.keys), "an exception that nobody needs")
  }

  @Test func `no file is longer than 300 lines`() throws {
    for file in Self.sources("Sources") {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 301, "\(file.path) has \(lines.count) lines")
    }
  }

  @Test func `every folder of nodes is in the catalog`() throws {
    let catalog = try String(
      contentsOf: Self.root.appending(path: "Sources/Nodes/Catalog/Catalog.swift"), encoding: .utf8)
    let listed = catalog.split(separator: "\n").filter { $0.hasSuffix(".self,") }.count
    // What nodes share lies in folders that declare none.
    let folders = try Self.sources("Sources/Nodes").filter { file in
      try String(contentsOf: file, encoding: .utf8).contains(#/\nenum \w+: RunnableNode\b/#)
    }.map { $0.deletingLastPathComponent() }
    #expect(listed == Set(folders).count)
    #expect(listed > 40)
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

  @Test func `every file that ARCHITECTURE and CONTRIBUTING name exists`() throws {
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

  @Test func `a name after a file in ARCHITECTURE occurs in that file, outside its comments`() throws {
    for line in try Self.named(in: "ARCHITECTURE.md") {
      var (file, text) = ("", "")
      for name in line {
        if Self.isPath(name) {
          file = name
          text = (try? String(contentsOf: Self.root.appending(path: name), encoding: .utf8)) ?? ""
          text.replace(#/\/\/.*|\/\*(?s:.*?)\*\//#, with: "")
        } else if !text.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
          let isThere = try text.contains(Regex("\\b\(name)\\b").wordBoundaryKind(.simple))
          #expect(isThere, "\(file): \(name)")
        }
      }
    }
  }

  // MARK: - docs/GLOSSARY.md

  static func glossary() throws -> String {
    try String(contentsOf: root.appending(path: "docs/GLOSSARY.md"), encoding: .utf8)
  }

  /// The words in square brackets of a line of a doc comment or of a mark, but for those in code.
  static func tags(in line: Substring) -> [String] {
    let text = line.drop(while: { $0 == " " })
    guard text.contains("["), text.hasPrefix("///") || text.hasPrefix("// MARK") else { return [] }
    // Between backticks is code: every second part.
    var prose = ""
    for (number, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    where number % 2 == 0 {
      prose.append(contentsOf: part)
      prose.append(" ")
    }
    return prose.matches(of: #/[ (]\[([a-z]+)\]/#).map { String($0.output.1) }
  }

  @Test func `every tag of a thread is defined in the glossary`() throws {
    let rows = try Self.glossary().split(separator: "\n").filter { $0.hasPrefix("| `[") }
    let defined = Set(rows.map { String($0.dropFirst(4).prefix(while: { $0 != "]" })) })
    var used: Set<String> = []
    for file in Self.sources("Sources") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        for tag in Self.tags(in: line) {
          used.insert(tag)
          #expect(defined.contains(tag), "\(file.lastPathComponent): [\(tag)] is not in docs/GLOSSARY.md")
        }
      }
    }
    #expect(used == defined)
  }

  @Test func `every type that the glossary names exists`() throws {
    let names = try Set(Self.glossary().matches(of: #/`([A-Z][A-Za-z]+)`/#).map { String($0.output.1) })
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias"]
    var declared: Set<String> = []
    for file in Self.sources("Sources") where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
          declared.insert(String(name.prefix(while: { $0.isLetter })))
        }
      }
    }
    #expect(names.count > 50)
    #expect(names.subtracting(declared).sorted() == [])
  }

  @Test func `no word that the glossary excludes is in Sources`() throws {
    let words = try Self.words(inBlock: "not")
    for file in Self.sources("Sources") {
      let text = Data(try String(contentsOf: file, encoding: .utf8).lowercased().utf8)
      for word in words {
        #expect(text.range(of: Data(word.utf8)) == nil, "\(file.lastPathComponent): \(word)")
      }
    }
  }

  @Test func `no word that the glossary excludes everywhere is in any text`() throws {
    let words = try Self.words(inBlock: "style").map(NSRegularExpression.escapedPattern)
    let pattern = try NSRegularExpression(
      pattern: "\\b(\(words.joined(separator: "|")))\\b", options: .caseInsensitive)
    let kinds: Set<String> = ["swift", "c", "h", "js", "html", "md", "yaml", "txt", "py", "sh", ""]
    // The first two name the words; the others are made of what is read here, or are no text of ours.
    let exempt = [
      "docs/GLOSSARY.md", "CONTRIBUTING.md", "docs/play/", "tools/fuzz.d/seeds/", "/__pycache__/",
    ]
    let tops = ["ARCHITECTURE.md", "CHANGELOG.md", "README.md", "Package.swift"]
    var files = tops.map { Self.root.appending(path: $0) }
    for folder in ["Sources", "Tests", "docs", "graphs", "tools"] {
      let all = FileManager.default.enumerator(
        at: Self.root.appending(path: folder), includingPropertiesForKeys: nil)
      files += (all?.allObjects ?? []).compactMap { $0 as? URL }
        .filter { file in kinds.contains(file.pathExtension) && !exempt.contains { file.path.contains($0) } }
    }
    #expect(files.count > 1000)
    for file in files {
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
      let found = Self.groups(pattern, in: text).flatMap { $0 }
      #expect(found == [], "\(file.path)")
    }
  }

  /// The lines of a fenced block of the glossary.
  private static func words(inBlock name: String) throws -> [String] {
    let parts = try glossary().components(separatedBy: "```\(name)\n")
    let list = try #require(parts.last?.components(separatedBy: "\n```").first)
    let words = list.split(separator: "\n").map { $0.lowercased() }
    #expect(parts.count == 2 && words.count > 5)
    return words
  }
}
