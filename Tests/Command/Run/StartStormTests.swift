import Foundation
import Glibc
import TestSupport
import Testing

/// SIGTERM at any moment of the start, by the clock.
@Suite(.serialized, .blocking) struct StartStormTests {
  @Test func `no SIGTERM is lost and no light stays on, by the clock`() throws {
    try StartStorm.run(["--host", "clock"])
  }
}

/// SIGTERM at any moment of the start, with a sound server.
@Suite(.serialized, .blockingInJack) struct StartStormInJackTests {
  @Test func `no SIGTERM is lost and no light stays on, in JACK`() throws {
    let server = try JackServer()
    try StartStorm.run(["--host", "jack", "--server", server.name])
    // The server has lived through it.
    #expect(server.isAlive)
    #expect(try server.run(["jack_lsp", "-s", server.name]).contains("system:playback_1"))
  }
}

/// Starts that are ended. `VISGRAPH_STARTS=2000 tools/test --no-parallel --filter StartStorm`, or tools/fuzz signals,
/// makes it long, and then a second is the limit for each.
private enum StartStorm {
  private static let asked = ProcessInfo.processInfo.environment["VISGRAPH_STARTS"].flatMap { Int($0) }

  static func run(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(
      """
      visgraph: 1
      values: { number: 0 }
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", address: "/${number}/{channel}" }
        out: { type: jack-output, connect: none }
      wires:
        - tone -> meter -> level -> rig
        - tone -> out

      """, to: "graph.yaml")
    var dice = Dice(7)
    var (lit, unborn, longest) = (0, 0, 0.0)
    let count = (asked ?? 100) / 2
    for number in 1...count + 1 {
      let child = try Child(
        [Visgraph.path, "run", graph, "--set", "number=\(number)", "--control", "off"] + arguments)
      let moment = now() + Double(dice.next() % 300_000) / 1e6
      while now() < moment { usleep(200) }
      // A busy machine may have come to no light in any of them: the last is waited for.
      if number > count { #expect(poll { ear.floats("/\(number)/1").contains { $0 > 0 } }, "\(child.notes)") }
      let start = now()
      child.signal(SIGTERM)
      let code = try #require(child.exitCode(), "start \(number) is lost: \(child.notes)")
      longest = max(longest, now() - start)
      // Before its first line the system ends it, and then it has done nothing.
      if code == -SIGTERM, child.notes.isEmpty { unborn += 1 } else { #expect(code == 0, "\(child.notes)") }
      guard ear.floats("/\(number)/1").contains(where: { $0 > 0 }) else { continue }
      lit += 1
      #expect(poll { ear.floats("/\(number)/1").last == 0 && ear.floats("/\(number)/2").last == 0 })
    }
    print("\(arguments[1]): \(lit) lit, \(unborn) unborn, longest \(longest) s")
    #expect(lit > 0)
    if asked != nil { #expect(longest < 1) }
  }
}
