import Engine
import Glibc
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A server that runs but does not answer makes no thread wait.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackHangTests {
  let peerName = JackTurn.clientName("peer")

  /// A rig whose engine goes on in a new epoch when cycles run again, and the notifications of its stalls.
  private func rig(_ server: JackServer) -> (rig: JackHostRig, stalls: JackHostRig.NotificationLog) {
    let rig = JackHostRig(server: server.name)
    let stalls = JackHostRig.NotificationLog()
    let test = rig.test
    rig.host.onStall = { stalls.add(.stalled) }
    rig.host.onReturn = { _ in
      stalls.add(.resumed)
      test.engine.pointee.restart(frame: test.engine.pointee.frame)
    }
    return (rig, stalls)
  }

  @Test func `a server that runs no cycles is noticed, and the same client goes on when it runs them again`()
    throws
  {
    // A busy machine stops the cycles by itself, or stops this test for the 3 s after which the client is given up.
    let fault = try lastOf { try faultOfStall() }
    #expect(fault == nil)
  }

  /// What is wrong with a host whose server hangs for a moment.
  private func faultOfStall() throws -> String? {
    let server = try JackServer()
    let (rig, stalls) = rig(server)
    try rig.play(stereo(output: .physical(channel: 1)))
    #expect(rig.advance())
    guard !rig.notifications.contains(.stalled) else { return "stalls while cycles run" }
    let start = now()
    server.freeze(true)
    #expect(poll { !stalls.all.isEmpty })
    // 0.3 s on a machine that is not busy. Without the limit, here and below, the call would return only once the
    // server goes on.
    let noticed = now() - start
    #expect(poll { rig.host.status.server?.state != .running && rig.notifications.contains(.stalled) })
    let samples = rig.test.samples
    let isStill = stays(for: 0.3) { rig.test.samples == samples }
    let state = rig.host.status.server?.state
    server.freeze(false)
    #expect(rig.advance())
    #expect(poll { rig.host.status.server?.state == .running && stalls.all.last == .resumed })
    let lost = rig.notifications.contains { if case .serverLost = $0 { true } else { false } }
    guard noticed < 10, isStill, state == .stalled, stalls.all == [.stalled, .resumed], !lost else {
      return "noticed after \(noticed) s, still: \(isStill), \(state as Any), \(stalls.all), lost: \(lost)"
    }
    return nil
  }

  @Test func `a server that hangs for long gets a new client with the same ports and connections`()
    throws
  {
    let server = try JackServer()
    let (rig, _) = rig(server)
    try rig.play(stereo(output: .physical(channel: 1)))
    var peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(
      poll {
        // Refused while the port does not exist.
        peer.connect("\(peerName):out_1", rig.port("in_2"))
        return rig.notifications.contains(.connected(port: "in_2", other: "\(peerName):out_1"))
      })
    let name = rig.name
    // libjack has one lock for all clients of a process, and holds it while it closes one.
    peer.close()
    #expect(poll { rig.notifications.contains(.disconnected(port: "in_2", other: "\(peerName):out_1")) })
    server.freeze(true)
    #expect(
      poll(within: 30) { rig.notifications.contains { if case .serverLost = $0 { true } else { false } } })
    server.freeze(false)
    #expect(poll(within: 30) { rig.notifications.contains(.back(name: name, rate: 48000, period: 256)) })
    #expect(rig.advance())
    peer = try JackPeer(peerName, server: server.name, outputs: 1)
    #expect(poll { peer.connections("\(name):out_1") == ["system:playback_1"] })
    #expect(peer.ports(of: name).count == 4)
  }

  @Test func `no call takes long while the server hangs`() throws {
    // A server that is noticed to hang before the request, as on a busy machine, gets no request.
    let fault = try lastOf { try faultOfHang() }
    #expect(fault == nil)
  }

  /// What is wrong with a request to a server that hangs, which is to be reported.
  private func faultOfHang() throws -> String? {
    let server = try JackServer()
    let (rig, _) = rig(server)
    try rig.play(stereo())
    #expect(rig.advance())
    server.freeze(true)
    let more = HostPort(number: 9, name: "more_1", direction: .output, label: nil, order: 5, connect: .none)
    var start = now()
    // At once, before the host has noticed that the server hangs.
    rig.host.provide(stereo() + [more])
    #expect(now() - start < 10)
    start = now()
    rig.host.retire(except: stereo())
    _ = rig.host.status
    _ = rig.host.rate
    #expect(now() - start < 10)
    // Within 3 s on a machine that is not busy.
    let isReported = !stays(for: 15) {
      !rig.notifications.contains { if case .noAnswer(server.name, _) = $0 { true } else { false } }
    }
    start = now()
    rig.host.stop()
    #expect(now() - start < 10)
    server.freeze(false)
    return isReported ? nil : "no report that the server does not answer"
  }

  @Test func `a port that gets the number of a connected port is not connected`() throws {
    let server = try JackServer()
    let (rig, _) = rig(server)
    try rig.play(stereo())
    let patcher = try JackPeer(peerName, server: server.name)
    let other = try JackPeer(JackTurn.clientName("other"), server: server.name)
    for round in 0..<60 {
      patcher.addPort("gone")
      patcher.connect("\(peerName):gone", rig.port("in_1"))
      patcher.removePort()
      other.addPort("stranger_\(round)")
      if round % 10 == 9 {
        // The end of one connection may come late; a wrong connection would stay.
        #expect(poll { other.connections(rig.port("in_1")) == [] }, "round \(round)")
        #expect(stays(for: 0.1) { other.connections(rig.port("in_1")) == [] }, "round \(round)")
      }
    }
    #expect(stays(for: 0.5) { other.connections(rig.port("in_1")) == [] })
  }

  @Test
  func `a port that is registered anew is not connected as the one before it, nor with the next server`()
    throws
  {
    let count = 600
    var settings = JackServer.Settings()
    settings.ports = 2 * count
    let server = try JackServer(settings)
    let (rig, _) = rig(server)
    try rig.play(stereo())
    var peer = try JackPeer(peerName, server: server.name)
    for round in 0..<count {
      peer.addPort("again_\(round)")
      let again = "\(peerName):again_\(round)"
      // Refused while the host opens its client anew, which it does where the machine stood still.
      var isConnecting = peer.connect(again, rig.port("in_1")) == 0
      // Some ports end within the cycle in which they are connected, others after it.
      if round % 3 == 0 {
        #expect(
          poll {
            if !isConnecting { isConnecting = peer.connect(again, rig.port("in_1")) == 0 }
            return peer.isConnected(rig.port("in_1"), again)
          })
      }
      peer.removePort()
      peer.addPort("again_\(round)")
    }
    let hasEnded = poll { peer.connections(rig.port("in_1")) == [] }
    #expect(hasEnded)
    #expect(stays(for: 1.5) { peer.connections(rig.port("in_1")) == [] })
    peer.addPort("last")
    #expect(poll { peer.connect("\(peerName):last", rig.port("in_1")) == 0 })
    #expect(poll { rig.notifications.contains(.connected(port: "in_1", other: "\(peerName):last")) })
    server.kill()
    #expect(poll { rig.notifications.contains(.waiting(server: server.name)) })
    peer.close()
    try server.start()
    #expect(poll { rig.notifications.contains { if case .back = $0 { true } else { false } } })
    peer = try JackPeer(peerName, server: server.name)
    for round in 0..<count { peer.addPort("again_\(round)") }
    peer.addPort("last")
    // The connections that existed at the server's end are restored, and no others.
    let last = ["\(peerName):last"]
    #expect(poll { peer.connections(rig.port("in_1")) == last })
    #expect(stays(for: 1.5) { peer.connections(rig.port("in_1")) == last })
  }

  @Test func `hundreds of ports that do not fit into a server are reported in one line`() throws {
    let server = try JackServer()
    let (rig, _) = rig(server)
    let many = (0..<400).map {
      HostPort(number: $0, name: "in_\($0 + 1)", direction: .input, label: nil, order: $0 + 1, connect: .none)
    }
    try rig.play(many)
    #expect(poll { rig.notifications.contains { if case .portsRefused = $0 { true } else { false } } })
    let refused = rig.notifications.compactMap {
      if case .portsRefused(let names) = $0 { names } else { nil }
    }
    #expect(refused.count == 1)
    #expect(refused.first?.last == "in_400" && refused.first?.count ?? 0 > 100)
    #expect(
      "\(JackNotification.portsRefused(["in_9", "in_10"]))".hasPrefix(
        "JACK does not make 2 ports, in_9 to in_10: "))
  }

  @Test func `after a loss of the server the first name is requested again`() throws {
    let server = try JackServer()
    let (rig, _) = rig(server)
    var squatter: JackPeer? = try JackPeer(JackTurn.clientName("stage"), server: server.name)
    try rig.play(stereo())
    #expect(rig.name == JackTurn.clientName("stage") + "-01")
    squatter?.close()
    squatter = nil
    server.kill()
    #expect(poll { rig.notifications.contains(.waiting(server: server.name)) })
    try server.start()
    #expect(
      poll { rig.notifications.contains(.back(name: JackTurn.clientName("stage"), rate: 48000, period: 256)) }
    )
  }
}
