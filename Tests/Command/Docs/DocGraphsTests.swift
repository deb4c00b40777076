import Foundation
import TestSupport
import Testing

/// Every graph that the pages print, and every example beside them, is one that runs.
@Suite(.blocking) struct DocGraphsTests {
  private static let root = DocPage.root

  /// The example graphs, by path.
  private static func examples() throws -> [String] {
    let files = FileManager.default
    let folders = ["graphs", "graphs/guide", "graphs/cookbook", "patches/ola"]
    return try folders.flatMap { folder in
      try files.contentsOfDirectory(atPath: root + "/" + folder).filter { $0.hasSuffix(".yaml") }.sorted()
        .map { folder + "/" + $0 }
    }
  }

  @Test func `the graphs of the guide are the files beside it, word for word`() throws {
    let blocks = try DocPage("graphs/GRAPHS.md").blocks.filter { $0.kind == "yaml" && $0.reason == nil }
    var names: Set<String> = []
    for block in blocks {
      let name = String(try #require(block.lines.first).dropFirst(2))
      names.insert(name)
      let file = try String(contentsOfFile: Self.root + "/" + name, encoding: .utf8)
      #expect(file == block.lines.joined(separator: "\n") + "\n", "\(name): run tools/generate")
    }
    #expect(names == Set(try Self.examples().filter { $0.hasPrefix("graphs/guide/") }))
    #expect(names.count >= 9)
  }

  @Test func `every example is checked, measured and, if it draws, drawn`() throws {
    let folder = try TemporaryFolder()
    for name in try Self.examples() {
      let path = Self.root + "/" + name
      let check = try Visgraph.run("check", path)
      #expect(check.code == 0 && check.notes == "", "\(name): \(check.notes)")
      let levels = try Visgraph.run(
        "render", path, "--for", "0.5", "--force", "-o", folder.file("levels.csv"))
      #expect(levels.code == 0, "\(name): \(levels.notes)")
      if try String(contentsOfFile: path, encoding: .utf8).contains("type: emitter") {
        let picture = try Visgraph.run(
          "render", path, "--at", "0.5", "--size", "64x36", "--force", "-o", folder.file("picture.png"))
        #expect(picture.code == 0, "\(name): \(picture.notes)")
      }
    }
  }

  @Test(.enabled(if: DocShell.isPossible, "needs a network of its own: unshare and ip"))
  func `every example runs by the timer, and all of its packets are received`() throws {
    let graphs = try Self.examples()
    let failure = try DocShell().run(graphs.map { "visgraph run \($0) --host clock" })
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test func `the graphs and emitters that README prints are complete and valid`() throws {
    let blocks = try DocPage("README.md").blocks.filter { $0.kind == "yaml" && $0.reason == nil }
    #expect(blocks.count >= 2)
    let folder = try TemporaryFolder()
    for name in ["sounds", "emitters"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: Self.root + "/graphs/" + name)
    }
    for block in blocks {
      let path = try folder.write(block.lines.joined(separator: "\n") + "\n", to: "block.yaml")
      let check = try Visgraph.run("check", path)
      #expect(check.code == 0 && check.notes == "", "\(block.heading): \(check.notes)")
      var graph = path
      if block.lines.contains(where: { $0.hasPrefix("visgraph-emitter:") }) {
        graph = try folder.write(Self.graphOfEmitter, to: "graph.yaml")
      }
      let render = try Visgraph.run(
        "render", graph, "--for", "0.5", "--force", "-o", folder.file("levels.csv"))
      #expect(render.code == 0, "\(block.heading): \(render.notes)")
    }
  }

  /// Plays the printed emitter; its second drive listens to `move`.
  private static let graphOfEmitter = """
    visgraph: 1
    nodes:
      song: { type: file-source, path: sounds/demo.flac }
      meter: { type: meter }
      level: { type: meter-table }
      light: { type: emitter, emitter: block.yaml }
    wires:
      - song -> meter -> level -> light
      - level[1] -> light.move

    """

  @Test func `the cookbook has a graph for each of its twelve jobs`() throws {
    let page = try DocPage("graphs/cookbook/README.md")
    let graphs = try Self.examples().filter { $0.hasPrefix("graphs/cookbook/") }
    #expect(graphs.count == 12)
    for graph in graphs {
      let name = String(graph.dropFirst("graphs/cookbook/".count))
      #expect(page.links.contains(name), "\(name)")
      #expect(page.sections.contains { $0.commands.contains { $0.contains(graph) } }, "\(name)")
    }
  }
}
