import Engine
import Graphs
import Hosts
import Nodes
import Synchronization
import TestSupport
import Testing

@testable import visgraph

/// What the screen shows of sources and targets, from one look to the next.
@Suite struct StatusLevelsTests {
  @Test func `a handler of the run's end may be set a million times, and is called once`() throws {
    let checked = Checker(.full).check(
      SourceText(
        path: "/nowhere/graph.yaml",
        text:
          "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n"
      ))
    let (show, plan) = try Self.open(try #require(checked.graph))
    defer { show.close() }
    let count = Atomic<Int>(0)
    let limit = DurationLimit(1)
    try onSmallStack {
      var header = RecordHeader()
      (header.samples, header.frames) = (800, 1)
      for frame in 1...1_000_000 {
        limit.onReached { count.add(1, ordering: .relaxed) }
        // The 60th frame is the last.
        header.endSample = Int64(min(frame, 59)) * 800
        limit.saw(plan, header)
      }
      header.endSample = 48_000
      for _ in 0..<3 { limit.saw(plan, header) }
    }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func `a channel has the level, the peak and the gate after its meter, with their present settings`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 3 }
        other: { type: meter }
        meter: { type: meter }
        gate: { type: gate, open: -40 dB }
      wires:
        - tone[1] -> other
        - tone[2-3] -> meter
        - meter -> gate

      """, to: "graph.yaml")
    let checked = Checker(.full).check(path: path)
    let graph = try #require(checked.graph, "\(checked.faults)")
    let (show, plan) = try Self.open(graph)
    defer { show.close() }
    // Each level is its number, and each peak 100 above.
    let numbers = (0..<plan.frames.levelCount).map(Float.init)
    let seen = LevelMonitor.Snapshot(plan: plan.number, levels: numbers, highest: numbers.map { $0 + 100 })
    func number(_ name: String) throws -> Float {
      Float(try #require(plan.frames.columns.first { $0.name == name }?.level))
    }
    var levels = SourceLevels()
    levels.take(seen, of: plan, at: 0)
    var channels = try #require(levels.channels[0])
    #expect(channels.map(\.average) == [try number("other/1"), try number("meter/1"), try number("meter/2")])
    #expect(
      channels.map(\.peak.level)
        == [try number("other.peak/1"), try number("meter.peak/1"), try number("meter.peak/2")].map {
          $0 + 100
        })
    #expect(channels[0].gate == nil)
    let gate = ShowStatus.Gate(
      id: "gate", isOpen: true, level: try number("meter/2"), threshold: -40, isDecibels: true)
    #expect(channels[2].gate == gate)

    let changed = try #require(graph.setting(Override(target: "gate.each.2.open", value: "-20 dB")))
    #expect(show.set([changed.node], as: changed.graph) == [changed.node])
    levels.take(
      LevelMonitor.Snapshot(plan: plan.number, levels: numbers, highest: numbers.map { _ in -160 }), of: plan,
      at: 1)
    channels = try #require(levels.channels[0])
    #expect(channels[1].gate?.threshold == -40 && channels[1].gate?.isOpen == false)
    #expect(channels[2].gate?.threshold == -20)
    // Held on, whatever is set.
    #expect(channels[2].peak.level == (try number("meter.peak/2")) + 100)

    // Another graph with fewer levels, while the last frame is still of the one before.
    _ = try folder.write(
      "visgraph: 1\nnodes: { one: { type: tone-source, channels: 1 }, meter: { type: meter } }\n"
        + "wires: [one -> meter]\n", to: "graph.yaml")
    try show.change(
      to: try #require(Checker(.full).check(path: path).graph), Self.configuration(show), host: nil,
      while: { false })
    let next = try #require(show.plan)
    levels.take(seen, of: next, at: 2)
    channels = try #require(levels.channels[0])
    #expect(channels.map(\.average) == [nil] && channels[0].peak == PeakHold())
    levels.take(
      LevelMonitor.Snapshot(plan: next.number, levels: [-6, -3], highest: [-5, -2]), of: next, at: 3)
    channels = try #require(levels.channels[0])
    #expect(channels.map(\.average) == [-6] && channels[0].peak.level == -2 && channels[0].gate == nil)
  }

  @Test func `sent levels stay when a setting changes, and those of a plan without a frame are not shown`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 2 }
        meter: { type: meter }
        rig: { type: osc-output, to: "127.0.0.1:9" }
      wires: [tone -> meter -> rig]

      """, to: "graph.yaml")
    let graph = try #require(Checker(.full).check(path: path).graph)
    let (show, plan) = try Self.open(graph)
    defer { show.close() }
    var sent = SentLevels()
    func values() -> [Float] { sent.sent(by: "rig", master: 1, isBlackout: false).map(\.value) }
    sent.take(LevelMonitor.Snapshot(plan: plan.number, levels: [-1, -2, -3, -4]), of: plan)
    #expect(values() == [-1, -2])
    let changed = try #require(graph.setting(Override(target: "meter.hold", value: "1 s")))
    #expect(show.set([changed.node], as: changed.graph) == [changed.node])
    sent.take(LevelMonitor.Snapshot(plan: plan.number, levels: [-5, -6, -7, -8]), of: plan)
    #expect(values() == [-5, -6])
    try show.change(to: graph, Self.configuration(show), host: nil, while: { false })
    let next = try #require(show.plan)
    sent.take(LevelMonitor.Snapshot(plan: plan.number, levels: [-9, -9, -9, -9]), of: next)
    #expect(values() == [])
    sent.take(LevelMonitor.Snapshot(plan: next.number, levels: [-1, -2, -3, -4]), of: next)
    #expect(values() == [-1, -2])
  }

  /// A show whose frames nobody makes: what is seen of it the tests say.
  private static func open(_ graph: CheckedGraph) throws -> (show: Show, plan: CompiledPlan) {
    let show = Show()
    return (show, try show.open(graph, configuration(show), host: nil))
  }

  private static func configuration(_ show: Show) -> StreamConfiguration {
    StreamConfiguration(
      sampleRate: 48_000, isRealTime: false, packets: .score { _, _ in }, dimmer: show.dimmer)
  }
}
