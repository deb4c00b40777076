import CJack
import Engine
import Graphs
import Hosts
import Realtime
import TestSupport
import Testing

/// Each test has a jackd of its own and the machine's turn for JACK, so that they run one after another.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackHostTests {
  @Test func `ports have the names, labels, order and flags that were asked for`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(stage.name == JackTurn.clientName("stage"))
    #expect(peer.ports(of: stage.name) == ["in_1", "in_2", "out_1", "out_2"].map(stage.port))
    // Sound and light come first.
    #expect(
      poll {
        ["in_1", "in_2", "out_1", "out_2"].allSatisfy { peer.property(stage.port($0), "port-group") != nil }
      })
    #expect(peer.property(stage.port("in_1"), "pretty-name")?.value == "Kick")
    #expect(peer.property(stage.port("in_2"), "pretty-name")?.value == "Snare")
    #expect(peer.property(stage.port("out_1"), "pretty-name") == nil)
    let order = try #require(peer.property(stage.port("out_2"), "order"))
    #expect(order == ("4", "http://www.w3.org/2001/XMLSchema#int"))
    #expect(peer.property(stage.port("in_2"), "port-group")?.value == "in")
    #expect(peer.property(stage.port("in_2"), "signal-type")?.value == "AUDIO")
    #expect(peer.flags(stage.port("in_1")) == JackPortIsInput.rawValue)
    #expect(peer.flags(stage.port("out_1")) == JackPortIsOutput.rawValue)
    // And by a program that knows nothing of us.
    let list = try server.run(["jack_lsp", "-s", server.name, "-p", stage.name])
    #expect(list.contains("\(stage.port("in_1"))\n\tproperties: input"))
  }

  @Test func `ports of one direction only are terminal`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(Array(stereo().prefix(2)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(peer.flags(stage.port("in_1")) == JackPortIsInput.rawValue | JackPortIsTerminal.rawValue)
  }

  @Test func `outputs go to the loudspeakers in order, inputs to nothing unless told`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(peer.connections(stage.port("out_1")) == ["system:playback_1"])
    #expect(peer.connections(stage.port("out_2")) == ["system:playback_2"])
    #expect(peer.connections(stage.port("in_1")) == [])
    #expect(poll { stage.facts.contains(.connected(port: "out_2", other: "system:playback_2")) })
    #expect(stage.host.status.ports[3].connections == ["system:playback_2"])
  }

  @Test func `how long sound takes to the loudspeakers is what JACK tells others of our ports`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    #expect(poll(within: 60) { stage.host.status.outputLatency > 0 })
    let list = try server.run(["jack_lsp", "-s", server.name, "-l", stage.port("out_1")])
    let told = list.firstMatch(of: #/playback latency = \[ \d+ (\d+) \]/#).flatMap { Int($0.output.1) }
    #expect(told == stage.host.status.outputLatency, "\(list)")
    let alone = JackStage("alone", server: server.name)
    try alone.play(stereo())
    #expect(alone.host.status.outputLatency == 0)
  }

  @Test func `sound goes through, and an input without a connection is told apart from silence`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    #expect(stage.advance())
    #expect(stage.test.heard(0) == 0)
    #expect(stage.test.unconnected(0) > 0)
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 1, inputs: 1)
    peer.connect("\(peer.name):out_1", stage.port("in_1"))
    peer.connect(stage.port("out_1"), "\(peer.name):in_1")
    #expect(poll { peer.heard == 0.5 })
    #expect(stage.test.heard(0) > 0)
    #expect(stage.test.heard(1) == 0)
    // Taken away: silence at once, because outputs are cleared before the plan runs.
    peer.disconnect("\(peer.name):out_1", stage.port("in_1"))
    #expect(poll { peer.heard == 0 })
    #expect(stage.test.dirt(0) == 0)
  }

  @Test func `frames are finished, and the bell is rung for them`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    #expect(poll { stage.test.records >= 10 })
    #expect(stage.test.rings >= 9)
    let record = try #require(stage.test.firstRecord)
    #expect(record.frame == 1)
    #expect(record.endSample == 800)
    #expect(stage.host.isCallbackRunning)
    stage.host.stop()
    #expect(!stage.host.isCallbackRunning)
    let samples = stage.test.samples
    #expect(stays(for: 0.1) { stage.test.samples == samples })
  }

  @Test func `nothing is left behind in the server by a host that stops`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    let name = stage.name
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(
      poll {
        peer.property(stage.port("out_2"), "order") != nil
          && peer.property(stage.port("in_1"), "port-group") != nil
      })
    let subject = jack_port_uuid(jack_port_by_name(peer.client, stage.port("in_1")))
    let start = now()
    stage.host.stop()
    #expect(now() - start < 20)
    #expect(poll { peer.ports(of: name).isEmpty })
    var description = jack_description_t()
    #expect(jack_get_properties(subject, &description) <= 0)
    #expect(stage.facts.last != .closeHangs)
  }

  @Test func `ports come and go while cycles run`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 1)
    peer.connect("\(peer.name):out_1", stage.port("in_1"))
    var atOnce = 0
    for round in 0..<20 {
      let more = (0..<8).map {
        HostPort(
          number: 10 + $0, name: "more_\($0 + 1)", direction: .output, label: nil, order: 5 + $0,
          connect: .physical(channel: 1 + $0 % 2))
      }
      stage.host.provide(stereo() + more)
      // Where a busy machine runs no cycles for long, nobody waits for the server.
      if peer.ports(of: stage.name).count == 12 { atOnce += 1 }
      #expect(poll { peer.ports(of: stage.name).count == 12 }, "round \(round)")
      stage.host.retire(except: stereo())
      #expect(poll { peer.ports(of: stage.name).count == 4 }, "round \(round)")
    }
    #expect(atOnce > 0)
    #expect(peer.isConnected(stage.port("in_1"), "\(peer.name):out_1"))
    #expect(stage.advance())
    #expect(stage.host.xruns == 0 || stage.host.isCallbackRunning)
  }

  @Test func `a changed rule and a changed label are taken over without a new port`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    var ports = stereo(output: .none)
    ports[0].label = "Bass drum"
    #expect(poll { stage.facts.contains(.connected(port: "out_2", other: "system:playback_2")) })
    stage.host.provide(ports)
    #expect(
      poll { peer.connections(stage.port("out_1")).isEmpty && peer.connections(stage.port("out_2")).isEmpty })
    #expect(poll { peer.property(stage.port("in_1"), "pretty-name")?.value == "Bass drum" })
    stage.host.provide(stereo(output: .physical(channel: 1)))
    #expect(poll { peer.connections(stage.port("out_2")) == ["system:playback_2"] })
  }
}
