import Engine
import Graphs
import Hosts
import TestSupport
import Testing

/// What patchbays are shown of ports holds up nobody.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackMetadataTests {
  private func inputs(_ count: Int) -> [HostPort] {
    (0..<count).map {
      HostPort(
        number: $0, name: "in_\($0 + 1)", direction: .input, label: "Channel \($0 + 1)", order: $0 + 1,
        connect: .none)
    }
  }

  @Test func `as much is told of ports as the database has room for without being split`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(inputs(16))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    func count(_ property: String, of ports: Int) -> Int {
      (1...ports).count { peer.property(stage.port("in_\($0)"), property) != nil }
    }
    #expect(poll { count("pretty-name", of: 16) == 16 && count("port-group", of: 16) == 16 })
    #expect(count("order", of: 16) == 16 && count("signal-type", of: 16) == 16)
    // Names are what people look for.
    stage.host.provide(inputs(64))
    #expect(poll { count("pretty-name", of: 64) == 64 && count("port-group", of: 64) == 0 })
    #expect(count("order", of: 64) == 0 && count("signal-type", of: 64) == 0)
    stage.host.provide(inputs(65))
    #expect(poll { count("pretty-name", of: 65) == 0 })
    stage.host.retire(except: inputs(3))
    stage.host.provide(inputs(4))
    #expect(poll { count("pretty-name", of: 4) == 4 && count("port-group", of: 4) == 4 })
  }

  @Test func `a closed client of many ports lets the server live, while the program goes on`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(inputs(64))
    let name = stage.port("in_64")
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(poll { (1...64).allSatisfy { peer.property(stage.port("in_\($0)"), "pretty-name") != nil } })
    peer.close()
    #expect(try server.run(["jack_lsp", "-s", server.name]).contains(name))
    stage.host.stop()
    let list = try server.run(["timeout", "-s", "KILL", "30", "jack_lsp", "-s", server.name])
    #expect(list.contains("system:playback_1") && !list.contains(name))
    // One that hangs cannot be asked to end.
    if list.isEmpty { server.kill() }
  }
}
