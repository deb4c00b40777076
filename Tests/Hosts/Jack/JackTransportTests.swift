import CJack
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A host as a client of JACK's transport that others wait for (slow sync), and as one that leads it. The peer is
/// another client, or jackd's own `jack_transport`.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackTransportTests {
  /// A server with long cycles, so that none is missed on a busy machine, a host on it, and another client.
  final class Rig {
    let server: JackServer
    let hostRig: JackHostRig
    let recorder: TransportRecorder
    private(set) var peer: JackPeer
    var shared: UnsafeMutablePointer<HostTransportShared> { hostRig.transport.shared }

    init(period: Int = 4096) throws {
      var settings = JackServer.Settings()
      settings.period = period
      server = try JackServer(settings)
      hostRig = JackHostRig(server: server.name)
      recorder = TransportRecorder(hostRig.transport)
      peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    }

    // Clients are closed before the server: a jackd that is killed with clients may leave its place in shared memory
    // taken.
    deinit {
      hostRig.host.stop()
      peer.close()
    }

    func startHost() throws { try hostRig.play([], recorder: recorder) }
    func reconnectPeer() throws { peer = try JackPeer(JackTurn.clientName("peer"), server: server.name) }

    var state: HostTransportShared.State? { .init(rawValue: shared.pointee.state.load(ordering: .acquiring)) }
    var wanted: Int64 { shared.pointee.wanted.load(ordering: .acquiring) }
    func markReady(_ place: Int, at frame: Int64) {
      shared.pointee.ready[place].store(frame, ordering: .releasing)
    }

    func follow() -> Int? { shared.pointee.follow() }

    /// The transport as another client sees it.
    var peerView: (state: UInt32, frame: Int64) { peer.transport }

    /// Stops the transport, and waits until the host knows.
    func stop() {
      jack_transport_stop(peer.client)
      #expect(poll { state == .stopped })
    }

    /// Runs commands in jackd's own program `jack_transport`.
    func control(_ commands: String) throws {
      _ = try server.run([
        "sh", "-c",
        "printf '\(commands)\\nquit\\n' | JACK_DEFAULT_SERVER=\(server.name) jack_transport >/dev/null 2>&1",
      ])
    }
  }

  @Test func `the transport rolls once a follower is ready, and begins exactly at the requested frame`()
    throws
  {
    // A busy machine may miss cycles, or use up the 2 s for which the host waits for a follower.
    let fault = try lastOf { try faultOfStart() }
    #expect(fault == nil)
  }

  /// What is wrong with a start and a locate while a follower gets ready.
  private func faultOfStart() throws -> String? {
    let rig = try Rig()
    let place = try #require(rig.follow())
    try rig.startHost()
    #expect(poll { rig.state == .stopped })
    try rig.control("locate 123456")
    #expect(poll { rig.wanted == 123_456 })
    try rig.control("play")
    #expect(poll { rig.state != .stopped })
    let waits = stays(for: 0.5) {
      rig.state == .starting && rig.peerView.state == JackTransportStarting.rawValue
    }
    rig.markReady(place, at: 123_456)
    #expect(poll { rig.state == .rolling && rig.recorder.stretches.last!.samples > 8192 })
    var stretches = rig.recorder.stretches
    guard waits, stretches.map(\.state) == [.stopped, .starting, .rolling], stretches[0].last == 123_456,
      stretches[1].first == 123_456, stretches[1].last == 123_456, stretches[2].first == 123_456
    else { return "waits: \(waits), \(stretches)" }
    // From there on frame and samples agree, within one cycle.
    guard (stretches[2].last - 123_456).isMultiple(of: 4096),
      abs(stretches[2].last + 4096 - 123_456 - stretches[2].samples) < 4096
    else { return "\(stretches)" }

    // Locates while it rolls: all clients wait once more.
    jack_transport_locate(rig.peer.client, 9_000)
    guard poll(until: { rig.recorder.stretches.last?.first == 9_000 && rig.wanted == 9_000 }) else {
      return "no locate: \(rig.recorder.stretches)"
    }
    let waitsAgain = stays(for: 0.3) { rig.state == .starting }
    rig.markReady(place, at: 9_000)
    #expect(poll { rig.recorder.stretches.last?.state == .rolling })
    stretches = rig.recorder.stretches
    guard waitsAgain, stretches.suffix(2).map(\.state) == [.starting, .rolling],
      stretches.suffix(2).map(\.first) == [9_000, 9_000]
    else { return "waits again: \(waitsAgain), \(stretches)" }

    try rig.control("stop")
    #expect(poll { rig.state == .stopped })
    #expect(poll { rig.wanted == rig.peerView.frame })
    return nil
  }

  @Test func `a follower that is never ready delays the others by two seconds`() throws {
    // A host whose server is late leaves the cycles to a timer, and delays nobody.
    let wrong = try lastOf(4) { try neverReady() }
    #expect(wrong == nil)
  }

  /// What is wrong with the waits for a follower that is never ready.
  private func neverReady() throws -> String? {
    let rig = try Rig()
    _ = try #require(rig.follow())
    try rig.startHost()
    #expect(poll { rig.state == .stopped })
    /// Seconds from a start until the transport rolls; a busy machine makes them more.
    func wait() -> Double {
      let start = now()
      jack_transport_start(rig.peer.client)
      #expect(poll(within: 30) { rig.peerView.state == JackTransportRolling.rawValue })
      return now() - start
    }
    // 2 s by the clock of the machine. The server itself would wait for 10 s of samples; cycles that a busy machine
    // misses are not recorded.
    let first = wait()
    guard first >= 2 else { return "waits \(first) s" }
    #expect(poll { rig.recorder.stretches.last?.state == .rolling })
    // Without one the host was late itself, and so was the server.
    guard let waited = rig.recorder.stretches.first(where: { $0.state == .starting }) else {
      return "no start: \(rig.recorder.stretches)"
    }
    #expect(waited.samples < 432_000)
    // The same holds for each start.
    rig.stop()
    let second = wait()
    guard second >= 2 else { return "waits \(second) s at the second start" }
    // Also after one that was taken back for longer.
    rig.stop()
    jack_transport_start(rig.peer.client)
    #expect(poll { rig.state == .starting || rig.state == .rolling })
    rig.stop()
    #expect(stays(for: 2.1) { rig.peerView.state == JackTransportStopped.rawValue })
    let third = wait()
    return third >= 2 ? nil : "waits \(third) s after a start that was taken back"
  }

  @Test func `the transport waits only for followers, and a later one gets its frame`() throws {
    // A busy machine may use up the 2 s for which the host waits.
    let fault = try lastOf { try faultOfFollower() }
    #expect(fault == nil)
  }

  /// What is wrong with a transport whose follower comes, and leaves while the others wait for it.
  private func faultOfFollower() throws -> String? {
    let rig = try Rig()
    try rig.startHost()
    #expect(poll { !rig.recorder.stretches.isEmpty })
    jack_transport_locate(rig.peer.client, 480_000)
    jack_transport_start(rig.peer.client)
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue })
    #expect(rig.state == HostTransportShared.State.none)
    let place = try #require(rig.follow())
    #expect(poll { rig.state == .rolling && rig.wanted >= 480_000 })
    rig.hostRig.host.provide([])
    // Now the server waits for the follower.
    jack_transport_locate(rig.peer.client, 77)
    guard poll(until: { rig.recorder.stretches.last?.first == 77 && rig.wanted == 77 }) else {
      return "no locate: \(rig.recorder.stretches)"
    }
    let waits = stays(for: 0.3) { rig.peerView.state == JackTransportStarting.rawValue }
    // The server no longer waits once the last follower has left.
    rig.shared.pointee.leave(place)
    #expect(
      poll {
        rig.peerView.state == JackTransportRolling.rawValue
          && rig.recorder.stretches.last?.state == HostTransportShared.State.none
      })
    let stretches = rig.recorder.stretches
    guard waits, stretches.map(\.state) == [.none, .rolling, .starting, .none],
      stretches[1].first >= 480_000
    else { return "waits: \(waits), \(stretches)" }
    return nil
  }

  @Test func `a leader starts, stops and locates the transport of the server`() throws {
    let rig = try Rig(period: 256)
    #expect(rig.hostRig.transport.lead == nil)
    try rig.hostRig.open()
    // Before the first cycle.
    let lead = try #require(rig.hostRig.transport.lead)
    lead(.locate(96_000))
    #expect(poll { rig.peerView.frame == 96_000 })
    lead(.start)
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue && rig.peerView.frame > 96_000 })
    lead(.stop)
    #expect(poll { rig.peerView.state == JackTransportStopped.rawValue })
    // Frames outside the range of JACK's numbers.
    lead(.locate(-5))
    #expect(poll { rig.peerView.frame == 0 })
    lead(.locate(.max))
    #expect(poll { rig.peerView.frame == Int64(UInt32.max) })
    rig.hostRig.host.stop()
    #expect(poll { rig.hostRig.transport.lead == nil })
    lead(.locate(1))
    #expect(stays(for: 0.1) { rig.peerView.frame == Int64(UInt32.max) })
  }

  @Test func `a lost server has no transport, and one that is back has`() throws {
    let rig = try Rig(period: 256)
    _ = try #require(rig.follow())
    try rig.startHost()
    let old = try #require(rig.hostRig.transport.lead)
    #expect(poll { rig.state == .stopped })
    rig.server.kill()
    old(.start)
    #expect(poll { rig.hostRig.notifications.contains(.waiting(server: rig.server.name)) })
    #expect(rig.hostRig.transport.lead == nil)
    #expect(rig.state == HostTransportShared.State.none)
    old(.start)
    rig.peer.close()
    try rig.server.start()
    #expect(poll { rig.hostRig.transport.lead != nil && rig.state == .stopped })
    try rig.reconnectPeer()
    // The server waits for the new client as it did for the old one. A busy machine may use up the 2 s.
    let fault = lastOf { () -> String? in
      rig.stop()
      rig.hostRig.transport.lead?(.locate(5_000))
      #expect(poll { rig.wanted == 5_000 })
      rig.hostRig.transport.lead?(.start)
      #expect(poll { rig.state != .stopped })
      return stays(for: 0.3) { rig.peerView.state == JackTransportStarting.rawValue } ? nil : "does not wait"
    }
    #expect(fault == nil)
    rig.hostRig.host.stop()
    // `stop` may return before libjack has closed the client.
    #expect(poll { rig.state == HostTransportShared.State.none && rig.hostRig.transport.lead == nil })
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue })
  }
}
