import Foundation
import Testing

/// What keeps the tree as it is: sizes of folders, names, what is declared and what is imported.
extension HouseTests {
  /// The Swift targets of Package.swift below Sources, with the modules that each declares.
  static func declared() throws -> [String: Set<String>] {
    let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let modules = try Set(
      FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path))
    var found: [String: Set<String>] = [:]
    // Targets within lists of dependencies stand further to the right.
    let starts = package.matches(of: #/\n    \.(?:executableTarget|target)\(/#).map(\.range.upperBound)
    for (start, end) in zip(starts, starts.dropFirst() + [package.endIndex]) {
      let part = package[start..<end]
      let names = part.matches(of: #/"(\w+)"/#).map { String($0.output.1) }
      guard let name = names.first, modules.contains(name), found[name] == nil,
        let list = part.firstRange(of: "dependencies: [")
      else { continue }
      // Conditions have brackets of their own.
      var depth = 1
      let text = part[list.upperBound...].prefix { character in
        depth += character == "[" ? 1 : character == "]" ? -1 : 0
        return depth > 0
      }
      found[name] = Set(text.matches(of: #/"(\w+)"/#).map { String($0.output.1) }).intersection(modules)
    }
    return found
  }

  @Test func `a module declares what it imports, and nothing else`() throws {
    let declared = try Self.declared()
    #expect(declared.count >= 12)
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    for (module, names) in declared {
      let files = Self.sources("Sources/\(module)").filter { $0.pathExtension == "swift" }
      guard !files.isEmpty else { continue }
      // Imports within conditions stand further to the right.
      let imported = try Set(
        files.flatMap { file in
          try String(contentsOf: file, encoding: .utf8)
            .matches(of: #/(?m)^ *(?:@\w+ |public )*import (?:\w+ )?(\w+)/#).map { String($0.output.1) }
        }
      ).intersection(modules)
      #expect(imported == names, "\(module)")
    }
  }

  @Test func `only the module Hosts distinguishes kinds of hosts`() throws {
    let kind = try NSRegularExpression(pattern: #"\bclass (\w+): (?:any )?Host\b"#)
    let hosts = try Self.sources("Sources/Hosts").flatMap {
      Self.groups(kind, in: try String(contentsOf: $0, encoding: .utf8)).joined()
    }
    #expect(hosts.sorted() == ["ClockHost", "JackHost"])
    // Where a host is opened it has a name; all others ask it by the protocol.
    let openers: Set<String> = ["HostSupervisor.swift"]
    let name = try NSRegularExpression(pattern: #"\b(\#(hosts.joined(separator: "|")))\b"#)
    let cast = try NSRegularExpression(pattern: #"\b((?:as[?!]|is) (?:\#(hosts.joined(separator: "|"))))\b"#)
    for file in Self.sources("Sources") where !file.path.contains("/Sources/Hosts/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = Self.groups(openers.contains(file.lastPathComponent) ? cast : name, in: text).joined()
      #expect(found.isEmpty, "\(file.lastPathComponent) asks for \(found.sorted()) and not for its status")
    }
  }

  @Test func `a folder has at most 12 files`() throws {
    let folders = Dictionary(grouping: Self.sources("Sources")) { $0.deletingLastPathComponent().path }
    for (folder, files) in folders {
      #expect(files.count <= 12, "\(folder) has \(files.count) files")
    }
  }

  /// The functions, initializers and computed properties in a text, with their lines from the first one to the closing
  /// brace. Attributes on lines of their own do not count, and functions within functions are a part of these.
  ///
  /// The text is formatted: the brace stands as far to the right as the line of `func` does, and all between them
  /// further, but for the end of a list of parameters and what follows it.
  static func functions(in text: String) throws -> [(declaration: String, lines: Int)] {
    let modifiers =
      "public|package|private|fileprivate|internal|static|class|final|override|mutating|nonmutating|consuming"
      + "|borrowing|convenience|required|nonisolated|prefix|postfix|indirect|lazy"
    let function = try NSRegularExpression(
      pattern: #"(?m)^(( *)((?:@\w+(?:\([^)\n]*\))? |(?:\#(modifiers))(?:\(set\))? )*"#
        + #"(?:func|init|deinit|subscript|var)\b[^\n]*)\n"#
        + #"(?:\n|\2 [^\n]*\n|\2[){][^\n]*\n|\2where [^\n]*\n)*+\2\})"#)
    return groups(function, in: text).map { ($0[2], $0[0].utf8.count { $0 == UInt8(ascii: "\n") } + 1) }
  }

  @Test func `no function is longer than 60 lines`() throws {
    let text = """
      struct A {
        @inline(never) private static func a<T>(
          _ b: T
        ) -> Int
        where T: B {
          if b { return 1 }

          return \"\"\"
            }
            \"\"\"
        }
        var c: Int { 1 }
        public init() throws
        {
          d()
        }
        func e()
        var f: Int {
          get { 1 }
        }
      }
      """
    #expect(try Self.functions(in: text).map(\.lines) == [10, 4, 3])
    var count = 0
    for file in Self.sources("Sources") where file.pathExtension == "swift" {
      for function in try Self.functions(in: String(contentsOf: file, encoding: .utf8)) {
        count += 1
        #expect(
          function.lines <= 60,
          "\(file.lastPathComponent): \(function.declaration) has \(function.lines) lines")
      }
    }
    #expect(count > 3000)
  }

  @Test func `no two types have one name, and none has a module's name`() throws {
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    var places: [String: String] = [:]
    for file in Self.sources("Sources") where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let types = text.matches(
        of:
          #/(?m)^(?:public |package |private |fileprivate |final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)/#
      )
      for name in types.map({ String($0.output.1) }) {
        #expect(!modules.contains(name), "\(file.lastPathComponent): \(name) is a module")
        #expect(places[name] == nil, "\(name) is in \(places[name] ?? "") and in \(file.lastPathComponent)")
        places[name] = file.lastPathComponent
      }
    }
    #expect(places.count > 500)
  }

  /// What in a text is a value of a function type that leaves through a generic `inout`: a `Locked`, a `Monitor` or a
  /// `Mutex` of a closure, or of a tuple or an optional of one. `functions` are the names of function types.
  static func lockedClosures(in text: String, functions: Set<String>) throws -> [String] {
    var found = try groups(
      NSRegularExpression(pattern: #"\b((?:Locked|Monitor|Mutex)\(\s*\{)"#), in: text
    ).joined().map { $0 }
    for start in text.matches(of: #/\b(?:Locked|Monitor|Mutex)</#) {
      var depth = 1
      var before: Character = " "
      let argument = text[start.range.upperBound...].prefix { character in
        depth += character == "<" ? 1 : character == ">" && before != "-" ? -1 : 0
        before = character
        return depth > 0
      }
      let names = argument.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      if argument.contains("->") || !functions.isDisjoint(with: names) {
        found.append("\(text[start.range])\(argument)>")
      }
    }
    return found
  }

  @Test func `no closure is stored in a value that is passed by a generic inout`() throws {
    let refused = [
      "let a: Locked<@Sendable () -> Void>", "let a: Monitor<(Int, Done?)>", "var a = Mutex({ 1 })",
      "Locked<[String: (Int) -> Void]>([:])", "let a = Locked({ $0 })",
    ]
    for text in refused {
      #expect(try Self.lockedClosures(in: text, functions: ["Done"]).count == 1, "\(text)")
    }
    for text in ["Locked<[String: Int]>([:])", "Locked<Table<Int>?>(nil)", "a < b -> c", "Locked(State())"] {
      #expect(try Self.lockedClosures(in: text, functions: ["Done"]).isEmpty, "\(text)")
    }
    let texts = try Self.sources("Sources").filter { $0.pathExtension == "swift" }.map {
      ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
    let alias = try NSRegularExpression(pattern: #"typealias (\w+)(?:<[^=]*>)? =[^\n]*->"#)
    let functions = Set(texts.flatMap { Self.groups(alias, in: $0.1).joined() })
    #expect(functions.contains("Refusal"))
    for (file, text) in texts {
      let closures = try Self.lockedClosures(in: text, functions: functions)
      #expect(closures.isEmpty, "\(file): keep it in a Callback, or in a field of a struct: \(closures)")
    }
  }

  /// Ranges that several modules state for things that have nothing to do with each other, and what those are.
  static let rangesOfSeveralThings: [String: String] = [
    "0.0...3600.0": "seconds: a fade of a player, a repeated value, the life of a particle",
    "0.0...1000.0": "packets a second, a difference of levels, the angle of an emission",
    "0.0...1000000000.0": "seconds of a track, seconds of an emitter",
    "1.0...64.0": "letters of a word that is guessed, entries of a list, letters of a name",
    "1.0...1000000.0": "tracks of a list, particles of a channel",
    "0.0...1000000.0": "how often a list is played again, points that an emitter extends",
    "0.0...10000000.0": "seconds of a section of a track, the place of a track in a list",
    "1.0...512.0": "channels of a JACK input, bytes of the name of a JACK port",
    "0.0...64.0": "node types that a graph requires, ports that a channel is connected to",
    "1000.0...768000.0": "the sample rate of a file, the one that a graph requires",
    "-1.0...1.0": "the pan of a player, the level of a scope's trigger",
    "0.0...60.0": "bundles a second to a subscriber, seconds of meters and emitters",
  ]

  @Test func `no range is stated in two modules`() throws {
    let number = #"(-?\d[\d_]*(?:\.\d+)?(?:e\d+)?)"#
    let rangeInCode = try NSRegularExpression(
      pattern: #"(?:^|[^\w.])\#(number)\s*\.\.\.\s*\(?\#(number)(?![\w.])"#)
    var modules: [String: Set<String>] = [:]
    for file in Self.sources("Sources") where file.pathExtension == "swift" {
      let path = file.path.dropFirst(Self.root.appending(path: "Sources").path.count + 1)
      let module = String(path.prefix { $0 != "/" })
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard line.contains("...") else { continue }
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        for range in Self.groups(rangeInCode, in: String(code)) {
          let ends = range.compactMap { Double($0.replacing("_", with: "")) }
          // Numbers of arguments, parts of a whole.
          if ends.count < 2 || [0, 1].contains(ends[0]) && ends[1] <= 3 { continue }
          modules["\(ends[0])...\(ends[1])", default: []].insert(module)
        }
      }
    }
    #expect(modules["0.5...2.0"] == ["Playback"])
    for (range, places) in modules where Self.rangesOfSeveralThings[range] == nil {
      #expect(places.count == 1, "\(range) is stated by \(places.sorted().joined(separator: ", "))")
    }
    for range in Self.rangesOfSeveralThings.keys {
      #expect(modules[range]?.count ?? 0 > 1, "\(range) is stated once, and no exception any more")
    }
  }

  @Test func `no file has a conflict marker`() throws {
    let marker = try NSRegularExpression(pattern: "(?m)^(<{7}|>{7})(?: |$)")
    let folders = ["Sources", "Tests", "tools", "graphs", "docs", "patches", ".ci"]
    for folder in folders {
      let all = FileManager.default.enumerator(
        at: Self.root.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in all ?? .init() {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
        #expect(Self.groups(marker, in: text).isEmpty, "\(file.path)")
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.root.path) {
      guard let text = try? String(contentsOf: Self.root.appending(path: file), encoding: .utf8) else {
        continue
      }
      #expect(Self.groups(marker, in: text).isEmpty, "\(file)")
    }
  }
}
