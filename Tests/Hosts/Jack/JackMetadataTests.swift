import Engine
import Graphs
import Hosts
import TestSupport
import Testing

/// Metadata of ports, which patchbays show, delays no thread.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackMetadataTests {
  private func inputs(_ count: Int) -> [HostPort] {
    (0..<count).map {
      HostPort(
        number: $0, name: "in_\($0 + 1)", direction: .input, label: "Channel \($0 + 1)", order: $0 + 1,
        connect: .none)
    }
  }

  @Test func `a host sets as many properties of ports as the database holds without splitting a page`() throws
  {
    // On a busy machine a call may take the 2 s after which the host gives metadata up.
    let fault = try lastOf { try setsProperties() ? nil : "the host gave metadata up" }
    #expect(fault == nil)
  }

  /// Checks the properties of more and more ports. Returns false if the host gave metadata up.
  private func setsProperties() throws -> Bool {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    var isGivenUp: Bool { rig.notifications.contains(.metadataStuck) }
    try rig.play(inputs(16))
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    func count(_ property: String, of ports: Int) -> Int {
      (1...ports).count { peer.property(rig.port("in_\($0)"), property) != nil }
    }
    #expect(poll { count("pretty-name", of: 16) == 16 && count("port-group", of: 16) == 16 || isGivenUp })
    #expect(poll { count("order", of: 16) == 16 && count("signal-type", of: 16) == 16 || isGivenUp })
    // Names are kept longest: users search for them.
    rig.host.provide(inputs(64))
    #expect(poll { count("pretty-name", of: 64) == 64 && count("port-group", of: 64) == 0 || isGivenUp })
    #expect(poll { count("order", of: 64) == 0 && count("signal-type", of: 64) == 0 || isGivenUp })
    rig.host.provide(inputs(65))
    #expect(poll { count("pretty-name", of: 65) == 0 || isGivenUp })
    rig.host.retire(except: inputs(3))
    rig.host.provide(inputs(4))
    #expect(poll { count("pretty-name", of: 4) == 4 && count("port-group", of: 4) == 4 || isGivenUp })
    return !isGivenUp
  }

  @Test func `the server lives on after the close of a client with many ports, while the program runs`()
    throws
  {
    let fault = try lastOf { try livesOn() ? nil : "the host gave metadata up" }
    #expect(fault == nil)
  }

  /// Checks the server after the close of a client. Returns false if the host gave metadata up.
  private func livesOn() throws -> Bool {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(inputs(64))
    let name = rig.port("in_64")
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(
      poll {
        (1...64).allSatisfy { peer.property(rig.port("in_\($0)"), "pretty-name") != nil }
          || rig.hasGivenMetadataUp
      })
    guard !rig.hasGivenMetadataUp else { return false }
    peer.close()
    #expect(try server.run(["jack_lsp", "-s", server.name]).contains(name))
    rig.host.stop()
    // `stop` may return before libjack has closed the client.
    var list = ""
    let hasGone = try poll {
      list = try server.run(["timeout", "-s", "KILL", "30", "jack_lsp", "-s", server.name])
      return list.isEmpty || !list.contains(name)
    }
    #expect(hasGone && list.contains("system:playback_1"), "\(list)")
    // A hanging server ignores SIGTERM.
    if list.isEmpty { server.kill() }
    return true
  }
}
