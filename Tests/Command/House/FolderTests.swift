import Foundation
import Testing

/// The folders of a module stand on floors: none needs one that needs it, however far around.
@Suite struct FolderTests {
  /// The modules that are held to it: all that have several folders.
  static let modules = HouseTests.floors.joined().filter { module in
    let files = HouseTests.sources("Sources/\(module)").filter { $0.pathExtension == "swift" }
    return Set(files.map { $0.deletingLastPathComponent() }).count > 1
  }

  /// At most how many files of a module need each other, however far around; in a module without an entry none does.
  static let mostFilesInCircles = [
    // A command is read from a call with addresses of settings, and a call keeps those that have been read from it.
    "Controls": 2,
    // A kind of value may be a record of fields, fields have kinds, and the context of reading knows both.
    "Graphs": 9,
    // A node type makes its parts, and its parts have its settings.
    "Nodes": 40,
    // A file may be a part of another, which is opened as files are; a format has a warning, and errors name its ranges;
    // commands of a player set its settings, and settings are sent as commands.
    "Playback": 6,
  ]

  /// A file of a module: the folder it lies in, below the module, and its code.
  struct File {
    var folder: String
    var name: String
    var code: String
  }

  /// A name that a file takes from another.
  struct Need: CustomStringConvertible {
    var from: File
    var to: File
    var name: String
    var description: String {
      "\(from.folder)/\(from.name) needs \(name) of \(to.folder)/\(to.name)"
    }
  }

  private static let declaration = pattern(
    #"(?m)^(?:@\S+ )*(?:(?:public|package|internal|final|indirect|nonisolated) )*"#
      + #"(?:struct|class|enum|protocol|actor|typealias|func|let|var) ([A-Za-z_]\w*)"#)
  private static let privateDeclaration = pattern(
    #"(?m)^(?:@\S+ )*(?:private|fileprivate) (?:final |indirect )*"#
      + #"(?:struct|class|enum|protocol|actor|typealias|func|let|var) ([A-Za-z_]\w*)"#)
  // Members of that name follow a dot, or are declared.
  private static let word = pattern(#"(?<![.\w])(?<!func )(?<!let )(?<!var )(?<!case )([A-Za-z_]\w*)"#)

  private static func pattern(_ text: String) -> NSRegularExpression {
    do { return try NSRegularExpression(pattern: text) } catch { fatalError("\(error)") }
  }

  /// What files of a module need of each other.
  static func needs(_ files: [File]) -> [Need] {
    var declared: [String: [File]] = [:]
    for file in files {
      for name in HouseTests.groups(declaration, in: file.code) {
        declared[name[0], default: []].append(file)
      }
    }
    return files.flatMap { file in
      // Short names in lower case are those of locals everywhere.
      let words = Set(HouseTests.groups(word, in: file.code).joined())
        .filter { $0.utf8.count >= 5 || $0.first?.isUppercase == true }
      let own = HouseTests.groups(privateDeclaration, in: file.code).joined()
      return words.subtracting(own).sorted().flatMap { name in
        (declared[name] ?? []).filter { ($0.folder, $0.name) != (file.folder, file.name) }
          .map { Need(from: file, to: $0, name: name) }
      }
    }
  }

  /// What each folder reaches, along those that it needs.
  private static func reach(_ below: [String: Set<String>]) -> [String: Set<String>] {
    func reached(from folder: String) -> Set<String> {
      var found: Set<String> = []
      var rest = Array(below[folder] ?? [])
      while let next = rest.popLast() {
        if found.insert(next).inserted { rest += below[next] ?? [] }
      }
      return found
    }
    return Dictionary(uniqueKeysWithValues: below.keys.map { ($0, reached(from: $0)) })
  }

  /// The files that reach each other.
  static func filesInCircles(_ needs: [Need]) -> [String] {
    let pairs = needs.map { ("\($0.from.folder)/\($0.from.name)", "\($0.to.folder)/\($0.to.name)") }
    let below = Dictionary(grouping: pairs) { $0.0 }.mapValues { Set($0.map(\.1)) }
    return reach(below).filter { $0.value.contains($0.key) }.keys.sorted()
  }

  /// The needs among folders that reach each other. First come those without which the fewest folders would reach each
  /// other.
  static func needsInCircles(_ needs: [Need]) -> [Need] {
    let needs = needs.filter { $0.from.folder != $0.to.folder }
    var below: [String: Set<String>] = [:]
    for need in needs { below[need.from.folder, default: []].insert(need.to.folder) }
    let all = reach(below)
    let inCircles = needs.filter { all[$0.to.folder]?.contains($0.from.folder) == true }
    let groups = Dictionary(grouping: inCircles) { [$0.from.folder, $0.to.folder] }.map { pair, needs in
      var others = below
      others[pair[0]]?.remove(pair[1])
      return (left: reach(others).count { $0.value.contains($0.key) }, needs: needs)
    }
    return groups.sorted { ($0.left, $0.needs.count) < ($1.left, $1.needs.count) }.flatMap(\.needs)
  }

  /// The files of a module.
  static func files(of module: String) throws -> [File] {
    let path = HouseTests.root.appending(path: "Sources/\(module)").path
    return try HouseTests.sources("Sources/\(module)").filter { $0.pathExtension == "swift" }.map { file in
      let folder = file.deletingLastPathComponent().path.dropFirst(path.count + 1)
      return File(
        folder: folder.isEmpty ? module : String(folder), name: file.lastPathComponent,
        code: SwiftCode.code(of: try String(contentsOf: file, encoding: .utf8)))
    }
  }

  @Test func `a folder that needs a folder above it is found, and by which names`() {
    func file(_ folder: String, _ name: String, _ text: String) -> File {
      File(folder: folder, name: name, code: SwiftCode.code(of: text))
    }
    let files = [
      file("Low", "A.swift", "public struct A {}\nfunc write(_ a: A) {}\nlet text = \"C\" // C\n"),
      file("Mid", "B.swift", "final class B { let a = A()\n  func write() {} }\nlet note = \"in \\(limit)\""),
      file("Top", "C.swift", "enum C { static func name(_ b: B) { b.write() } }"),
      file("Top", "D.swift", "let limit = 1\nprivate struct A {}"),
    ]
    let needs = Self.needs(files)
    #expect(
      needs.map(\.description) == [
        "Mid/B.swift needs A of Low/A.swift", "Mid/B.swift needs limit of Top/D.swift",
        "Top/C.swift needs B of Mid/B.swift",
      ])
    #expect(
      Self.needsInCircles(needs).map(\.description).sorted() == [
        "Mid/B.swift needs limit of Top/D.swift", "Top/C.swift needs B of Mid/B.swift",
      ])
    // Three floors, and one look up from the lowest: that is what is to be seen first.
    let house = [
      file("Low", "A.swift", "struct A { let e: Ende }"), file("Mid", "B.swift", "struct B { let a: A }"),
      file("Top", "C.swift", "struct Ende { let b: B; let a: A }"),
      file("Side", "D.swift", "struct D { let e: Ende }"),
    ]
    #expect(
      Self.needsInCircles(Self.needs(house)).map(\.description).first
        == "Low/A.swift needs Ende of Top/C.swift")
    #expect(Self.filesInCircles(Self.needs(house)) == ["Low/A.swift", "Mid/B.swift", "Top/C.swift"])
  }

  @Test func `the modules with several folders are found`() { #expect(Self.modules.count > 14) }

  @Test(arguments: [
    (#"let a = "in \(b(c)["Clock"]) out" // d"#, #"let a = "" b(c)[""]  "#),
    (##"x = #"a\(b)\#(c)"#"##, #"x = "" c "#),
    ("x = \"\"\"\n A \"B\" \\(c)\n\"\"\" + d /* e /* f */ */ g", #"x = "" c  + d  g"#),
    (##"#if a("\"b\\") // "c"##, ##"#if a("") "##),
  ])
  func `code is what is left without comments and texts`(source: String, code: String) {
    #expect(SwiftCode.code(of: source) == code)
  }

  @Test(arguments: modules) func `no folder needs a folder above it`(_ module: String) throws {
    let needs = Self.needs(try Self.files(of: module))
    let circles = Self.needsInCircles(needs).map(\.description)
    #expect(circles.count == 0, "above all: \(circles.prefix(8).joined(separator: "; "))")
    let files = Self.filesInCircles(needs)
    #expect(files.count <= Self.mostFilesInCircles[module] ?? 0, "among \(files.joined(separator: ", "))")
  }
}
