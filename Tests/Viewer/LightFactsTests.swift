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

  private func show(_ text: String = graph) throws -> Show {
    let checked = Checker(.full).check(SourceText(path: "/nowhere/graph.yaml", text: text))
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

  @Test func `of many universes and fixtures the first are sent, and how many there are besides`() throws {
    let others = String(repeating: ", none", count: 511)
    let show = try show(
      """
      visgraph: 1
      patch:
        - { name: Wide, count: 35, channels: [red\(others)], address: 1/1 }
        - { name: Narrow, count: 1000, channels: [red], address: 36/1 }
      nodes:
        wash: { type: lights, of: [Wide, Narrow] }
        lamps: { type: sacn-output, to: 127.0.0.1 }
      wires: [wash -> lamps]
      """)
    defer { show.close() }
    let plan = try #require(show.plan)
    // A page watches.
    _ = LightFacts.json(plan)
    try run(show, 0..<4)
    let facts = LightFacts.json(plan).line
    // 35 and 1000 fixtures, in 37 universes.
    #expect(facts.contains(#""more":5,"moreFixtures":11"#))
    #expect(facts.contains(#""number":32,"#) && !facts.contains(#""number":33,"#))
    // The light of a fixture is there although its universe is not.
    #expect(
      facts.contains(##"{"name":"Wide 35","universe":35,"slot":1,"width":512,"color":"#ff0000"}"##))
    #expect(facts.contains(#""name":"Narrow 989""#) && !facts.contains(#""name":"Narrow 990""#))
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
