import Controls
import Engine
import Graphs
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Nodes
import OSC
import System
import Testing

@testable import Viewer

/// Universes and fixtures as sent to the desk.
@Suite struct LightFactsTests {
  private static let graph = """
    visgraph: 1
    patch:
      - { name: Par, count: 2, channels: [red, green, blue], address: 1/1 }
      - { name: Spot, channels: [dimmer, cyan, magenta, yellow, pan], address: 1/10 }
      - { name: Haze, channels: [fog], address: 1/20 }
    nodes:
      wash: { type: lights, of: Par 1, color: "#ff8000" }
      spot: { type: lights, of: Spot, color: [1, 0, 0], encoding: linear, dimmer: 50 % }
      haze: { type: lights, of: Haze, fog: 20 % }
      lamps: { type: sacn-output, to: 127.0.0.1 }
    wires: [wash -> lamps, spot -> lamps, haze -> lamps]
    """

  private func show() throws -> Show {
    let checked = Checker(.full).check(SourceText(path: "/nowhere/graph.yaml", text: Self.graph))
    let graph = try #require(checked.graph, "\(checked.faults)")
    let show = Show()
    // Slots are sent to an observer, and to no network.
    let configuration = StreamConfiguration(
      sampleRate: 48_000, isRealTime: false, packets: .nowhere, universes: { _, _, _ in })
    try show.open(graph, configuration, host: nil)
    return show
  }

  /// Runs frames of the plan, each 1/60 s.
  private func run(_ show: Show, _ frames: Range<Int>) throws {
    let plan = try #require(show.plan)
    for frame in frames {
      plan.frames.runStalled(
        frame: Int64(frame), at: Int64(800 * (frame + 1)), time: UInt64(frame) * 16_666_667, samples: 800)
    }
  }

  @Test func `fixtures have the light of their slots, and slots are updated while a page watches`() throws {
    let show = try show()
    defer { show.close() }
    let plan = try #require(show.plan)
    try run(show, 0..<4)
    // No page has watched yet.
    #expect(!LightFacts.json(plan).line.contains("ff8000"))
    try run(show, 4..<80)
    let facts = LightFacts.json(plan).line
    #expect(facts.contains(#""universes":[{"id":"lamps","number":1,"slots":"ff8000"#), "\(facts)")
    #expect(facts.contains(##"{"name":"Par 1","universe":1,"slot":1,"width":3,"color":"#ff8000"}"##))
    #expect(facts.contains(##"{"name":"Par 2","universe":1,"slot":4,"width":3,"color":"#000000"}"##))
    // Half red: cyan removes nothing, magenta and yellow remove all.
    #expect(facts.contains(##"{"name":"Spot","universe":1,"slot":10,"width":5,"color":"#800000"}"##))
    #expect(facts.contains(#"{"name":"Haze","universe":1,"slot":20,"width":1,"color":null}"#))
    #expect(facts.contains(#""more":0"#))
  }

  @Test func `lights are sent to the pages that watch them, and to no others`() throws {
    let show = try show()
    defer { show.close() }
    let sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    func messages(_ topics: Set<ViewTopic>, _ right: ViewRight = .steer) throws -> [String] {
      let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: EmbeddedEventLoop())
      let channel = EmbeddedChannel()
      let client = ViewClient(channel, right, name: "a page", at: 0)
      hub.join(client)
      try hub.perform(.watch(topics), of: client)
      hub.tellFacts(isSlow: true, isQuick: true)
      var texts: [String] = []
      while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
        texts.append(String(buffer: frame.data))
      }
      return texts.filter { $0.hasPrefix(#"{"lights""#) }
    }
    #expect(try messages([.lights]).count == 1)
    #expect(try messages([.graph, .targets]).isEmpty)
    #expect(try messages([.lights], .watch).isEmpty)
  }
}
