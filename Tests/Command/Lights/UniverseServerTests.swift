import Glibc
import OSC
import TestSupport
import Testing

/// How fast lamps on universes go dark whatever the sound server does.
@Suite(.serialized, .blockingInJack) struct UniverseServerTests {
  /// The first slot of a data packet of sACN, and the time that one of DMX takes.
  private static let (slot, frame) = (126, 0.023)

  /// Seconds of the clock that the system stamps packets with.
  private func time() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func isLit(_ ear: OscReceiver) -> Bool { ear.datagrams.last?[Self.slot] == 179 }

  /// Seconds from what is done to the first packet in which all is 0.
  private func dark(_ ear: OscReceiver, _ what: () throws -> Void) throws -> Double {
    #expect(poll { isLit(ear) })
    let (count, begin) = (ear.datagrams.count, time())
    try what()
    var place: Int?
    #expect(
      poll {
        place = ear.datagrams.indices.dropFirst(count).first {
          ear.datagrams[$0][Self.slot...].allSatisfy { $0 == 0 }
        }
        return place != nil
      })
    return ear.times[try #require(place)] - begin
  }

  /// The best of some blackouts, each let go again.
  private func blackout(_ ear: OscReceiver, _ peer: ControlPeer) throws -> Double {
    try shortest(of: 20, below: Self.frame) {
      let seconds = try dark(ear) { try peer.send("/visgraph/blackout", .int(1)) }
      try peer.send("/visgraph/blackout", .int(0))
      #expect(poll { isLit(ear) })
      return seconds
    }
  }

  private func start(_ ear: OscReceiver, _ server: JackServer, _ folder: TemporaryFolder) throws -> Child {
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 44
      nodes:
        tone: { type: tone-source }
        out: { type: jack-output }
        level: { type: constant, value: 0.7, channels: 3 }
        lamps: { type: sacn-output, to: "127.0.0.1:\(ear.port)" }
      wires: [tone -> out, level -> lamps]

      """, to: "graph.yaml")
    return try Visgraph.start("run", graph, "--host", "jack", "--server", server.name)
  }

  @Test
  func `a blackout is dark within a packet of DMX while the JACK server runs, hangs, is gone and is back`()
    throws
  {
    let (folder, ear, server) = (try TemporaryFolder(), try OscReceiver(), try JackServer())
    let child = try start(ear, server, folder)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { isLit(ear) }, "\(child.notes)")
    var times = ["runs": try blackout(ear, peer)]
    server.freeze(true)
    #expect(child.says("the JACK server runs no cycles"), "\(child.notes)")
    times["hangs"] = try blackout(ear, peer)
    server.freeze(false)
    server.kill()
    #expect(child.says("the JACK server has gone"), "\(child.notes)")
    times["is gone"] = try blackout(ear, peer)
    try server.start()
    // While the program finds it again.
    times["comes"] = try blackout(ear, peer)
    #expect(child.says("the JACK server is back"), "\(child.notes)")
    times["is back"] = try blackout(ear, peer)
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    #expect(times.values.allSatisfy { $0 <= Self.frame }, "\(times)")
    print("blackout to dark, in seconds:", times.sorted { $0.key < $1.key })
  }

  @Test(arguments: ["hangs", "is gone"])
  func `after SIGTERM lights are dark within a packet of DMX although the JACK server does not answer`(
    what: String
  ) throws {
    var all: [Double] = []
    let least = try shortest(of: 6, below: Self.frame) {
      let (folder, ear, server) = (try TemporaryFolder(), try OscReceiver(), try JackServer())
      let child = try start(ear, server, folder)
      #expect(poll(within: 20) { isLit(ear) }, "\(child.notes)")
      if what == "hangs" { server.freeze(true) } else { server.kill() }
      defer { if what == "hangs" { server.freeze(false) } }
      #expect(
        child.says(what == "hangs" ? "the JACK server runs no cycles" : "the JACK server has gone"),
        "\(child.notes)")
      let seconds = try dark(ear) { child.signal(SIGTERM) }
      #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
      all.append(seconds)
      return seconds
    }
    #expect(least <= Self.frame, "\(all)")
    print("SIGTERM to dark where the server \(what), in seconds:", all)
  }
}
