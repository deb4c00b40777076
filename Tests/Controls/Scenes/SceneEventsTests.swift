import Engine
import Graphs
import Nodes
import Synchronization
import TestSupport
import Testing

@testable import Controls

@Suite struct SceneEventsTests {
  @Test func `a million changes of scene are passed on, each once, on a stack of 256 kB`() throws {
    let rig = try SceneRig(
      SceneRig.text.replacing(
        "nodes:",
        with: "nodes:\n  hits: { type: trigger }\n  change: { type: scene-change, to: next, seconds: 2 }"
      )
      .replacing("wires: [", with: "wires: [meter -> hits, hits.events -> change, "))
    let events = SceneEvents()
    let count = Atomic<Int>(0)
    events.onEvent { if case .scene(.next, seconds: 2) = $0 { count.add(1, ordering: .relaxed) } }
    let request = try #require(rig.plan.sceneRequests.first)
    try onSmallStack {
      events.saw(rig.plan, RecordHeader())
      for _ in 0..<1_000_000 {
        request.ask()
        events.saw(rig.plan, RecordHeader())
      }
      events.saw(rig.plan, RecordHeader())
    }
    #expect(count.load(ordering: .relaxed) == 1_000_000)
  }
}
