import Graphs
import Engine
import OSC
import System
import TestSupport
import Testing

@testable import Controls

@Suite struct HookRunnerTests {
  private func hooks(_ text: String) throws -> ShowHooks {
    let checked = Checker.complete.check(
      SourceText(
        path: "/nowhere/graph.yaml",
        text: """
          visgraph: 1
          hooks: \(text)
          nodes: { tone: { type: tone-source }, meter: { type: meter } }
          wires: [tone -> meter]
          """))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))").hooks
  }

  @Test func `it steers its own show and tells others`() throws {
    let ear = try OscReceiver()
    let show = Show()
    let runner = HookRunner(show, CommandRouter(show: show) {}, AllowedFolders([]))
    runner.take(
      try hooks(
        "{ silence: [/visgraph/master 0.25, /visgraph/blackout, '127.0.0.1:\(ear.port)/quiet 1 0.5 \"so still\"'] }"
      ))
    let told = Locked<[String]>([])
    runner.run(.silence, at: 0) { line in told.withLock { $0.append(line) } }
    runner.run(.sound, at: 0) { line in told.withLock { $0.append(line) } }
    #expect(show.dimmer.master == 0.25 && show.dimmer.isBlackout)
    #expect(
      poll {
        ear.messages.map(\.values) == [[.int(1), .float(0.5), .string("so still")]]
          && ear.messages[0].address == "/quiet"
      })
    #expect(told.withLock { $0 } == [])
  }

  @Test func `in a circle it soon runs at most every six seconds, which is told once a minute`() throws {
    let ear = try OscReceiver()
    let show = Show()
    let runner = HookRunner(show, CommandRouter(show: show) {}, AllowedFolders([]))
    runner.take(try hooks("{ sound: '127.0.0.1:\(ear.port)/sound', silence: /visgraph/master 0.5 }"))
    let told = Locked<[String]>([])
    for step in 0..<3000 {
      runner.run(.sound, at: Double(step) / 100) { line in told.withLock { $0.append(line) } }
    }
    // Ten at once, and four within the half minute.
    #expect(poll { ear.messages.count == 14 })
    #expect(
      told.withLock { $0 } == [
        "hook sound: left out, as it has run 10 times in a short while; hooks that set each other off in a circle run every "
          + "6 s at most"
      ])
    // Another hook is none of that circle.
    runner.run(.silence, at: 30) { line in told.withLock { $0.append(line) } }
    #expect(show.dimmer.master == 0.5)
  }

  @Test func `what cannot be done any more is told`() throws {
    let show = Show()
    let runner = HookRunner(show, CommandRouter(show: show) {}, AllowedFolders([]))
    runner.take(try hooks("{ sound: /visgraph/node/tone/level -6 }"))
    let told = Locked<[String]>([])
    runner.run(.sound, at: 0) { line in told.withLock { $0.append(line) } }
    #expect(
      told.withLock { $0 } == ["hook sound: /visgraph/node/tone/level -6: there is no node tone"])
  }
}
