import Engine
import Graphs
import TestSupport
import Testing

@testable import visgraph

@Suite(.blocking) struct StatusLogTests {
  /// A log with its hints, given one status after another.
  private struct Run {
    var log = StatusLog()
    var hints = Hints()
    var status = Stages.small

    mutating func after(_ seconds: Double, _ change: (inout ShowStatus) -> Void = { _ in }) -> [String] {
      status.time += seconds
      change(&status)
      return log.update(status, hints: hints.update(status))
    }
  }

  @Test func `the start is logged once`() {
    var run = Run()
    #expect(
      run.after(0) == [
        "JACK client \"visgraph\", 48000 Hz, 256 samples a cycle", "in_1 (Kick) connected to mixer:out_1",
        "rig: sending to 127.0.0.1:7700",
      ])
    #expect(run.after(1) == [])
    #expect(run.after(2.5) == ["in_2 (Snare): nothing connected: jack_connect SOURCE visgraph:in_2"])
    for _ in 0..<100 { #expect(run.after(5) == []) }
  }

  @Test func `connections are logged when they are made and when they end`() {
    var run = Run()
    run.status.sources[0].channels[1].sinceSound = 0
    _ = run.after(0)
    #expect(
      run.after(2) { $0.sources[0].channels[1].connections = ["mixer:out_2"] } == [
        "in_2 (Snare) connected to mixer:out_2"
      ])
    #expect(
      run.after(2) { $0.sources[0].channels[0].connections = ["b:1"] }
        == ["in_1 (Kick) connected to b:1", "in_1 (Kick) disconnected from mixer:out_1"])
    #expect(run.after(0.1) { $0.sources[0].channels[0].connections = ["c:1"] } == [])
    #expect(run.after(0.1) { $0.sources[0].channels[0].connections = ["b:1"] } == [])
    #expect(run.after(1) == [])
  }

  @Test func `many connections at once are one line`() {
    var run = Run()
    run.status = Stages.wide(32)
    #expect(run.after(0).contains("in: 26 of 32 ports connected"))
  }

  @Test func `a server that ends and returns is two lines, without a line for its connections`() {
    var run = Run()
    _ = run.after(0)
    _ = run.after(5)
    #expect(
      run.after(1) {
        $0.host = Stages.jack(.lost)
        $0.sources[0].channels[0].connections = []
      } == ["the JACK server has gone; waiting for it to return"])
    #expect(run.after(60) == [])
    #expect(
      run.after(1) {
        $0.host = Stages.jack()
        $0.sources[0].channels[0].connections = ["mixer:out_1"]
      } == ["the JACK server is back: client \"visgraph\", 48000 Hz, 256 samples a cycle"])
    #expect(run.after(10) { $0.host.period = 64 } == ["JACK runs at 48000 Hz, 64 samples a cycle now"])
  }

  @Test func `a client is logged by its name, also if the server ran no cycle for it at first`() {
    var run = Run()
    run.status.host = Stages.jack(.stalled)
    run.status.targets = []
    #expect(run.after(0).first == "the JACK server runs no cycles; a timer drives the lights")
    #expect(
      run.after(1) { $0.host = Stages.jack() }.first
        == "JACK client \"visgraph\", 48000 Hz, 256 samples a cycle")
    _ = run.after(1) { $0.host = Stages.jack(.stalled) }
    #expect(run.after(1) { $0.host = Stages.jack() } == ["the JACK server runs cycles again"])
  }

  @Test func `a wait for a server is logged, then what to do`() {
    var run = Run()
    run.status.host = Stages.jack(.waiting)
    run.status.targets = []
    #expect(run.after(0) == ["waiting for the JACK server"])
    #expect(run.after(4).count == 1)
    #expect(run.after(400) == [])
  }

  @Test func `xruns are logged at once, then at most every ten seconds`() {
    var run = Run()
    _ = run.after(0)
    _ = run.after(4)
    #expect(run.after(1) { $0.host.xruns = 3 } == ["xruns 3"])
    #expect(run.after(1) { $0.host.xruns = 4 } == [])
    #expect(run.after(8) { $0.host.xruns = 50 } == [])
    #expect(run.after(1) == ["xruns 50"])
    #expect(run.after(20) == [])
  }

  @Test func `a target that changes often is logged at most every five seconds, with its present state`() {
    var run = Run()
    _ = run.after(0)
    _ = run.after(6)
    let refused = "nobody listens on 127.0.0.1:7700"
    #expect(run.after(1) { $0.targets[0].report.state = refused } == ["rig: " + refused])
    var lines: [String] = []
    for second in 0..<20 {
      lines += run.after(1) {
        $0.targets[0].report.state = second % 2 == 0 ? "sending to 127.0.0.1:7700" : refused
      }
    }
    #expect(lines.count <= 4)
  }

  @Test func `the end of a file is logged, and its restart, but no fault of it`() {
    var run = Run()
    let file = ShowStatus.File(path: "demo.flac", position: 0, length: 3)
    run.status.sources = [.init(id: "song", feed: .file(file), channels: [Stages.channel(1, from: [], -10)])]
    _ = run.after(0)
    var ended = file
    ended.hasEnded = true
    #expect(run.after(3) { $0.sources[0].feed = .file(ended) } == ["song has ended"])
    #expect(run.after(30) { $0.sources[0].channels[0].sinceSound = 30 } == [])
    #expect(run.after(3) { $0.sources[0].feed = .file(file) } == ["song plays again"])
    ended.fault = "demo.flac cannot be read any more"
    // The node reports its fault itself; that all is well again is reported here.
    #expect(run.after(3) { $0.sources[0].feed = .file(ended) } == [])
    #expect(run.after(3) { $0.sources[0].feed = .file(file) } == ["song plays again"])
  }

  @Test func `a player that logs its own end has no line for its file`() {
    var run = Run()
    run.log.reportsEnds = false
    var file = ShowStatus.File(path: "demo.flac", position: 0, length: 3)
    run.status.sources = [.init(id: "song", feed: .file(file), channels: [Stages.channel(1, from: [], -10)])]
    _ = run.after(0)
    file.hasEnded = true
    #expect(run.after(3) { $0.sources[0].feed = .file(file) } == [])
    file.fault = "demo.flac cannot be read any more"
    #expect(run.after(3) { $0.sources[0].feed = .file(file) } == [])
  }

  @Test func `rests in music are not logged, a long silence and its end are`() {
    var run = Run()
    run.status.sources[0].channels.removeLast()
    _ = run.after(0)
    #expect(run.after(6) { $0.sources[0].channels[0].sinceSound = 6 } == [])
    #expect(run.after(20) { $0.sources[0].channels[0].sinceSound = 26 } == [])
    #expect(
      run.after(50) { $0.sources[0].channels[0].sinceSound = 76 } == [
        "in_1 (Kick): digital silence from mixer:out_1"
      ])
    #expect(run.after(50) { $0.sources[0].channels[0].sinceSound = 0 } == ["in_1 (Kick): sound arrives"])
    #expect(run.after(50) == [])
  }

  @Test func `a meter's decaying level after a disconnection is no arriving sound`() {
    var run = Run()
    run.status.sources[0].channels.removeLast()
    run.status.sources[0].channels[0].sinceSound = 0
    _ = run.after(0)
    #expect(
      run.after(2) { $0.sources[0].channels[0].connections = [] } == [
        "in_1 (Kick) disconnected from mixer:out_1"
      ])
    let told = run.after(4)
    #expect(told.count == 1 && told[0].hasPrefix("in_1 (Kick): nothing connected: jack_connect "), "\(told)")
    for _ in 0..<10 { #expect(run.after(0.5) == []) }
    #expect(
      run.after(2) { $0.sources[0].channels[0].connections = ["mixer:out_1"] }
        == ["in_1 (Kick) connected to mixer:out_1", "in_1 (Kick): sound arrives"])
  }

  @Test func `merged frames and samples that are not numbers are logged`() {
    var run = Run()
    _ = run.after(0)
    _ = run.after(4)
    #expect(
      run.after(1) {
        $0.mergedFrames = 1
        $0.notFinite = 2
      } == [
        "1 frame merged with later ones: this machine is too slow for the graph, or too busy",
        "2 samples that came in were no numbers and count as 0",
      ])
  }

  @Test func `channels with names are called by them`() {
    var status = Stages.small
    status.sources[0].channels[1].connections = []
    status.outputs = [
      .init(id: "out", ports: [.init(name: "out_1", connections: ["system:playback_1"], channel: "Left")])
    ]
    var log = StatusLog()
    let lines = log.update(status, hints: [])
    #expect(lines.contains("in_1 (Kick) connected to mixer:out_1"))
    #expect(lines.contains("out_1 (Left) connected to system:playback_1"))
    var hints = Hints()
    _ = hints.update(status)
    status.time += 4
    let reported = log.update(status, hints: hints.update(status))
    #expect(
      reported.contains { $0.hasPrefix("in_2 (Snare): nothing connected: jack_connect ") }, "\(reported)")
  }
}
