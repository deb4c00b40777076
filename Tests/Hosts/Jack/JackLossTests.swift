import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A host outlives its server.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackLossTests {
  let peerName = JackTurn.clientName("peer")

  @Test func `a server killed and ended twice gets back the same names and connections, and time goes on`()
    throws
  {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    let test = stage.test
    stage.host.onReturn = { _ in test.engine.pointee.restart(frame: test.engine.pointee.frame) }
    try stage.play(stereo(output: .physical(channel: 1)))
    let name = stage.name
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    peer.connect("\(peerName):out_1", stage.port("in_1"))
    peer.disconnect(stage.port("out_2"), "system:playback_2")
    #expect(poll { stage.test.heard(0) > 0 })
    #expect(poll { stage.facts.contains(.disconnected(port: "out_2", other: "system:playback_2")) })
    #expect(stays(for: 0.6) { !peer.isConnected(stage.port("out_2"), "system:playback_2") })
    for round in 1...4 {
      let samples = stage.test.samples
      if round % 2 == 1 { server.kill() } else { server.terminate() }
      #expect(poll { stage.facts.filter { $0 == .waiting(server: server.name) }.count == round })
      #expect(!stage.host.isCallbackRunning)
      #expect(stage.host.status.server?.state == .lost)
      peer.close()
      try server.start()
      #expect(
        poll { stage.facts.filter { $0 == .back(name: name, rate: 48000, period: 256) }.count == round })
      peer = try JackPeer(peerName, server: server.name, outputs: 1)
      #expect(poll { peer.ports(of: name) == ["in_1", "in_2", "out_1", "out_2"].map { "\(name):\($0)" } })
      #expect(poll { peer.connections("\(name):in_1") == ["\(peerName):out_1"] }, "\(round): \(stage.facts)")
      #expect(poll { peer.connections("\(name):out_1") == ["system:playback_1"] }, "\(round): \(stage.facts)")
      #expect(peer.connections("\(name):out_2") == [])
      #expect(poll { stage.test.samples > samples && stage.host.isCallbackRunning })
    }
    // One line per change of state.
    let lost = stage.facts.filter { if case .serverLost = $0 { true } else { false } }
    #expect(lost.count == 4)
    // Frames are numbered on without a gap, and the timeline never goes back. A busy machine has made few of them so far.
    #expect(poll { stage.test.samples > 32 * 800 })
    var frame: Int64 = 0
    var sample: Int64 = 0
    // Nobody has taken them: where they were many the last are merged.
    while let record = stage.test.firstRecord {
      #expect(record.frame == frame + Int64(record.frames) && record.endSample > sample)
      (frame, sample) = (record.frame, record.endSample)
      stage.test.dropRecord()
    }
    #expect(frame > 30)
    let start = now()
    stage.host.stop()
    #expect(now() - start < 20)
  }

  @Test func `a server that comes back with another rate asks for another plan`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    let test = stage.test
    stage.host.onReturn = { _ in test.engine.pointee.restart(frame: test.engine.pointee.frame) }
    stage.host.onRateChange = { test.offer(rate: $0) }
    try stage.play(stereo())
    #expect(stage.advance())
    server.kill()
    server.settings.rate = 44100
    try server.start()
    #expect(poll { stage.facts.contains(.back(name: stage.name, rate: 44100, period: 256)) })
    #expect(poll { stage.facts.contains(.rateChanged(44100)) })
    #expect(stage.host.rate == 44100)
    #expect(poll { test.records >= 3 })
    let first = try #require(test.firstRecord)
    test.dropRecord()
    let second = try #require(test.firstRecord)
    #expect(second.endSample - first.endSample == 735)
  }

  @Test func `a server lost before the start is waited for`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.host.open(waiting: false)
    stage.test.offer(rate: stage.host.rate)
    server.kill()
    #expect(poll { stage.facts.contains(.waiting(server: server.name)) })
    stage.host.provide(stereo())
    stage.host.start()
    try server.start()
    #expect(poll { stage.test.samples > 0 })
    let peer = try JackPeer(peerName, server: server.name)
    #expect(peer.ports(of: stage.name).count == 4)
  }

  @Test func `a host without its server stops at once`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    server.kill()
    #expect(poll { stage.facts.contains(.waiting(server: server.name)) })
    let start = now()
    stage.host.stop()
    #expect(now() - start < 20)
  }

  @Test func `a server that hangs does not keep a host from stopping`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo(output: .physical(channel: 1)))
    #expect(stage.advance())
    server.freeze(true)
    let start = now()
    stage.host.stop()
    #expect(now() - start < 40)
    let samples = stage.test.samples
    server.freeze(false)
    #expect(stays(for: 0.2) { stage.test.samples == samples })
  }
}
