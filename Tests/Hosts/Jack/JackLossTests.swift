import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A host goes on after the end of its server.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackLossTests {
  let peerName = JackTurn.clientName("peer")

  @Test func `a server killed and ended twice gets back the same names and connections, and time goes on`()
    throws
  {
    // A busy machine may stop the cycles where the host would decide that the user removed a connection.
    let fault = try lastOf(3) { try faultOfReturn() }
    #expect(fault == nil)
  }

  /// What is wrong with a connection that the user removed, after the return of a server.
  private func faultOfReturn() throws -> String? {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    let test = rig.test
    rig.host.onReturn = { _ in test.engine.pointee.restart(frame: test.engine.pointee.frame) }
    try rig.play(stereo(output: .physical(channel: 1)))
    let name = rig.name
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    peer.connect("\(peerName):out_1", rig.port("in_1"))
    // What is not connected yet cannot be disconnected, and what the host has not noticed yet is not restored.
    #expect(
      poll {
        rig.notifications.contains(.connected(port: "out_2", other: "system:playback_2"))
          && rig.notifications.contains(.connected(port: "in_1", other: "\(peerName):out_1"))
      })
    peer.disconnect(rig.port("out_2"), "system:playback_2")
    #expect(poll { rig.test.connected(0) > 0 })
    #expect(poll { rig.notifications.contains(.disconnected(port: "out_2", other: "system:playback_2")) })
    #expect(stays(for: 0.6) { !peer.isConnected(rig.port("out_2"), "system:playback_2") })
    let waiting = JackNotification.waiting(server: server.name)
    let back = JackNotification.back(name: name, rate: 48000, period: 256)
    for round in 1...4 {
      let samples = rig.test.samples
      // A busy machine may stop a server for the 3 s after which it is lost by itself.
      let waits = rig.notifications.count { $0 == waiting }
      if round % 2 == 1 { server.kill() } else { server.terminate() }
      #expect(poll { rig.notifications.count { $0 == waiting } > waits })
      #expect(poll { !rig.host.isCallbackRunning && rig.host.status.server?.state == .lost })
      peer.close()
      let returns = rig.notifications.count { $0 == back }
      try server.start()
      #expect(poll { rig.notifications.count { $0 == back } > returns })
      peer = try JackPeer(peerName, server: server.name, outputs: 1)
      #expect(poll { peer.ports(of: name) == ["in_1", "in_2", "out_1", "out_2"].map { "\(name):\($0)" } })
      #expect(
        poll { peer.connections("\(name):in_1") == ["\(peerName):out_1"] }, "\(round): \(rig.notifications)")
      #expect(
        poll { peer.connections("\(name):out_1") == ["system:playback_1"] }, "\(round): \(rig.notifications)")
      let removed = peer.connections("\(name):out_2")
      guard removed == [] else { return "\(round): \(removed), \(rig.notifications)" }
      #expect(poll { rig.test.samples > samples && rig.host.isCallbackRunning })
    }
    // One line for each change of state.
    let changes = rig.notifications.filter {
      switch $0 {
      case .serverLost, .waiting, .back: true
      default: false
      }
    }
    #expect(changes.count >= 12)
    for (number, change) in changes.enumerated() {
      switch (number % 3, change) {
      case (0, .serverLost), (1, waiting), (2, back): break
      default: Issue.record("\(changes)")
      }
    }
    // Frame numbers go on without a gap, and the timeline never goes back. A busy machine has made few frames so far.
    #expect(poll { rig.test.samples > 32 * 800 })
    var frame: Int64 = 0
    var sample: Int64 = 0
    // The test takes no records meanwhile: above the queue's size the last frames are merged.
    // What was merged comes with the next cycle.
    let all = poll {
      while let record = rig.test.firstRecord {
        #expect(record.frame == frame + Int64(record.frames) && record.endSample > sample)
        (frame, sample) = (record.frame, record.endSample)
        rig.test.dropRecord()
      }
      return frame > 30
    }
    #expect(all, "\(frame)")
    let start = now()
    rig.host.stop()
    #expect(now() - start < 20)
    return nil
  }

  @Test func `a server that comes back with another rate gets a new plan`() throws {
    // A busy machine may stop the cycles between the first two frames, and the timeline begins anew there.
    let length = try lastOf(3) { () -> Int64? in
      let length = try lengthOfFrame()
      return length == 735 ? nil : length
    }
    #expect(length == nil)
  }

  /// The samples of a frame after the return of a server at 44,100 samples a second.
  private func lengthOfFrame() throws -> Int64 {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    let test = rig.test
    rig.host.onReturn = { _ in test.engine.pointee.restart(frame: test.engine.pointee.frame) }
    let plans = JackHostRig.NotificationLog()
    rig.host.onRateChange = {
      test.offer(rate: $0)
      plans.add(.rateChanged($0))
    }
    try rig.play(stereo())
    #expect(rig.advance())
    server.kill()
    server.settings.rate = 44100
    try server.start()
    #expect(poll { rig.notifications.contains(.back(name: rig.name, rate: 44100, period: 256)) })
    // The change is reported before the plan is offered.
    #expect(poll { plans.all.contains(.rateChanged(44100)) })
    #expect(rig.notifications.contains(.rateChanged(44100)))
    #expect(rig.host.rate == 44100)
    #expect(poll { test.records >= 3 })
    let first = try #require(test.firstRecord)
    test.dropRecord()
    let second = try #require(test.firstRecord)
    return second.endSample - first.endSample
  }

  @Test func `a host whose server ends before the start waits for it`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.open()
    rig.test.offer(rate: rig.host.rate)
    server.kill()
    #expect(poll { rig.notifications.contains(.waiting(server: server.name)) })
    rig.host.provide(stereo())
    rig.host.start()
    try server.start()
    #expect(poll { rig.test.samples > 0 })
    let peer = try JackPeer(peerName, server: server.name)
    #expect(poll { peer.ports(of: rig.name).count == 4 })
  }

  @Test func `a host without its server stops at once`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo())
    server.kill()
    #expect(poll { rig.notifications.contains(.waiting(server: server.name)) })
    let start = now()
    rig.host.stop()
    #expect(now() - start < 20)
  }

  @Test func `a host stops although its server hangs`() throws {
    let server = try JackServer()
    let rig = JackHostRig(server: server.name)
    try rig.play(stereo(output: .physical(channel: 1)))
    #expect(rig.advance())
    server.freeze(true)
    let start = now()
    rig.host.stop()
    #expect(now() - start < 40)
    let samples = rig.test.samples
    server.freeze(false)
    #expect(stays(for: 0.2) { rig.test.samples == samples })
  }
}
