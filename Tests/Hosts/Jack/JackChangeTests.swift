import CJack
import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// What a server changes while a host runs.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackChangeTests {
  let peerName = JackTurn.clientName("peer")

  @Test func `the period changes and changes back, and frames stay where they are`() throws {
    var settings = JackServer.Settings()
    settings.period = 64
    let server = try JackServer(settings)
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    let peer = try JackPeer(peerName, server: server.name)
    #expect(stage.host.status.period == 64)
    for period in [1024, 64, 4096, 64] {
      #expect(stage.advance())
      #expect(jack_set_buffer_size(peer.client, UInt32(period)) == 0)
      #expect(poll { stage.host.status.period == period })
      #expect(stage.advance())
    }
    let changes = stage.facts.filter { if case .periodChanged = $0 { true } else { false } }
    #expect(changes == [1024, 64, 4096, 64].map { .periodChanged($0) })
    var frame: Int64 = 0
    while let record = stage.test.firstRecord {
      frame += 1
      #expect(record.frame == frame && record.endSample == frame * 800)
      stage.test.dropRecord()
    }
    #expect(frame > 10)
  }

  @Test func `freewheel is told, and the callback may wait in it and nowhere else`() throws {
    let server = try JackServer()
    let waits = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
    waits.initialize(to: Atomic(0))
    let stage = JackStage(
      server: server.name,
      freewheelWait: { context, count in
        context?.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.add(UInt64(count), ordering: .relaxed)
        usleep(1000)
      }, freewheelContext: waits)
    try stage.play(stereo())
    let peer = try JackPeer(peerName, server: server.name)
    #expect(stage.advance())
    #expect(waits.pointee.load(ordering: .relaxed) == 0)
    #expect(stage.host.isRealTime)
    jack_set_freewheel(peer.client, 1)
    #expect(poll { stage.host.isFreewheeling && stage.facts.contains(.freewheel(true)) })
    #expect(!stage.host.isRealTime)
    #expect(poll { waits.pointee.load(ordering: .relaxed) > 2560 })
    jack_set_freewheel(peer.client, 0)
    #expect(poll { stage.host.isRealTime && stage.facts.contains(.freewheel(false)) })
    #expect(stage.advance())
    let waited = waits.pointee.load(ordering: .relaxed)
    #expect(stage.advance())
    #expect(waits.pointee.load(ordering: .relaxed) == waited)
  }

  @Test func `xruns are counted and reported at most once a second`() throws {
    let server = try JackServer()
    let stage = JackStage(server: server.name)
    try stage.play(stereo())
    let peer = try JackPeer(peerName, server: server.name, inputs: 1)
    peer.connect(stage.port("out_1"), "\(peerName):in_1")
    let start = now()
    var count = stage.host.xruns
    for _ in 0..<3 {
      peer.misbehave(microseconds: 60_000)
      #expect(poll { stage.host.xruns > count })
      count = stage.host.xruns
    }
    #expect(
      poll { stage.facts.contains { if case .xruns(let reported) = $0 { reported >= count } else { false } } }
    )
    let reports = stage.facts.filter { if case .xruns = $0 { true } else { false } }
    #expect(Double(reports.count) <= 1 + (now() - start))
    #expect(stage.host.status.xruns >= 3)
  }
}
