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

  /// Faults and warnings, but none about unwired ports.
  private func faults(_ wires: String...) -> [String] {
    let faults = check(head + wires.map { "  - \($0)\n" }.joined()).faults
    return faults.filter { $0.code != "nothing-wired" }.map { fault in
      "\(fault.mark.map { "\($0.line - 12):\($0.column)" } ?? "-") \(fault.message)"
    }
  }

  /// The sources of each channel of an input, `node.channel` with + between, after the compiler has added its nodes.
  private func sourceTexts(_ nodes: String, _ wires: String, at id: String, input: Int = 0) throws -> [String]
  {
    let checked = check("visgraph: 1\nnodes: { \(nodes) }\nwires: [\(wires)]")
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let port = try #require(graph.nodes.first { $0.id == id }).inputs[input]
    return zip(port.channels, port.sources).map { channel, sources in
      (channel.name.map { "\($0)=" } ?? "")
        + sources.map { "\(graph.nodes[$0.node].id).\($0.channel + 1)" }.joined(separator: "+")
    }
  }

  private let sources = "one: {type: tone}, two: {type: tone, channels: 2, names: [L, R]}"

  @Test func `audio is added in file order, and one channel feeds all`() throws {
    #expect(
      try sourceTexts(sources + ", s: {type: speaker}", "one -> s, two -> s", at: "s") == [
        "L=one.1+two.1", "R=one.1+two.2",
      ])
  }

  @Test func `a channel that feeds all does not give its name to all`() throws {
    let nodes = "vox: {type: tone, names: [Vox]}, two: {type: tone, channels: 2}, s: {type: speaker}"
    #expect(try sourceTexts(nodes, "vox -> s, two -> s", at: "s") == ["vox.1+two.1", "vox.1+two.2"])
    #expect(try sourceTexts(nodes, "vox -> s", at: "s") == ["Vox=vox.1"])
  }

  @Test func `selected channels keep their names and are renumbered`() throws {
    #expect(
      try sourceTexts(sources + ", s: {type: speaker}", "\"two[R, 1] -> s\"", at: "s") == [
        "R=two.2", "L=two.1",
      ])
  }

  @Test func `levels are concatenated in file order`() throws {
    let nodes = sources + ", m: {type: gauge}, n: {type: gauge}, o: {type: postman}"
    #expect(
      try sourceTexts(nodes, "two -> m, one -> n, n -> o, m.peak -> o", at: "o") == ["n.1", "L=m.1", "R=m.2"])
  }

  @Test func `a port as wide as the first feeds one channel to all and takes its names`() throws {
    let nodes = sources + ", b: {type: blend, inputs: 3}"
    #expect(try sourceTexts(nodes, "two -> b, one -> b.in3", at: "b", input: 2) == ["L=one.1", "R=one.1"])
    #expect(try sourceTexts(nodes, "two -> b, \"one -> b.in3[2]\"", at: "b", input: 2) == ["L=", "R=one.1"])
  }

  @Test func `a port as wide as the first accepts no other width`() {
    #expect(faults("two -> b", "six -> b.in2") == ["2:5 six has 6 channels, but b.in2 has 2"])
  }

  @Test func `channels go to the places at the end of a wire`() throws {
    #expect(
      try sourceTexts(sources + ", s: {type: speaker}", "\"two -> s[3-4]\", \"one -> s[1]\"", at: "s")
        == ["one.1", "", "L=two.1", "R=two.2"])
  }

  @Test func `nodes come after their sources, and otherwise in file order`() throws {
    let checked = check(
      "visgraph: 1\nnodes: { s: { type: speaker }, x: { type: tone }, b: { type: blend }, t: { type: tone } }\n"
        + "wires: [x -> b.in2, t -> b -> s]")
    let graph = try #require(checked.graph)
    #expect(graph.order.map { graph.nodes[$0].id } == ["x", "t", "b", "s"])
  }

  @Test func `a wire from a port without channels is a fault`() {
    let catalog = Catalog(types: testCatalogue.types + [Hollow.self])
    let text = "visgraph: 1\nnodes: { h: { type: hollow }, s: { type: speaker } }\nwires: [h -> s]"
    let checked = Checker(catalog).check(SourceText(path: "graph.yaml", text: text))
    #expect(checked.faults.map(\.code) == ["no-channels"])
    #expect(checked.faults.map(\.message) == ["h has no output channels, so the wire to s carries nothing"])
  }

  /// A node whose output has no channels, like an emitter without drives.
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
