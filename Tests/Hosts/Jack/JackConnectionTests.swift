import Engine
import Graphs
import Hosts
import TestSupport
import Testing

/// Who is connected to whom, on a real server.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackConnectionTests {
  let peerName = JackTurn.clientName("peer")

  @Test func `a connection made in advance by name holds when its peer appears, and when it comes again`()
    throws
  {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(input: .ports(["\(peerName):out_1"]), output: .ports(["/^\(peerName):in_[12]$/"])))
    for _ in 0..<2 {
      let peer = try JackPeer(peerName, server: server.name, outputs: 1, inputs: 3)
      #expect(poll { peer.isConnected(stage.port("in_1"), "\(peerName):out_1") })
      #expect(poll { peer.connections(stage.port("out_2")) == ["\(peerName):in_1", "\(peerName):in_2"] })
      peer.close()
      #expect(poll { stage.host.status.ports.allSatisfy { $0.connections.isEmpty } })
    }
  }

  @Test func `a text between slashes that is no regular expression is reported once`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    var ports = stereo()
    ports[0].connect = .ports(["/(/"])
    try stage.play(ports)
    stage.host.provide(ports)
    #expect(stage.facts.filter { $0 == .badPattern(port: "in_1", pattern: "(") }.count == 1)
  }

  @Test func `inputs follow what feeds the loudspeakers, but never visgraph itself`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(input: .speakers(channel: 1), output: .physical(channel: 1)))
    let peer = try JackPeer(peerName, server: server.name, outputs: 2)
    peer.connect("\(peerName):out_1", "system:playback_1")
    #expect(poll { peer.connections(stage.port("in_1")) == ["\(peerName):out_1"] })
    peer.connect("\(peerName):out_2", "system:playback_1")
    #expect(poll { peer.connections(stage.port("in_1")) == ["\(peerName):out_1", "\(peerName):out_2"] })
    peer.disconnect("\(peerName):out_1", "system:playback_1")
    #expect(poll { peer.connections(stage.port("in_1")) == ["\(peerName):out_2"] })
    #expect(peer.connections(stage.port("in_2")) == [])
  }

  @Test func `what the user connected ends with its peer, and what the user took away stays away`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    #expect(poll { stage.facts.contains(.connected(port: "out_2", other: "system:playback_2")) })
    var peer = try JackPeer(peerName, server: server.name, outputs: 2)
    peer.connect("\(peerName):out_2", stage.port("in_1"))
    peer.disconnect(stage.port("out_1"), "system:playback_1")
    #expect(poll { stage.facts.contains(.disconnected(port: "out_1", other: "system:playback_1")) })
    #expect(stays(for: 1.5) { !peer.isConnected(stage.port("out_1"), "system:playback_1") })
    peer.close()
    #expect(poll { stage.facts.contains(.disconnected(port: "in_1", other: "\(peerName):out_2")) })
    // What was made by hand ends with its peer; with the server it comes back.
    peer = try JackPeer(peerName, server: server.name, outputs: 2)
    #expect(stays(for: 1.5) { !peer.isConnected(stage.port("in_1"), "\(peerName):out_2") })
    #expect(peer.connections(stage.port("out_1")) == [])
    // Made again by the user, it is wanted again. The server makes it when its cycle is over.
    peer.connect(stage.port("out_1"), "system:playback_1")
    #expect(poll { peer.isConnected(stage.port("out_1"), "system:playback_1") })
    #expect(stays(for: 0.5) { peer.isConnected(stage.port("out_1"), "system:playback_1") })
  }

  @Test func `what a late cycle connects is known, and is there again when the server is`() throws {
    var settings = JackServer.Settings()
    settings.waitsForClients = true
    let server = try JackServer(settings)
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    let made = JackNotification.connected(port: "in_1", other: "\(peerName):out_1")
    for round in 1...3 {
      // The library reports it at once, and makes it when the cycle is over.
      peer.misbehave(microseconds: 150_000)
      #expect(poll { peer.isMisbehaving })
      peer.connect("\(peerName):out_1", stage.port("in_1"))
      #expect(poll { stage.facts.filter { $0 == made }.count == round }, "\(stage.facts)")
      #expect(poll { stage.test.heard(0) > 0 })
      guard round < 3 else { continue }
      peer.disconnect("\(peerName):out_1", stage.port("in_1"))
      #expect(
        poll {
          stage.facts.filter { $0 == .disconnected(port: "in_1", other: "\(peerName):out_1") }.count == round
        })
    }
    server.kill()
    #expect(poll { stage.facts.contains(.waiting(server: server.name)) })
    peer.close()
    try server.start()
    #expect(poll { stage.facts.contains { if case .back = $0 { true } else { false } } })
    peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(poll { peer.connections(stage.port("in_1")) == ["\(peerName):out_1"] }, "\(stage.facts)")
  }

  @Test func `a connection is reported once when it is made and once when it ends`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    let peer = try JackPeer(peerName, server: server.name, outputs: 2)
    for _ in 0..<3 {
      peer.connect("\(peerName):out_1", stage.port("in_2"))
      peer.disconnect("\(peerName):out_1", stage.port("in_2"))
    }
    let made = JackNotification.connected(port: "in_2", other: "\(peerName):out_1")
    let ended = JackNotification.disconnected(port: "in_2", other: "\(peerName):out_1")
    #expect(poll { stage.facts.filter { $0 == ended }.count == 3 })
    #expect(stage.facts.filter { $0 == made || $0 == ended } == [made, ended, made, ended, made, ended])
  }

  @Test func `a server that ignores connections is not asked for ever`() throws {
    var settings = JackServer.Settings()
    settings.selfConnect = "a"
    let server = try JackServer(settings)
    let stage = JackStage(server: server.name)
    try stage.play(Array(stereo(output: .physical(channel: 1)).suffix(1)))
    let refused = JackNotification.connectionRefused(port: "out_2", other: "system:playback_2", number: 0)
    #expect(poll(within: 30) { stage.facts.contains(refused) })
    #expect(stays(for: 1.2) { stage.facts.filter { $0 == refused }.count == 1 })
  }
}
