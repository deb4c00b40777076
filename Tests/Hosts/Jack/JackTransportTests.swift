import CJack
import Graphs
import Hosts
import Realtime
import Synchronization
import TestSupport
import Testing

/// A host as a client of JACK's transport that others wait for (slow sync), and as one that leads it. The peer is another
/// client, or jackd's own `jack_transport`.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct JackTransportTests {
  /// A server with long cycles, so that none is missed on a busy machine, a host on it, and another client.
  final class Rig {
    let server: JackServer
    let stage: JackStage
    let ear: TransportEar
    private(set) var peer: JackPeer
    var shared: UnsafeMutablePointer<HostTransportShared> { stage.transport.shared }

    init(period: Int = 4096) throws {
      var settings = JackServer.Settings()
      settings.period = period
      server = try JackServer(settings)
      stage = JackStage(server: server.name)
      ear = TransportEar(stage.transport)
      peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    }

    // Clients are closed before the server: a jackd that is killed with clients may leave its place in shared memory taken.
    deinit {
      stage.host.stop()
      peer.close()
    }

    func startHost() throws { try stage.play([], ear: ear) }
    func reconnectPeer() throws { peer = try JackPeer(JackTurn.clientName("peer"), server: server.name) }

    var state: HostTransportShared.State? { .init(rawValue: shared.pointee.state.load(ordering: .acquiring)) }
    var wanted: Int64 { shared.pointee.wanted.load(ordering: .acquiring) }
    func markReady(_ place: Int, at frame: Int64) {
      shared.pointee.ready[place].store(frame, ordering: .releasing)
    }

    func follow() -> Int? { shared.pointee.follow() }

    /// What the server says to another client.
    var peerView: (state: UInt32, frame: Int64) { peer.transport }

    /// Lets jackd's own program do something.
    func control(_ commands: String) throws {
      _ = try server.run([
        "sh", "-c",
        "printf '\(commands)\\nquit\\n' | JACK_DEFAULT_SERVER=\(server.name) jack_transport >/dev/null 2>&1",
      ])
    }
  }

  @Test func `the roll waits until a follower is ready, and begins exactly where it was told`() throws {
    let rig = try Rig()
    let place = try #require(rig.follow())
    try rig.startHost()
    #expect(poll { rig.state == .stopped })
    try rig.control("locate 123456")
    #expect(poll { rig.wanted == 123_456 })
    try rig.control("play")
    #expect(poll { rig.state == .starting })
    #expect(
      stays(for: 0.5) { rig.state == .starting && rig.peerView.state == JackTransportStarting.rawValue })
    rig.markReady(place, at: 123_456)
    #expect(poll { rig.state == .rolling && rig.ear.stretches.last!.samples > 8192 })
    var heard = rig.ear.stretches
    #expect(heard.map(\.state) == [.stopped, .starting, .rolling])
    #expect(heard[0].last == 123_456)
    #expect(heard[1].first == 123_456 && heard[1].last == 123_456)
    #expect(heard[2].first == 123_456)
    // From there on place and samples agree, within one cycle.
    #expect((heard[2].last - 123_456).isMultiple(of: 4096))
    #expect(abs(heard[2].last + 4096 - 123_456 - heard[2].samples) < 4096)

    // To another place while it rolls: all wait once more.
    jack_transport_locate(rig.peer.client, 9_000)
    #expect(poll { rig.wanted == 9_000 && rig.state == .starting })
    #expect(stays(for: 0.3) { rig.state == .starting })
    rig.markReady(place, at: 9_000)
    #expect(poll { rig.state == .rolling })
    heard = rig.ear.stretches
    #expect(heard.suffix(2).map(\.state) == [.starting, .rolling])
    #expect(heard.suffix(2).map(\.first) == [9_000, 9_000])

    try rig.control("stop")
    #expect(poll { rig.state == .stopped })
    #expect(poll { rig.wanted == rig.peerView.frame })
  }

  @Test func `a follower that is never ready holds the others for two seconds`() throws {
    let rig = try Rig()
    _ = try #require(rig.follow())
    try rig.startHost()
    #expect(poll { rig.state == .stopped })
    jack_transport_start(rig.peer.client)
    // The server itself would wait for 10 s.
    #expect(poll(within: 30) { rig.peerView.state == JackTransportRolling.rawValue && rig.state == .rolling })
    let waited = try #require(rig.ear.stretches.first { $0.state == .starting })
    // 2 s by the clock of the machine, which may be late; the server itself would wait for 10 s of samples.
    #expect((48_000..<432_000).contains(waited.samples))
    // And so anew for each start.
    jack_transport_stop(rig.peer.client)
    #expect(poll { rig.state == .stopped })
    jack_transport_start(rig.peer.client)
    #expect(poll { rig.state == .starting })
    #expect(stays(for: 0.5) { rig.state == .starting })
    #expect(poll(within: 30) { rig.state == .rolling })
  }

  @Test func `the transport waits only for followers, and a later one gets its place`() throws {
    let rig = try Rig()
    try rig.startHost()
    #expect(poll { !rig.ear.stretches.isEmpty })
    jack_transport_locate(rig.peer.client, 480_000)
    jack_transport_start(rig.peer.client)
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue })
    #expect(rig.state == HostTransportShared.State.none)
    let place = try #require(rig.follow())
    #expect(poll { rig.state == .rolling && rig.wanted >= 480_000 })
    rig.stage.host.provide([])
    // Now the server waits.
    jack_transport_locate(rig.peer.client, 77)
    #expect(poll { rig.state == .starting && rig.wanted == 77 })
    #expect(stays(for: 0.3) { rig.peerView.state == JackTransportStarting.rawValue })
    // And no longer, once the last follower has left.
    rig.shared.pointee.leave(place)
    #expect(
      poll {
        rig.peerView.state == JackTransportRolling.rawValue && rig.state == HostTransportShared.State.none
      })
    let heard = rig.ear.stretches
    #expect(heard.map(\.state) == [.none, .rolling, .starting, .none])
    #expect(heard[1].first >= 480_000)
  }

  @Test func `a leader starts, stops and locates the transport of the server`() throws {
    let rig = try Rig(period: 256)
    #expect(rig.stage.transport.lead == nil)
    try rig.stage.host.open(waiting: false)
    // Before the first cycle already.
    let lead = try #require(rig.stage.transport.lead)
    lead(.locate(96_000))
    #expect(poll { rig.peerView.frame == 96_000 })
    lead(.start)
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue && rig.peerView.frame > 96_000 })
    lead(.stop)
    #expect(poll { rig.peerView.state == JackTransportStopped.rawValue })
    // What lies outside the numbers of JACK.
    lead(.locate(-5))
    #expect(poll { rig.peerView.frame == 0 })
    lead(.locate(.max))
    #expect(poll { rig.peerView.frame == Int64(UInt32.max) })
    rig.stage.host.stop()
    #expect(poll { rig.stage.transport.lead == nil })
    lead(.locate(1))
    #expect(stays(for: 0.1) { rig.peerView.frame == Int64(UInt32.max) })
  }

  @Test func `a lost server has no transport, and one that is back has`() throws {
    let rig = try Rig(period: 256)
    _ = try #require(rig.follow())
    try rig.startHost()
    let old = try #require(rig.stage.transport.lead)
    #expect(poll { rig.state == .stopped })
    rig.server.kill()
    old(.start)
    #expect(poll { rig.stage.facts.contains(.waiting(server: rig.server.name)) })
    #expect(rig.stage.transport.lead == nil)
    #expect(rig.state == HostTransportShared.State.none)
    old(.start)
    rig.peer.close()
    try rig.server.start()
    #expect(poll { rig.stage.transport.lead != nil && rig.state == .stopped })
    try rig.reconnectPeer()
    rig.stage.transport.lead?(.locate(5_000))
    #expect(poll { rig.wanted == 5_000 })
    rig.stage.transport.lead?(.start)
    #expect(poll { rig.state == .starting })
    // The new client is waited for as the old one was.
    #expect(stays(for: 0.3) { rig.peerView.state == JackTransportStarting.rawValue })
    rig.stage.host.stop()
    // `stop` may return before libjack has closed the client.
    #expect(poll { rig.state == HostTransportShared.State.none && rig.stage.transport.lead == nil })
    #expect(poll { rig.peerView.state == JackTransportRolling.rawValue })
  }
}
