import Graphs
import Hosts
import Nodes
import OSC
import Realtime
import System
import TestSupport
import Testing

@testable import Engine

/// A show from its first plan to its last light out.
@Suite struct ShowTests {
  @Test func `the lights go out although the callback never took the newest plan`() throws {
    let packets = Packets()
    let show = Show()
    let graph = try Self.graph()
    let configuration = StreamConfiguration(
      sampleRate: 48_000, isRealTime: false, packets: .score { _, bytes in packets.note(bytes) })
    try show.open(graph, configuration, host: nil)
    OfflineHost(engine: show.engine, frames: show.frames, cycle: 256).run([], to: { 8000 })
    #expect(packets.all.last?.last ?? 0 != 0)
    // No thread runs cycles, as when the server is away.
    try show.change(
      to: graph, configuration, host: ClockHost(rate: 48_000, engine: show.engine, frames: show.frames))
    show.close()
    #expect(packets.all.last?.suffix(4) == [0, 0, 0, 0])
  }

  @Test func `ports of the old graph are removed once a callback runs again`() throws {
    let show = Show()
    let graph = try Self.graph()
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)
    let host = PortKeeper()
    try show.open(graph, configuration, host: host)
    OfflineHost(engine: show.engine, frames: show.frames, cycle: 256).run([], to: { 8000 })
    try show.change(to: graph, configuration, host: host)
    show.settle(host)
    #expect(host.retirements == 0)
    OfflineHost(engine: show.engine, frames: show.frames, cycle: 256).run([], to: { 16_000 })
    show.settle(host)
    show.settle(host)
    #expect(host.retirements == 1)
    show.close()
  }

  private static func graph() throws -> CheckedGraph {
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(
        path: "/nowhere/graph.yaml",
        text: """
          visgraph: 1
          nodes:
            tone: { type: tone-source, level: -6 }
            meter: { type: meter }
            level: { type: meter-table }
            rig: { type: osc-output, to: "127.0.0.1:7700" }
          wires: [tone -> meter -> level -> rig]
          """))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }
}

/// Packets in the order in which they were sent.
private final class Packets: Sendable {
  private let noted = Locked<[[UInt8]]>([])
  var all: [[UInt8]] { noted.withLock { $0 } }
  func note(_ bytes: UnsafeRawBufferPointer) {
    let packet = Array(bytes)
    noted.withLock { $0.append(packet) }
  }
}

/// A host without a callback that counts how often ports are removed.
private final class PortKeeper: Host, @unchecked Sendable {
  let rate = 48_000
  let isRealTime = true
  let status = HostStatus(name: "keeper", manner: "nowhere", rate: 48_000)
  private(set) var retirements = 0
  func provide(_ ports: [HostPort]) {}
  func retire(except ports: [HostPort]) { retirements += 1 }
  func start() throws {}
  func stop() {}
}
