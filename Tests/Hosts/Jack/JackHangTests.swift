import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A server that is there but does not do its work keeps nobody waiting.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackHangTests {
  let peerName = JackTurn.clientName("peer")

  /// A stage whose engine goes on in a new epoch when cycles return, and how often it was notified.
  private func stage(_ server: JackServer) -> (stage: JackStage, stalls: JackStage.Reported) {
    let stage = JackStage(server: server.name)
    let stalls = JackStage.Reported()
    let test = stage.test
    stage.host.onStall = { stalls.add(.stalled) }
    stage.host.onReturn = { _ in
      stalls.add(.resumed)
      test.engine.pointee.restart(frame: test.engine.pointee.frame)
    }
    return (stage, stalls)
  }

  @Test func `a server that runs no cycles is noticed, and the same client goes on when it does`() throws {
    let server = try JackServer()
    let (stage, stalls) = stage(server)
    try stage.play(stereo(output: .physical(channel: 1)))
    #expect(stage.advance())
    #expect(!stage.facts.contains(.stalled))
    let start = now()
    server.freeze(true)
    #expect(poll { stalls.all == [.stalled] })
    // 0.3 s on a machine that is not busy. Here and below: to wait for the server would last until it is let go.
    #expect(now() - start < 10)
    #expect(poll { stage.host.status.server?.state == .stalled && stage.facts.contains(.stalled) })
    let samples = stage.test.samples
    #expect(stays(for: 0.3) { stage.test.samples == samples })
    server.freeze(false)
    #expect(stage.advance())
    #expect(stalls.all == [.stalled, .resumed])
    #expect(stage.facts.filter { if case .serverLost = $0 { true } else { false } } == [])
    #expect(stage.host.status.server?.state == .running)
  }

  @Test func `a server that stands still for long gets a new client with the same ports and connections`()
    throws
  {
    let server = try JackServer()
    let (stage, _) = stage(server)
    try stage.play(stereo(output: .physical(channel: 1)))
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(
      poll {
        // Refused as long as there is no such port.
        peer.connect("\(peerName):out_1", stage.port("in_2"))
        return stage.facts.contains(.connected(port: "in_2", other: "\(peerName):out_1"))
      })
    let name = stage.name
    // The library has one lock for all clients of a process, and closing one holds it.
    peer.close()
    #expect(poll { stage.facts.contains(.disconnected(port: "in_2", other: "\(peerName):out_1")) })
    server.freeze(true)
    #expect(poll(within: 30) { stage.facts.contains { if case .serverLost = $0 { true } else { false } } })
    server.freeze(false)
    #expect(poll(within: 30) { stage.facts.contains(.back(name: name, rate: 48000, period: 256)) })
    #expect(stage.advance())
    peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(poll { peer.connections("\(name):out_1") == ["system:playback_1"] })
    #expect(peer.ports(of: name).count == 4)
  }

  @Test func `no call takes long while the server hangs`() throws {
    let server = try JackServer()
    let (stage, _) = stage(server)
    try stage.play(stereo())
    #expect(stage.advance())
    server.freeze(true)
    let frozen = now()
    let more = HostPort(number: 9, name: "more_1", direction: .output, label: nil, order: 5, connect: .none)
    var start = now()
    let asked = start
    // At once, while nobody knows yet that it hangs.
    stage.host.provide(stereo() + [more])
    #expect(now() - start < 10)
    start = now()
    stage.host.retire(except: stereo())
    _ = stage.host.status
    _ = stage.host.rate
    #expect(now() - start < 10)
    // Within 3 s on a machine that is not busy. One that stands still before it is asked is asked for nothing.
    if asked - frozen < 0.05 {
      #expect(
        poll { stage.facts.contains { if case .noAnswer(server.name, _) = $0 { true } else { false } } })
      #expect(now() - frozen < 20)
    }
    start = now()
    stage.host.stop()
    #expect(now() - start < 10)
    server.freeze(false)
  }

  @Test func `a port that gets the number of one that was connected is not connected`() throws {
    let server = try JackServer()
    let (stage, _) = stage(server)
    try stage.play(stereo())
    let patcher = try JackPeer(peerName, server: server.name)
    let other = try JackPeer(JackTurn.clientName("other"), server: server.name)
    for round in 0..<60 {
      patcher.addPort("gone")
      patcher.connect("\(peerName):gone", stage.port("in_1"))
      patcher.removePort()
      other.addPort("stranger_\(round)")
      if round % 10 == 9 {
        // The end of one connection may come late; one that is made by mistake stays.
        #expect(poll { other.connections(stage.port("in_1")) == [] }, "round \(round)")
        #expect(stays(for: 0.1) { other.connections(stage.port("in_1")) == [] }, "round \(round)")
      }
    }
    #expect(stays(for: 0.5) { other.connections(stage.port("in_1")) == [] })
  }

  @Test func `a port that is registered anew is not connected as the one before, nor with the next server`()
    throws
  {
    let count = 600
    var settings = JackServer.Settings()
    settings.ports = 2 * count
    let server = try JackServer(settings)
    let (stage, _) = stage(server)
    try stage.play(stereo())
    var peer = try JackPeer(peerName, server: server.name)
    for round in 0..<count {
      peer.addPort("again_\(round)")
      peer.connect("\(peerName):again_\(round)", stage.port("in_1"))
      // Some end within the cycle in which they are made, others when they were there.
      if round % 3 == 0 {
        #expect(poll { peer.isConnected(stage.port("in_1"), "\(peerName):again_\(round)") })
      }
      peer.removePort()
      peer.addPort("again_\(round)")
    }
    let hasEnded = poll { peer.connections(stage.port("in_1")) == [] }
    #expect(hasEnded)
    #expect(stays(for: 1.5) { peer.connections(stage.port("in_1")) == [] })
    peer.addPort("last")
    peer.connect("\(peerName):last", stage.port("in_1"))
    #expect(poll { stage.facts.contains(.connected(port: "in_1", other: "\(peerName):last")) })
    server.kill()
    #expect(poll { stage.facts.contains(.waiting(server: server.name)) })
    peer.close()
    try server.start()
    #expect(poll { stage.facts.contains { if case .back = $0 { true } else { false } } })
    peer = try JackPeer(peerName, server: server.name)
    for round in 0..<count { peer.addPort("again_\(round)") }
    peer.addPort("last")
    // What was there when the server went is there again, and nothing else.
    let last = ["\(peerName):last"]
    #expect(poll { peer.connections(stage.port("in_1")) == last })
    #expect(stays(for: 1.5) { peer.connections(stage.port("in_1")) == last })
  }

  @Test func `hundreds of ports that a server has no room for are one line`() throws {
    let server = try JackServer()
    let (stage, _) = stage(server)
    let many = (0..<400).map {
      HostPort(number: $0, name: "in_\($0 + 1)", direction: .input, label: nil, order: $0 + 1, connect: .none)
    }
    try stage.play(many)
    let refused = stage.facts.compactMap { if case .portsRefused(let names) = $0 { names } else { nil } }
    #expect(refused.count == 1)
    #expect(refused.first?.last == "in_400" && refused.first?.count ?? 0 > 100)
    #expect(
      "\(JackNotification.portsRefused(["in_9", "in_10"]))".hasPrefix(
        "JACK does not make 2 ports, in_9 to in_10: "))
  }

  @Test func `after a loss the first name is asked for again`() throws {
    let server = try JackServer()
    let (stage, _) = stage(server)
    var squatter: JackPeer? = try JackPeer(JackTurn.clientName("stage"), server: server.name)
    try stage.play(stereo())
    #expect(stage.name == JackTurn.clientName("stage") + "-01")
    squatter?.close()
    squatter = nil
    server.kill()
    #expect(poll { stage.facts.contains(.waiting(server: server.name)) })
    try server.start()
    #expect(
      poll { stage.facts.contains(.back(name: JackTurn.clientName("stage"), rate: 48000, period: 256)) })
  }
}
