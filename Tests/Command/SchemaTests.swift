import Foundation
import TestSupport
import Testing

/// What is printed for editors and programs, read by others' libraries.
@Suite struct SchemaTests {
  /// The folder of the package.
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Checks files given as arguments against the schema given first; prints the names of those that it refuses.
  private static let program = """
    import json, sys, yaml
    from jsonschema import Draft202012Validator, validators
    schema = json.load(open(sys.argv[1]))
    kind = validators.validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    validator = kind(schema)
    for path in sys.argv[2:]:
        faults = list(validator.iter_errors(yaml.safe_load(open(path))))
        if faults:
            print(path, faults[0].message[:200])
    """

  @Test func `every example graph satisfies the schema, and check`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema").results.utf8), to: "schema.json")
    let graphs = try Self.graphs
    #expect(graphs.count >= 4)
    let python = try Child(["python3", "-c", Self.program, schema] + graphs)
    #expect(python.exitCode() == 0, "\(python.notes)")
    #expect(python.results == "")
    for graph in graphs {
      let ending = try Visgraph.run("check", graph)
      #expect(ending.code == 0 && ending.notes == "" && ending.results == "", "\(graph): \(ending.notes)")
    }
  }

  @Test func `emitter files satisfy their schema, and check; broken ones are refused by both`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema", "--emitter").results.utf8), to: "schema.json")
    let head = "visgraph-emitter: 1\n"
    let good = try folder.write(
      head
        + "name: A\nlicense: CC0\nposition: [none, 10 %]\nemitterCells: { a: { contents: none, lifetime: 1 frame } }\n"
        + "palette: [red, \"#00FF00\"]\ndrive: [{ key: cells.a.scale, by: x, idle: none }]\nx-a: [1]\n",
      to: "good.yaml")
    var files = try Self.yamlFiles(in: Self.root + "/graphs").filter(Self.isEmitter) + [good]
    for file in files {
      let ending = try Visgraph.run("check", file)
      #expect(ending.code == 0 && ending.notes == "", "\(file): \(ending.notes)")
    }
    var broken: [String] = []
    for (index, text) in ["scal: 1", "each: {}", "set: {}", "emitter: a.yaml", "limit: 0", "name: []"]
      .enumerated()
    {
      let path = try folder.write(head + text + "\n", to: "broken\(index).yaml")
      broken.append(path)
      #expect(try Visgraph.run("check", path).code == 2)
    }
    files += broken
    let python = try Child(["python3", "-c", Self.program, schema] + files)
    #expect(python.exitCode() == 0, "\(python.notes)")
    #expect(python.results.split(separator: "\n").map { String($0.prefix { $0 != " " }) } == broken)
  }

  @Test func `broken graphs are refused by schema and check alike`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema").results.utf8), to: "schema.json")
    let broken = [
      "no-version": "nodes: { a: { type: tone-source } }\n",
      "unknown-type": "visgraph: 1\nnodes: { a: { type: tone-sauce } }\n",
      "unknown-setting": "visgraph: 1\nnodes: { a: { type: tone-source, lewel: 3 } }\n",
      "out-of-range": "visgraph: 1\nnodes: { a: { type: tone-source, level: 300 } }\n",
      "wrong-kind": "visgraph: 1\nnodes: { a: { type: tone-source, channels: many } }\n",
      "unknown-key": "visgraph: 1\nnode: {}\n",
      "no-list": "visgraph: 1\nnodes: { a: { type: tone-source } }\nwires: 3\n",
    ]
    var paths: [String] = []
    for (name, text) in broken.sorted(by: { $0.key < $1.key }) {
      let path = try folder.write(text, to: name + ".yaml")
      paths.append(path)
      let ending = try Visgraph.run("check", path)
      #expect(ending.code == 2, "\(name): \(ending.notes)")
      #expect(ending.notes.hasPrefix(path + ":"), "\(ending.notes)")
    }
    let python = try Child(["python3", "-c", Self.program, schema] + paths)
    #expect(python.exitCode() == 0, "\(python.notes)")
    let refused = python.results.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(refused == paths)
  }

  @Test func `faults and node types are printed as JSON`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("visgraph: 1\nnodes: { a: { type: tone-sauce } }\n", to: "a.yaml")
    let check = try Visgraph.run("check", path, "--format", "json")
    #expect(check.code == 2 && check.notes == "")
    let faults = try JSONSerialization.jsonObject(with: Data(check.results.utf8))
    #expect("\(faults)".contains("tone-sauce"))
    let nodes = try Visgraph.run("nodes", "--format", "json")
    #expect(nodes.code == 0)
    let all = try #require(JSONSerialization.jsonObject(with: Data(nodes.results.utf8)) as? [[String: Any]])
    let names = all.compactMap { $0["name"] as? String }
    #expect(names.count == all.count && names.contains("meter-table"))
    for name in names {
      let one = try Visgraph.run("nodes", name, "--format", "json")
      let description = try #require(
        JSONSerialization.jsonObject(with: Data(one.results.utf8)) as? [String: Any])
      #expect(description["name"] as? String == name)
      #expect(try Visgraph.run("nodes", name).code == 0)
    }
  }

  private static var graphs: [String] {
    get throws {
      try (yamlFiles(in: root + "/graphs") + yamlFiles(in: root + "/Tests/Golden")).filter { !isEmitter($0) }
    }
  }

  private static func isEmitter(_ path: String) -> Bool {
    (try? String(contentsOfFile: path, encoding: .utf8))?.contains("visgraph-emitter:") == true
  }

  private static func yamlFiles(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder + "/" + $0 }
  }
}
