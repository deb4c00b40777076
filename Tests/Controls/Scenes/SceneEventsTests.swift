import Engine
import Graphs
import Nodes
import Synchronization
import System
import TestSupport
import Testing

@testable import Controls

@Suite struct SceneEventsTests {
  private static let text = SceneRig.text.replacing(
    "nodes:",
    with: """
      nodes:
        hits: { type: trigger, above: -60 dB }
        change: { type: scene-change, to: next, seconds: 2 }
      """
  )
  .replacing("wires: [", with: "wires: [meter -> hits, hits.events -> change, ")

  @Test func `a million changes of scene are passed on, each once, on a stack of 256 kB`() throws {
    let rig = try SceneRig(Self.text)
    let events = SceneEvents()
    let count = Atomic<Int>(0)
    events.onEvent { if case .scene(.next, seconds: 2) = $0 { count.add(1, ordering: .relaxed) } }
    let request = try #require(rig.plan.sceneRequests.first)
    try onSmallStack {
      events.saw(rig.plan, RecordHeader())
      for _ in 0..<1_000_000 {
        request.ask(for: .next, seconds: 2)
        events.saw(rig.plan, RecordHeader())
      }
      events.saw(rig.plan, RecordHeader())
    }
    #expect(count.load(ordering: .relaxed) == 1_000_000)
  }

  @Test func `an event in a frame of the settings before changes the scene by these`() throws {
    let rig = try SceneRig(Self.text)
    let events = SceneEvents()
    let seen = Locked<[ShowCommand]>([])
    events.onEvent { command in seen.withLock { $0.append(command) } }
    let (graph, node) = try #require(
      rig.plan.graph.setting(Override(target: "change.seconds", value: "5")))
    // The node with the new settings runs from the frame of command 1 on.
    #expect(rig.plan.set([node], as: graph, at: 1) == [node])
    func run() throws {
      for _ in 0..<10 {
        try rig.next()
        events.saw(rig.plan, RecordHeader())
      }
    }
    try run()
    #expect(seen.withLock { $0 } == [.scene(.next, seconds: 2)])
    // A frame without a callback: all commands count as taken, and the trigger is ready again.
    rig.plan.frames.runStalled(frame: 10, at: 8800, time: 0, samples: 800)
    try run()
    #expect(seen.withLock { $0 } == [.scene(.next, seconds: 2), .scene(.next, seconds: 5)])
  }
}
