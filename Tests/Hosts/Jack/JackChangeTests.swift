import CJack
import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// Changes that a JACK server makes while a host runs.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackChangeTests {
  let peerName = JackTurn.clientName("peer")

  @Test func `the period changes and changes back, and frames stay at the same samples`() throws {
    var settings = JackServer.Settings()
    settings.period = 64
    let server = try JackServer(settings)
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    let peer = try JackPeer(peerName, server: server.name)
    var changes: [JackNotification] {
      rig.notifications.filter { if case .periodChanged = $0 { true } else { false } }
    }
    #expect(rig.host.status.period == 64)
    for (number, period) in [1024, 64, 4096, 64].enumerated() {
      #expect(rig.advance())
      #expect(jack_set_buffer_size(peer.client, UInt32(period)) == 0)
      #expect(poll { rig.host.status.period == period })
      // A control thread that is late sees only the last of several changes.
      #expect(poll { changes.count > number })
      #expect(rig.advance())
    }
    #expect(changes == [1024, 64, 4096, 64].map { .periodChanged($0) })
    var frame: Int64 = 0
    // The test takes no records meanwhile: on a busy machine the queue gets full, and the last frames are merged.
    while let record = rig.test.firstRecord {
      #expect(record.frame == frame + Int64(record.frames) && record.endSample == record.frame * 800)
      frame = record.frame
      rig.test.dropRecord()
    }
    #expect(frame > 10)
  }

  @Test func `freewheeling is reported, and the callback may wait only while it lasts`() throws {
    let server = try JackServer()
    let waits = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
    waits.initialize(to: Atomic(0))
    let rig = JackHostRig(
      server: server.name,
      freewheelWait: { context, count in
        context?.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.add(UInt64(count), ordering: .relaxed)
        usleep(1000)
      }, freewheelContext: waits)
    try rig.play(stereo())
    let peer = try JackPeer(peerName, server: server.name)
    #expect(rig.advance())
    #expect(waits.pointee.load(ordering: .relaxed) == 0)
    #expect(rig.host.isRealTime)
    jack_set_freewheel(peer.client, 1)
    #expect(poll { rig.host.isFreewheeling && rig.notifications.contains(.freewheel(true)) })
    #expect(!rig.host.isRealTime)
    #expect(poll { waits.pointee.load(ordering: .relaxed) > 2560 })
    jack_set_freewheel(peer.client, 0)
    #expect(poll { rig.host.isRealTime && rig.notifications.contains(.freewheel(false)) })
    #expect(rig.advance())
    let waited = waits.pointee.load(ordering: .relaxed)
    #expect(rig.advance())
    #expect(waits.pointee.load(ordering: .relaxed) == waited)
  }

  @Test func `xruns are counted and reported at most once a second`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    // A busy machine makes xruns of its own from the first cycle on.
    let start = now()
    try rig.play(stereo())
    let peer = try JackPeer(peerName, server: server.name, inputs: 1)
    peer.connect(rig.port("out_1"), "\(peerName):in_1")
    var count = rig.host.xruns
    for _ in 0..<3 {
      // A server that is late itself finds no client late.
      #expect(
        poll {
          if peer.isDelaying { peer.delayNextCycle(microseconds: 60_000) }
          return rig.host.xruns > count
        })
      count = rig.host.xruns
    }
    #expect(
      poll {
        rig.notifications.contains { if case .xruns(let reported) = $0 { reported >= count } else { false } }
      }
    )
    let reports = rig.notifications.filter { if case .xruns = $0 { true } else { false } }
    #expect(Double(reports.count) <= 1 + (now() - start))
    #expect(rig.host.status.xruns >= 3)
  }
}
