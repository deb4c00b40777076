import Engine
import Graphs
import Hosts
import TestSupport
import Testing

/// Connections of ports, on a real JACK server.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackConnectionTests {
  let peerName = JackTurn.clientName("peer")

  @Test
  func
    `a connection to a port that does not exist yet is made when its client appears, and when it appears again`()
    throws
  {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(input: .ports(["\(peerName):out_1"]), output: .ports(["/^\(peerName):in_[12]$/"])))
    for _ in 0..<2 {
      let peer = try JackPeer(peerName, server: server.name, outputs: 1, inputs: 3)
      #expect(poll { peer.isConnected(rig.port("in_1"), "\(peerName):out_1") })
      #expect(poll { peer.connections(rig.port("out_2")) == ["\(peerName):in_1", "\(peerName):in_2"] })
      peer.close()
      #expect(poll { rig.host.status.ports.allSatisfy { $0.connections.isEmpty } })
    }
  }

  @Test func `a text between slashes that is no regular expression is reported once`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    var ports = stereo()
    ports[0].connect = .ports(["/(/"])
    try rig.play(ports)
    let bad = JackNotification.badPattern(port: "in_1", pattern: "(")
    #expect(poll { rig.notifications.contains(bad) })
    rig.host.provide(ports)
    #expect(stays(for: 0.2) { rig.notifications.count { $0 == bad } == 1 })
  }

  @Test func `inputs follow the ports that feed the loudspeakers, but never visgraph's own`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(input: .speakers(channel: 1), output: .physical(channel: 1)))
    let peer = try JackPeer(peerName, server: server.name, outputs: 2)
    peer.connect("\(peerName):out_1", "system:playback_1")
    #expect(poll { peer.connections(rig.port("in_1")) == ["\(peerName):out_1"] })
    peer.connect("\(peerName):out_2", "system:playback_1")
    #expect(poll { peer.connections(rig.port("in_1")) == ["\(peerName):out_1", "\(peerName):out_2"] })
    peer.disconnect("\(peerName):out_1", "system:playback_1")
    #expect(poll { peer.connections(rig.port("in_1")) == ["\(peerName):out_2"] })
    #expect(peer.connections(rig.port("in_2")) == [])
  }

  @Test
  func `a connection that the user made ends with its peer, and one that the user removed is not made again`()
    throws
  {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    #expect(poll { rig.notifications.contains(.connected(port: "out_2", other: "system:playback_2")) })
    var peer = try JackPeer(peerName, server: server.name, outputs: 2)
    peer.connect("\(peerName):out_2", rig.port("in_1"))
    // A connection that ends before the host has noticed it is not reported.
    #expect(poll { rig.notifications.contains(.connected(port: "in_1", other: "\(peerName):out_2")) })
    peer.disconnect(rig.port("out_1"), "system:playback_1")
    #expect(poll { rig.notifications.contains(.disconnected(port: "out_1", other: "system:playback_1")) })
    // Longer than the interval at which a rule's connection is requested, 1 s.
    #expect(stays(for: 1.5) { !peer.isConnected(rig.port("out_1"), "system:playback_1") })
    peer.close()
    #expect(poll { rig.notifications.contains(.disconnected(port: "in_1", other: "\(peerName):out_2")) })
    // A connection made by hand ends with its peer; it is restored only with the server.
    peer = try JackPeer(peerName, server: server.name, outputs: 2)
    #expect(stays(for: 1.5) { !peer.isConnected(rig.port("in_1"), "\(peerName):out_2") })
    #expect(peer.connections(rig.port("out_1")) == [])
    // Once the user makes the connection again it counts as requested. The server makes it at the end of its cycle.
    peer.connect(rig.port("out_1"), "system:playback_1")
    #expect(poll { peer.isConnected(rig.port("out_1"), "system:playback_1") })
    #expect(stays(for: 0.5) { peer.isConnected(rig.port("out_1"), "system:playback_1") })
  }

  @Test func `a connection that JACK makes only after a late cycle is noticed, and restored with the server`()
    throws
  {
    var settings = JackServer.Settings()
    settings.waitsForClients = true
    let server = try JackServer(settings)
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    let made = JackNotification.connected(port: "in_1", other: "\(peerName):out_1")
    for round in 1...3 {
      // libjack reports the connection at once, and makes it at the end of the cycle.
      peer.delayNextCycle(microseconds: 150_000)
      #expect(poll { peer.isDelaying })
      peer.connect("\(peerName):out_1", rig.port("in_1"))
      #expect(poll { rig.notifications.filter { $0 == made }.count == round }, "\(rig.notifications)")
      #expect(poll { rig.test.connected(0) > 0 })
      // The connection of the last round stays, for the restart below.
      guard round < 3 else { continue }
      peer.disconnect("\(peerName):out_1", rig.port("in_1"))
      #expect(
        poll {
          rig.notifications.filter { $0 == .disconnected(port: "in_1", other: "\(peerName):out_1") }.count
            == round
        })
    }
    server.kill()
    #expect(poll { rig.notifications.contains(.waiting(server: server.name)) })
    peer.close()
    // Cycles that wait for clients may keep the next server from answering on a busy machine.
    server.settings.waitsForClients = false
    try server.start()
    #expect(poll { rig.notifications.contains { if case .back = $0 { true } else { false } } })
    peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(poll { peer.connections(rig.port("in_1")) == ["\(peerName):out_1"] }, "\(rig.notifications)")
  }

  @Test func `a connection is reported once when it is made and once when it ends`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    let peer = try JackPeer(peerName, server: server.name, outputs: 2)
    for _ in 0..<3 {
      peer.connect("\(peerName):out_1", rig.port("in_2"))
      peer.disconnect("\(peerName):out_1", rig.port("in_2"))
    }
    let made = JackNotification.connected(port: "in_2", other: "\(peerName):out_1")
    let ended = JackNotification.disconnected(port: "in_2", other: "\(peerName):out_1")
    #expect(poll { rig.notifications.filter { $0 == ended }.count == 3 })
    #expect(
      rig.notifications.filter { $0 == made || $0 == ended } == [made, ended, made, ended, made, ended])
  }

  @Test func `a connection that the server ignores is given up and reported once`() throws {
    var settings = JackServer.Settings()
    settings.selfConnect = "a"  // jackd's `-a a`: ignores all connections of own ports
    let server = try JackServer(settings)
    let rig = JackHostRig(server: server.name)
    try rig.play(Array(stereo(output: .physical(channel: 1)).suffix(1)))
    let refused = JackNotification.connectionRefused(port: "out_2", other: "system:playback_2", number: 0)
    #expect(poll(within: 30) { rig.notifications.contains(refused) })
    #expect(stays(for: 1.2) { rig.notifications.filter { $0 == refused }.count == 1 })
  }
}
