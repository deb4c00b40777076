import Testing

@testable import Graphs

@Suite struct WiringTests {
  private let head = """
    visgraph: 1
    nodes:
      one: { type: tone }
      two: { type: tone, channels: 2, names: [L, R] }
      six: { type: tone, channels: 6 }
      m: { type: gauge }
      c: { type: curve }
      s: { type: speaker }
      p: { type: sprinkler }
      b: { type: blend, inputs: 3 }
      o: { type: postman }
    wires:

    """

  /// Faults and warnings without those about what is not wired.
  private func faults(_ wires: String...) -> [String] {
    let faults = check(head + wires.map { "  - \($0)\n" }.joined()).faults
    return faults.filter { $0.code != "nothing-wired" }.map { fault in
      "\(fault.mark.map { "\($0.line - 12):\($0.column)" } ?? "-") \(fault.message)"
    }
  }

  /// What each channel of an input hears, `node.channel` with + between, after adding the nodes that are needed.
  private func heard(_ nodes: String, _ wires: String, at id: String, input: Int = 0) throws -> [String] {
    let checked = check("visgraph: 1\nnodes: { \(nodes) }\nwires: [\(wires)]")
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let port = try #require(graph.nodes.first { $0.id == id }).inputs[input]
    return zip(port.channels, port.sources).map { channel, sources in
      (channel.name.map { "\($0)=" } ?? "")
        + sources.map { "\(graph.nodes[$0.node].id).\($0.channel + 1)" }.joined(separator: "+")
    }
  }

  private let sources = "one: {type: tone}, two: {type: tone, channels: 2, names: [L, R]}"

  @Test func `audio adds up in file order and one channel spreads`() throws {
    #expect(
      try heard(sources + ", s: {type: speaker}", "one -> s, two -> s", at: "s") == [
        "L=one.1+two.1", "R=one.1+two.2",
      ])
  }

  @Test func `a channel that spreads does not give its name to all`() throws {
    let nodes = "vox: {type: tone, names: [Vox]}, two: {type: tone, channels: 2}, s: {type: speaker}"
    #expect(try heard(nodes, "vox -> s, two -> s", at: "s") == ["vox.1+two.1", "vox.1+two.2"])
    #expect(try heard(nodes, "vox -> s", at: "s") == ["Vox=vox.1"])
  }

  @Test func `picked channels keep their names and are renumbered`() throws {
    #expect(
      try heard(sources + ", s: {type: speaker}", "\"two[R, 1] -> s\"", at: "s") == ["R=two.2", "L=two.1"])
  }

  @Test func `levels stand side by side in file order`() throws {
    let nodes = sources + ", m: {type: gauge}, n: {type: gauge}, o: {type: postman}"
    #expect(
      try heard(nodes, "two -> m, one -> n, n -> o, m.peak -> o", at: "o") == ["n.1", "L=m.1", "R=m.2"])
  }

  @Test func `a port as wide as the first spreads one channel and takes its names`() throws {
    let nodes = sources + ", b: {type: blend, inputs: 3}"
    #expect(try heard(nodes, "two -> b, one -> b.in3", at: "b", input: 2) == ["L=one.1", "R=one.1"])
    #expect(try heard(nodes, "two -> b, \"one -> b.in3[2]\"", at: "b", input: 2) == ["L=", "R=one.1"])
  }

  @Test func `a port as wide as the first takes no other width`() {
    #expect(faults("two -> b", "six -> b.in2") == ["2:5 six has 6 channels and b.in2 has 2"])
  }

  @Test func `channels go to places where the end of a wire says so`() throws {
    #expect(
      try heard(sources + ", s: {type: speaker}", "\"two -> s[3-4]\", \"one -> s[1]\"", at: "s")
        == ["one.1", "", "L=two.1", "R=two.2"])
  }

  @Test func `nodes come after what they hear and else in file order`() throws {
    let checked = check(
      "visgraph: 1\nnodes: { s: { type: speaker }, x: { type: tone }, b: { type: blend }, t: { type: tone } }\n"
        + "wires: [x -> b.in2, t -> b -> s]")
    let graph = try #require(checked.graph)
    #expect(graph.order.map { graph.nodes[$0].id } == ["x", "t", "b", "s"])
  }

  @Test func `a wire from where there are no channels is a fault`() {
    let catalog = Catalog(types: testCatalogue.types + [Hollow.self])
    let text = "visgraph: 1\nnodes: { h: { type: hollow }, s: { type: speaker } }\nwires: [h -> s]"
    let checked = Checker(catalog).check(SourceText(path: "graph.yaml", text: text))
    #expect(checked.faults.map(\.code) == ["no-channels"])
    #expect(checked.faults.map(\.message) == ["h gives no channels, so nothing would ever arrive at s"])
  }

  /// Gives nothing at all, as an emitter does whose drives are missing.
  private enum Hollow: NodeType {
    static let name = "hollow"
    static let help = "Has an output without channels."
    static func inputs(_ settings: Speaker.Settings) -> [InputPort] { [] }
    static func outputs(_ settings: Speaker.Settings) -> [OutputPort] {
      [OutputPort("out", .type(.audio), "Nothing.")]
    }
    static func shape(_ shaping: Shaping<Speaker.Settings>) -> [[Channel]] { [[]] }
  }
}
