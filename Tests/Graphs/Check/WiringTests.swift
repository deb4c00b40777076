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

  @Test func `channels go to places where the end of a wire says so`() throws {
    #expect(
      try heard(sources + ", s: {type: speaker}", "\"two -> s[3-4]\", \"one -> s[1]\"", at: "s")
        == ["one.1", "", "L=two.1", "R=two.2"])
  }

  @Test func `a fault in a wire is told with its place`() {
    #expect(faults("two -> s", "six -> s") == ["2:5 six has 6 channels and s has 2, the width of two"])
    #expect(
      faults("two -> p") == [
        "1:12 two gives audio, p.level takes levels 0…1: put a gauge and a curve between them"
      ])
    #expect(
      faults("two -> m -> p") == [
        "1:17 m gives levels in dBFS, p.level takes levels 0…1: put a curve between them"
      ])
    #expect(faults("two -> m -> s") == ["1:17 m gives levels in dBFS, s takes audio"])
    #expect(
      faults("two -> m -> c -> o", "m -> o") == [
        "2:5 levels in dBFS meet levels 0…1 at o; all wires of a port carry the same"
      ])
    #expect(faults("two -> b", "six -> b.in2") == ["2:5 six has 6 channels and b.in2 has 2"])
    #expect(faults("two -> two") == ["1:12 two is wired to itself"])
    #expect(faults("b -> s", "two -> b", "s -> b") == ["3:5 no wire can start at s: speaker has no outputs"])
    #expect(faults("m -> two") == ["1:10 no wire can lead to two: tone has no inputs"])
    #expect(faults("to -> m") == ["1:5 there is no node \"to\""])
    #expect(faults("two -> m.pek") == ["1:12 m has no input \"pek\""])
    #expect(faults("two -> m.peak") == ["1:12 peak is an output of m, and an input is needed here"])
    #expect(faults("m.audio -> o") == ["1:5 audio is an input of m, and an output is needed here"])
    #expect(faults("two[3] -> s") == ["1:9 two has 2 channels, and a channel 3 is asked for"])
    #expect(faults("two[V] -> s") == ["1:9 two has no channel \"V\""])
    #expect(faults("two[0] -> s") == ["1:9 channels are counted from 1"])
    #expect(faults("two[2-1] -> s") == ["1:9 a range goes from the lower number to the higher"])
    #expect(
      faults("two -> m[1] -> o") == [
        "1:12 channels in the middle of a chain could mean what arrives or what leaves at m[1]"
      ])
    #expect(
      faults("one -> s[R]") == ["1:14 where a wire ends, channels are numbers: names come along the wires"])
    #expect(faults("two -> s[1-3]") == ["1:5 two has 2 channels and s[1-3] has 3"])
    #expect(
      faults("two -> m", "\"m[1] -> o[1]\"", "\"m -> o[1]\"")
        == ["3:6 m has 2 channels and o[1] has 1"])
    #expect(
      faults("two -> m", "\"m[1] -> o[1]\"", "\"m[2] -> o[1]\"")
        == ["3:14 channel 1 of o has a wire already, and levels do not add up"])
    #expect(
      faults("two -> m", "\"m[1] -> o[2]\"") == ["2:14 o has 2 channels, and nothing is wired to channel 1"])
    #expect(
      faults("two -> m", "\"m[1] -> o[1]\"", "m -> o")
        == ["3:10 other wires to o say which channel they go to, and this one does not"])
  }

  @Test func `a text that is no wire says what is expected`() {
    #expect(faults("two > s") == ["1:9 \"> s\" stands where -> is expected"])
    #expect(
      faults("two ->") == ["1:5 the wire ends where the id of a node is expected"]
        || faults("two ->") == ["1:11 the wire ends where the id of a node is expected"])
    #expect(faults("two. -> s") == ["1:9 \" -> s\" stands where the name of a port is expected"])
    #expect(faults("two[1 -> s") == ["1:8 \"[1 -> s\" stands where a ] behind it is expected"])
    #expect(faults("two[1].audio -> s") == ["1:11 the port stands before the channels"])
    #expect(faults("two") == ["1:5 the wire leads nowhere; it takes at least two nodes"])
    #expect(faults("{ a: b }") == ["1:5 a wire is a map; it takes text such as song -> meter"])
  }

  @Test func `wires in a circle are named`() {
    #expect(
      said(
        """
        visgraph: 1
        nodes: { t: { type: tone }, a: { type: blend }, b: { type: blend }, c: { type: blend } }
        wires:
          - t -> a -> b -> c
          - c -> a.in2
        """) == """
          graph.yaml:5:10: error: the wires go round in a circle: a -> b -> c -> a [wire-loop]
             5 |   - c -> a.in2
               |          ^^^^^
               = remove one of these wires: a graph has no feedback

          """)
  }

  @Test func `what is hardly meant is a warning`() {
    #expect(
      said(
        "visgraph: 1\nnodes:\n  t: { type: tone }\n  s: { type: speaker }\n  u: { type: tone }\nwires: [t -> s, t -> s]\n"
      )
        == """
        graph.yaml:5:3: warning: no wire starts at u or leads to it [unused-node]
           5 |   u: { type: tone }
             |   ^
        graph.yaml:6:22: warning: t is wired to s a second time [wired-twice]
           6 | wires: [t -> s, t -> s]
             |                      ^

        """)
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
