import Foundation
import Graphs
import Nodes
import TestSupport
import Testing

/// What is printed for editors and programs, read by others' libraries.
@Suite(.blocking) struct SchemaTests {
  /// The folder of the package.
  private static let root = projectFolder.path

  /// Checks files given as arguments against the schema given first; prints the names of those that it refuses.
  private static let program = """
    import json, sys, yaml
    from jsonschema import Draft202012Validator, validators
    schema = json.load(open(sys.argv[1]))
    kind = validators.validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    validator = kind(schema)
    # Keys of JSON are text.
    def keys(value):
        if isinstance(value, dict):
            return {(str(key).lower() if isinstance(key, bool) else str(key)): keys(part) for key, part in value.items()}
        return [keys(part) for part in value] if isinstance(value, list) else value
    for path in sys.argv[2:]:
        try:
            graph = keys(yaml.safe_load(open(path)))
        except yaml.YAMLError:
            print(path, "is no YAML")
            continue
        faults = list(validator.iter_errors(graph))
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

  @Test func `fixture files satisfy their schema, and check; broken ones are refused by both`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema", "--fixture").results.utf8), to: "schema.json")
    var files = try Self.yamlFiles(in: Self.root + "/graphs").filter(Self.isFixture)
    #expect(files.count == 2)
    for file in files {
      let ending = try Visgraph.run("check", file)
      #expect(ending.code == 0 && ending.notes == "", "\(file): \(ending.notes)")
    }
    var broken: [String] = []
    for (index, text) in [
      "mode: {}", "modes: { A: 3 }", "modes: { A: [] }", "modes: { A: [{ is: pan, rang: [1, 2] }] }",
      "modes: { A: [{ is: gobo, ranges: [{ slots: 300 }] }] }", "modes: { A: [{ is: gobo, default: 1.5 }] }",
    ].enumerated() {
      let path = try folder.write("visgraph-fixture: 1\n\(text)\n", to: "broken\(index).yaml")
      broken.append(path)
      #expect(try Visgraph.run("check", path).code == 2, "\(text)")
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

  /// Graphs as people may write them too: every one is accepted by check, so the schema may not refuse it.
  private static let right = [
    "visgraph: 1\nnodes: { a: { type: tone-source } }\nwires:\n",
    "visgraph: \"1\"\nname: 2026\nfps: 30000/1001\nvalues:\nnodes: { 1: { type: tone-source }, b: { type: meter } }\nwires: [\"1 -> b\"]\n",
    "visgraph: 1\nfps: \"29.97\"\nstage:\nnodes: { a: { type: tone-source }, m: { type: meter, each: { 1: } } }\nwires: [a->m]\n",
    "visgraph: 1\nvalues: { kind: meter, time: 1 s, rig: 127.0.0.1, dash: a, f: 440 Hz }\nstage: { background: White, size: 1x1 }\n"
      + "nodes:\n  a: { type: tone-source, level: \"-6dB\", frequency: \"${f}\", x-y: 1 }\n  m: { type: \"${kind}\", release: \"${time}\" }\n"
      + "  x-note: 3\nwires: [\"${dash} -> m\"]\n",
    "visgraph: 1\nstage: { background: rgb(255 0 0 / 50%), margin: 5 % }\nnodes: { a: { type: tone-source, channels: 3 }, m: { type: meter } }\n"
      + "wires:\n  - \" a[1-2,3] -> m[1 - 3] \"\n",
    "visgraph: 1\nstage: { background: \"HSLA(120, 100%, 50%, .5)\" }\nnodes: { a: { type: tone-source, seed: 1.0, level: -0.0 } }\n",
    "visgraph: 1\nstage: { background: [0, 0.5, 100 %] }\nnodes: { in: { type: jack-input, connect: off, names: [true, 1, ~] } }\n",
    "visgraph: 1\nnodes:\n  a: { type: file-source, path: a.wav, channels: 2, loop: forever, repeat: off, start: pause, section: { from: 0:10, to: 1:02.5 } }\n"
      + "  m: { type: meter, window: 0.3, release: \"+20 dB/s\", attack: \"-0 s\", hold: .5 }\n  g: { type: gain, mute: \"yes\", gain: \"-1.5e1 dB\" }\n"
      + "  o: { type: jack-output }\nwires: [a -> g -> o, a.out -> m.in]\n",
    "visgraph: 1\nnodes:\n  a: { type: tone-source }\n  m: { like: n }\n  n: { type: meter }\n  t: { type: trigger, above: none }\n  l: { type: meter-table }\n"
      + "  rig:\n    type: osc-output\n    to: [\"osc.UDP://rig.local:7700/\", \"[::1]:0080\", { to: \"10.0.0.7:9000\", address: \"/a/{name}/{channel}-x\" }]\n"
      + "    address: \"/{source}{channel}/~!$%&'()+-.:;<=>@^_`|\\\\\"\n    eventAddress: \"/e/{event}/{channel}\"\n    repeat: 0\n"
      + "wires: [a -> m, a -> n -> l -> rig, n -> t, t.events -> rig.events]\n",
    "visgraph: 1\nnodes:\n  a: { type: tone-source }\n  m: { type: meter }\n  l: { type: meter-table }\n  c: { type: combine, names: Both }\n"
      + "  e:\n    type: emitter\n    position: [none, 10 %]\n    emitterSize: { width: 5 }\n    palette: [red, \"#FA0\", [1, 0, 0, 50 %]]\n    duration: ~\n"
      + "    cells: { s: { birthRate: 10, lifetime: 1 frame, contents: none, emissionRange: 360°, color: hsl(1turn 10% 5%) }, t: }\n"
      + "    drive: [{ key: cells.s.scale, to: [0, 5], idle: none }]\n    particles: { to: \"127.0.0.1:9\" }\n    set: { zPosition: 3 }\n"
      + "  r: { type: range, from: [-60, 0], curve: 2, invert: on }\nwires: [a -> m -> l -> e, l -> c, m -> r]\n",
  ]

  @Test func `the schema never refuses what check accepts`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema").results.utf8), to: "schema.json")
    // The files that lie about, the graphs that stand in tests and in READMEs, and odd spellings.
    var texts: [String] = []
    for place in ["graphs", "patches", "tools", "Tests"] {
      let files = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/" + place)
      for file in files where [".yaml", ".swift", ".md"].contains(where: file.hasSuffix) {
        let text = (try? String(contentsOfFile: "\(Self.root)/\(place)/\(file)", encoding: .utf8)) ?? ""
        texts += file.hasSuffix(".yaml") ? [text] : Self.graphs(in: text)
      }
    }
    let checker = Checker(.full)
    var paths: [String] = []
    for (index, text) in (texts + Self.right).enumerated() {
      let path = try folder.write(text, to: "\(index).yaml")
      let checked = checker.check(SourceText(path: path, text: text))
      if index >= texts.count { #expect(checked.graph != nil, "\(text)\(DiagnosticText.text(checked))") }
      if checked.graph != nil { paths.append(path) }
    }
    #expect(paths.count >= 30)
    let python = try Child(["python3", "-c", Self.program, schema] + paths)
    #expect(python.exitCode() == 0, "\(python.notes)")
    #expect(python.results == "")
  }

  /// Graphs that stand in a text, between lines of three quotes or backquotes; those with a place for a value are left
  /// out.
  private static func graphs(in text: String) -> [String] {
    var found: [String] = []
    for mark in ["\"\"\"", "```"] {
      for block in text.components(separatedBy: mark) {
        let lines = block.components(separatedBy: "\n")
        // Tests of single nodes leave the first line away.
        let whole = lines.firstIndex { $0.contains("visgraph: 1") && !$0.contains("\"") }
        guard let first = whole ?? lines.firstIndex(where: { $0.hasSuffix("nodes:") }), !block.contains("\\(")
        else { continue }
        let indent = lines[first].prefix { $0 == " " }.count
        let text = lines[first...].map { String($0.dropFirst(indent)) + "\n" }.joined()
        found.append(whole == nil ? "visgraph: 1\n" + text : text)
      }
    }
    return found
  }

  @Test func `the schema catches what it can of what newcomers write`() throws {
    let folder = try TemporaryFolder()
    let schema = try folder.write(Data(Visgraph.run("schema").results.utf8), to: "schema.json")
    let paths = try Self.yamlFiles(in: Self.root + "/Tests/Faults/slips")
    let python = try Child(["python3", "-c", Self.program, schema] + paths)
    #expect(python.exitCode() == 0, "\(python.notes)")
    let refused = Set(python.results.split(separator: "\n").map { String($0.prefix { $0 != " " }) })
    let passed = paths.filter { !refused.contains($0) }.compactMap {
      $0.split(separator: "/").last.map { String($0.dropLast(5)) }
    }
    // What only a check can know: files, names, loops, widths, keys twice.
    #expect(
      passed.sorted() == [
        "anchor", "bands-edges", "bool", "channel-name", "channel0", "compare-pair", "curve-points", "dup",
        "emitter-key", "emitter-noaudio", "far-typo", "file-missing", "level-two", "like-typo", "logic-alone",
        "loop", "no-table", "onset-range", "out-to", "port-too-large", "rgb-range", "spectrum-order",
        "stereo-odd", "value-missing", "wrong-portname",
      ])
  }

  @Test func `descriptions state ranges, words and defaults`() throws {
    let schema = try Visgraph.run("schema").results
    for text in [
      "The time in which a rise covers 63 % of its way; 0 rises at once. Takes a number 0…60 s. Default: 0 s",
      "What reads 0 dBFS average. Takes one of sine, rms. sine: a full-scale sine reads 0 dBFS average (mean square + 3.01 dB).",
    ] { #expect(schema.contains(text), "\(text)") }
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
      try (yamlFiles(in: root + "/graphs") + yamlFiles(in: root + "/Tests/Golden"))
        .filter { !isEmitter($0) && !isFixture($0) }
    }
  }

  private static func isEmitter(_ path: String) -> Bool {
    (try? String(contentsOfFile: path, encoding: .utf8))?.contains("visgraph-emitter:") == true
  }

  private static func isFixture(_ path: String) -> Bool {
    (try? String(contentsOfFile: path, encoding: .utf8))?.contains("\nvisgraph-fixture:") == true
  }

  private static func yamlFiles(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder + "/" + $0 }
  }
}
