import Testing

@testable import Controls
@testable import OSC

/// Peers whose address may be forged, with a clock that the test sets.
@Suite struct PeerProofsTests {
  /// The proofs of a port.
  private final class ProofRig {
    private var proofs = PeerProofs()

    func challenge(_ peer: PacketPeer, for waiting: PeerProofs.Waiting, at time: Double) -> String? {
      proofs.challenge(peer, for: waiting, at: time)
    }

    func take(_ token: String, of peer: PacketPeer, at time: Double) -> [PeerProofs.Waiting]? {
      proofs.take(token, of: peer, at: time)
    }

    func renewal(of peer: PacketPeer, at time: Double) -> String? { proofs.renewal(of: peer, at: time) }
    func holds(for peer: PacketPeer, at time: Double) -> Bool { proofs.holds(for: peer, at: time) }

    func forget(at time: Double) -> [(peer: PacketPeer, waiting: PeerProofs.Waiting)] {
      proofs.forget(at: time)
    }
  }

  private static let status = PeerProofs.Waiting(address: "/visgraph/status", request: .status)

  private func peer(_ number: Int, port: UInt16 = 5000) -> PacketPeer {
    let address = IPAddress("10.0.\(number / 250).\(number % 250)") ?? .loopback
    return PacketPeer(way: .datagrams, socketAddress: SocketAddress(address, port: port))
  }

  @Test
  func
    `the sender of a datagram of another machine may be forged, that of this machine or of a connection may not`()
  {
    #expect(peer(1).mayBeForged)
    let own = PacketPeer(way: .datagrams, socketAddress: SocketAddress(.loopback, port: 5000))
    let connection = PacketPeer(way: .stream(1), socketAddress: peer(1).socketAddress)
    #expect(!own.mayBeForged && !connection.mayBeForged)
  }

  @Test func `a request waits until the token comes back from the same address`() throws {
    let proofs = ProofRig()
    let token = try #require(proofs.challenge(peer(1), for: Self.status, at: 0))
    #expect(token.utf8.count == 16)
    #expect(proofs.take(token, of: peer(1, port: 5001), at: 1) == nil)
    #expect(proofs.take(token, of: peer(2), at: 1) == nil)
    #expect(proofs.take("0123456789abcdef", of: peer(1), at: 1) == nil && !proofs.holds(for: peer(1), at: 1))
    #expect(proofs.take(token, of: peer(1), at: 1) == [Self.status])
    #expect(proofs.holds(for: peer(1), at: 30.9) && !proofs.holds(for: peer(1), at: 31))
    // A token is valid once.
    #expect(proofs.take(token, of: peer(1), at: 2) == nil)
    #expect(proofs.challenge(peer(2), for: Self.status, at: 0) != token)
  }

  @Test
  func `a subscriber is challenged ten seconds after its proof, and every three seconds until it answers`()
    throws
  {
    let proofs = ProofRig()
    let first = try #require(proofs.challenge(peer(1), for: Self.status, at: 0))
    #expect(proofs.take(first, of: peer(1), at: 0) != nil)
    var challengeTimes: [Double] = []
    for second in 1...29 where proofs.renewal(of: peer(1), at: Double(second)) != nil {
      challengeTimes.append(Double(second))
    }
    #expect(challengeTimes == [10, 13, 16, 19, 22, 25, 28])
    let token = try #require(proofs.renewal(of: peer(1), at: 31))
    #expect(proofs.take(token, of: peer(1), at: 29.5) == [] && proofs.holds(for: peer(1), at: 59))
    #expect(proofs.renewal(of: peer(1), at: 39) == nil)
  }

  @Test func `one machine is sent five challenges a second, whatever ports its requests state`() {
    let proofs = ProofRig()
    let sent = (0..<100).filter {
      proofs.challenge(peer(1, port: UInt16(1000 + $0)), for: Self.status, at: 0.001 * Double($0)) != nil
    }
    #expect(sent.count == 5)
    #expect(proofs.challenge(peer(2), for: Self.status, at: 0.1) != nil)
    #expect(proofs.challenge(peer(1), for: Self.status, at: 0.5) != nil)
  }

  @Test func `a peer that does not answer is forgotten after five seconds, and its requests are reported`() {
    let proofs = ProofRig()
    _ = proofs.challenge(peer(1), for: Self.status, at: 0)
    #expect(proofs.forget(at: 5).isEmpty)
    let unanswered = proofs.forget(at: 5.1)
    #expect(unanswered.map(\.peer) == [peer(1)] && unanswered.map(\.waiting) == [Self.status])
    #expect(proofs.forget(at: 6).isEmpty)
  }

  @Test func `a flood of forged addresses removes no peer that has proved its address`() throws {
    let proofs = ProofRig()
    let token = try #require(proofs.challenge(peer(1), for: Self.status, at: 0))
    #expect(proofs.take(token, of: peer(1), at: 0) != nil)
    for number in 2..<5000 {
      _ = proofs.challenge(peer(number), for: Self.status, at: 0.001 * Double(number))
    }
    #expect(proofs.holds(for: peer(1), at: 5) && proofs.renewal(of: peer(1), at: 10) != nil)
    #expect(proofs.forget(at: 100).count <= PeerProofs.mostPeers)
  }

  @Test func `of waiting requests eight are kept, each once`() throws {
    let proofs = ProofRig()
    var token: String?
    for round in 0..<2 {
      for number in 0..<20 {
        let waiting = PeerProofs.Waiting(address: "/\(number)", request: .status)
        let new = proofs.challenge(peer(1), for: waiting, at: Double(20 * round + number))
        #expect(new != nil && (token == nil || token == new))
        token = new
      }
    }
    #expect(proofs.take(token ?? "", of: peer(1), at: 40)?.count == PeerProofs.mostWaiting)
  }

  // MARK: - The budget of answers to a datagram

  @Test(arguments: [4, 8, 24, 32, 48, 200, 1000])
  func `error messages take at most three times the bytes of the datagram`(size: Int) {
    let budget = AnswerBudget(datagram: size)
    let fault = ControlError.setting(
      "x", node: "meter", known: (0..<50).map { "a-setting-with-a-long-name-\($0)" })
    let address = "/" + String(repeating: "x", count: min(size, 24) - 2)
    let packets = (0..<50).compactMap { _ in ErrorAnswer.packet(about: address, fault, budget) }
    let bytes = packets.reduce(-28) { $0 + $1.count + 28 }
    #expect(packets.isEmpty == (size < 24) && bytes <= 3 * size, "\(bytes)")
  }

  @Test func `an error message that does not fit is cut before its code, and one without a budget is whole`()
    throws
  {
    let fault = ControlError.setting("x", node: "meter", known: ["attack", "release", "hold", "größe"])
    let whole =
      "meter has no setting and no channel x; its settings are attack, release, hold, größe [unknown-setting]"
    func reason(_ budget: AnswerBudget?) throws -> Argument? {
      try ErrorAnswer.packet(about: "/a", fault, budget).map {
        try #require(try PacketReader().read($0).messages.first).arguments[1]
      }
    }
    #expect(try reason(nil) == .string(whole))
    #expect(try reason(AnswerBudget(datagram: 1000)) == .string(whole))
    guard case .string(let cut)? = try reason(AnswerBudget(datagram: 32)) else {
      return #expect(Bool(false), "nothing is answered")
    }
    #expect(cut.hasPrefix("meter has no setting") && cut.hasSuffix("… [unknown-setting]"), "\(cut)")
    let used = AnswerBudget(datagram: 32)
    #expect(used.take(60))
    #expect(try reason(used) == nil)
  }
}
