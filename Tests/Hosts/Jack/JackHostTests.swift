import CJack
import Engine
import Graphs
@testable import Hosts
import Realtime
import System
import TestSupport
import Testing

/// Each test has its own jackd and the machine's turn for JACK, so the tests run one after another.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackHostTests {
  @Test func `ports have the names, labels, order and flags of the graph`() throws {
    let fault = try lastOf { try describesPorts() ? nil : "the host gave metadata up" }
    #expect(fault == nil)
  }

  /// Checks the ports of a host. Returns false if it gave metadata up.
  private func describesPorts() throws -> Bool {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(rig.name == JackTurn.clientName("stage"))
    #expect(poll { peer.ports(of: rig.name) == ["in_1", "in_2", "out_1", "out_2"].map(rig.port) })
    // Audio and CV ports come first.
    #expect(
      poll {
        ["in_1", "in_2", "out_1", "out_2"].allSatisfy { peer.property(rig.port($0), "port-group") != nil }
          || rig.hasGivenMetadataUp
      })
    guard !rig.hasGivenMetadataUp else { return false }
    #expect(peer.property(rig.port("in_1"), "pretty-name")?.value == "Kick")
    #expect(peer.property(rig.port("in_2"), "pretty-name")?.value == "Snare")
    #expect(peer.property(rig.port("out_1"), "pretty-name") == nil)
    #expect(
      poll {
        peer.property(rig.port("out_2"), "order") != nil
          && peer.property(rig.port("in_2"), "signal-type") != nil || rig.hasGivenMetadataUp
      })
    guard !rig.hasGivenMetadataUp else { return false }
    let order = try #require(peer.property(rig.port("out_2"), "order"))
    #expect(order == ("4", "http://www.w3.org/2001/XMLSchema#int"))
    #expect(peer.property(rig.port("in_2"), "port-group")?.value == "in")
    #expect(peer.property(rig.port("in_2"), "signal-type")?.value == "AUDIO")
    #expect(peer.flags(rig.port("in_1")) == JackPortIsInput.rawValue)
    #expect(peer.flags(rig.port("out_1")) == JackPortIsOutput.rawValue)
    // Also as seen by a program of JACK's.
    let list = try server.run(["jack_lsp", "-s", server.name, "-p", rig.name])
    #expect(list.contains("\(rig.port("in_1"))\n\tproperties: input"))
    return true
  }

  @Test func `ports of one direction only are terminal`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(Array(stereo().prefix(2)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(poll { peer.flags(rig.port("in_1")) == JackPortIsInput.rawValue | JackPortIsTerminal.rawValue })
  }

  @Test
  func `outputs are connected to the loudspeakers in order, and inputs to nothing unless a rule says so`()
    throws
  {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(poll { peer.connections(rig.port("out_1")) == ["system:playback_1"] })
    #expect(poll { peer.connections(rig.port("out_2")) == ["system:playback_2"] })
    #expect(peer.connections(rig.port("in_1")) == [])
    #expect(poll { rig.notifications.contains(.connected(port: "out_2", other: "system:playback_2")) })
    #expect(poll { rig.host.status.ports[3].connections == ["system:playback_2"] })
  }

  @Test func `JACK reports the latency from our ports to the loudspeakers to its clients`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    #expect(poll(within: 60) { rig.host.status.outputLatency > 0 })
    let list = try server.run(["jack_lsp", "-s", server.name, "-l", rig.port("out_1")])
    let latency = list.firstMatch(of: #/playback latency = \[ \d+ (\d+) \]/#).flatMap { Int($0.output.1) }
    #expect(latency == rig.host.status.outputLatency, "\(list)")
    let alone = JackHostRig("alone", server: server.name)
    try alone.play(stereo())
    #expect(alone.host.status.outputLatency == 0)
  }

  @Test func `sound goes through, and an unconnected input is distinguished from silence`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    #expect(rig.advance())
    #expect(rig.test.connected(0) == 0)
    #expect(rig.test.unconnected(0) > 0)
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 1, inputs: 1)
    peer.connect("\(peer.name):out_1", rig.port("in_1"))
    peer.connect(rig.port("out_1"), "\(peer.name):in_1")
    #expect(poll { peer.heard == 0.5 })
    #expect(rig.test.connected(0) > 0)
    #expect(rig.test.connected(1) == 0)
    // After the disconnection the output is silent at once, because outputs are cleared before the plan runs.
    peer.disconnect("\(peer.name):out_1", rig.port("in_1"))
    #expect(poll { peer.heard == 0 })
    #expect(rig.test.dirt(0) == 0)
  }

  @Test func `frames are finished, and each makes a wake-up`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    #expect(poll { rig.test.records >= 10 })
    #expect(rig.test.wakeUps >= 9)
    let record = try #require(rig.test.firstRecord)
    #expect(record.frame == 1)
    #expect(record.endSample == 800)
    // A busy machine may delay a cycle by more than 0.1 s.
    #expect(poll { rig.host.isCallbackRunning })
    rig.host.stop()
    #expect(!rig.host.isCallbackRunning)
    let samples = rig.test.samples
    #expect(stays(for: 0.1) { rig.test.samples == samples })
  }

  @Test func `a host that stops leaves nothing in the server`() throws {
    let fault = try lastOf { try leavesNothing() ? nil : "the host gave metadata up" }
    #expect(fault == nil)
  }

  /// Checks the end of a host. Returns false if it gave metadata up before.
  private func leavesNothing() throws -> Bool {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    let name = rig.name
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(
      poll {
        peer.property(rig.port("out_2"), "order") != nil
          && peer.property(rig.port("in_1"), "port-group") != nil || rig.hasGivenMetadataUp
      })
    guard !rig.hasGivenMetadataUp else { return false }
    let subject = jack_port_uuid(jack_port_by_name(peer.client, rig.port("in_1")))
    let start = now()
    rig.host.stop()
    #expect(now() - start < 20)
    #expect(poll { peer.ports(of: name).isEmpty })
    // `stop` may return before libjack has closed the client.
    #expect(
      poll {
        var description = jack_description_t()
        return jack_get_properties(subject, &description) <= 0
      })
    #expect(rig.notifications.last != .closeHangs)
    return true
  }

  @Test func `ports are added and removed while cycles run`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 1)
    peer.connect("\(peer.name):out_1", rig.port("in_1"))
    var atOnce = 0
    for round in 0..<20 {
      let more = (0..<8).map {
        HostPort(
          number: 10 + $0, name: "more_\($0 + 1)", direction: .output, label: nil, order: 5 + $0,
          connect: .physical(channel: 1 + $0 % 2))
      }
      rig.host.provide(stereo() + more)
      // On a busy machine cycles may stop for long, and the host does not wait for the server.
      if peer.ports(of: rig.name).count == 12 { atOnce += 1 }
      #expect(poll { peer.ports(of: rig.name).count == 12 }, "round \(round)")
      rig.host.retire(except: stereo())
      #expect(poll { peer.ports(of: rig.name).count == 4 }, "round \(round)")
    }
    #expect(atOnce > 0)
    #expect(peer.isConnected(rig.port("in_1"), "\(peer.name):out_1"))
    #expect(rig.advance())
    #expect(rig.host.xruns == 0 || rig.host.isCallbackRunning)
  }

  @Test func `libjack's node of a port that is unregistered is kept until the next event of a port`() throws {
    let server = try JackServer()
    var status = JackStatus(0)
    let wakeUp = Semaphore()
    let events = JackPortEvents(wakeUp: wakeUp.poster)
    let client = try #require(vg_jack_open(JackTurn.clientName("stage"), server.name, 1, &status))
    // Libjack's thread uses `events` until the client is closed.
    defer { withExtendedLifetime(events) { _ = jack_client_close(client) } }
    events.install(on: client)
    #expect(jack_activate(client) == 0)
    func register(_ name: String) throws -> OpaquePointer {
      let output = UInt(JackPortIsOutput.rawValue)
      return try #require(jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, output, 0))
    }
    let ports = try (1...3).map { try register("out_\($0)") }
    // Three ports of this client have come.
    #expect(poll { events.count == 3 })
    var deleted = JackDeletedPorts()
    for (place, port) in ports.enumerated() {
      deleted.unregister(port, of: client, events)
      let count = deleted.count
      #expect(count == 1)
      _ = try register("in_\(place)")
      #expect(poll { events.count == 5 + 2 * UInt64(place) })
    }
  }

  @Test func `a changed rule and a changed label take effect without a new port`() throws {
    let fault = try lastOf { try followsChanges() ? nil : "the host gave metadata up" }
    #expect(fault == nil)
  }

  /// Checks changes of ports. Returns false if the host gave metadata up.
  private func followsChanges() throws -> Bool {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    var ports = stereo(output: .none)
    ports[0].label = "Bass drum"
    #expect(poll { rig.notifications.contains(.connected(port: "out_2", other: "system:playback_2")) })
    rig.host.provide(ports)
    #expect(
      poll { peer.connections(rig.port("out_1")).isEmpty && peer.connections(rig.port("out_2")).isEmpty })
    #expect(
      poll {
        peer.property(rig.port("in_1"), "pretty-name")?.value == "Bass drum" || rig.hasGivenMetadataUp
      })
    rig.host.provide(stereo(output: .physical(channel: 1)))
    #expect(poll { peer.connections(rig.port("out_2")) == ["system:playback_2"] })
    return !rig.hasGivenMetadataUp
  }
}
