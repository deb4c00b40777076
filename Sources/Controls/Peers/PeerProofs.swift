import OSC
import System

extension PacketPeer {
  /// Whether the source address may be forged: UDP checks none, so a datagram of another machine may have any.
  var mayBeForged: Bool { connection == nil && !address.isLoopback }
}

/// Which UDP peers of other machines have sent a challenge back, and the requests of those that have not yet.
///
/// Without challenges, a small datagram with a forged source address could direct a stream of large ones at a machine
/// that asked for nothing (a reflection attack with amplification). The number of peers is limited. [port]
struct PeerProofs {
  /// How long a proof is valid, in seconds.
  static let lease = 30.0
  /// A peer with a subscription is challenged again `pause` seconds after its last proof, then every `retry` seconds.
  static let (pause, retry) = (10.0, 3.0)
  /// How long a request waits for the proof, in seconds.
  static let timeout = 5.0
  /// The most peers that are remembered, and the most requests that wait for one peer.
  static let (mostPeers, mostWaiting) = (256, 8)
  /// The most challenges a second to one machine.
  static let challengesPerSecond = 5.0

  /// A request that waits for the proof of its peer.
  struct Waiting: Equatable {
    /// The address of its message.
    let address: String
    let request: ControlRequest
  }

  private struct Entry {
    var token = PeerProofs.token()
    /// When the token was last sent.
    var challenged = -Double.infinity
    /// Until when the proof is valid.
    var until = -Double.infinity
    var waiting: [Waiting] = []
  }

  private var entries: [PacketPeer: Entry] = [:]
  private var rates: [IPAddress: TokenBucket] = [:]

  /// Whether a peer has a valid proof. Times here and below are in seconds.
  func holds(for peer: PacketPeer, at time: Double) -> Bool { entries[peer].map { $0.until > time } ?? false }

  /// Keeps a request until its peer proves its address, and returns the token to send. Nil: none may be sent, because
  /// the limit of peers or of challenges is reached.
  mutating func challenge(_ peer: PacketPeer, for waiting: Waiting, at time: Double) -> String? {
    var entry = entries[peer] ?? Entry()
    guard entries[peer] != nil || makeRoom(at: time) else { return nil }
    entry.waiting.removeAll { $0 == waiting }
    if entry.waiting.count < Self.mostWaiting { entry.waiting.append(waiting) }
    defer { entries[peer] = entry }
    guard mayChallenge(peer.address, at: time) else { return nil }
    entry.challenged = time
    return entry.token
  }

  /// Takes a token that a peer has sent back. Returns its waiting requests; nil: it is not the peer's token.
  mutating func take(_ token: String, of peer: PacketPeer, at time: Double) -> [Waiting]? {
    guard var entry = entries[peer], entry.challenged.isFinite, SecretText.isSame(token, entry.token) else {
      return nil
    }
    let waiting = entry.waiting
    entry = Entry(challenged: time, until: time + Self.lease)
    entries[peer] = entry
    return waiting
  }

  /// The token for renewing the proof of a peer with a subscription; nil while its proof is new, or within `retry` of
  /// the last challenge.
  mutating func renewal(of peer: PacketPeer, at time: Double) -> String? {
    guard var entry = entries[peer], time >= entry.until - Self.lease + Self.pause,
      time >= entry.challenged + Self.retry
    else { return nil }
    entry.challenged = time
    entries[peer] = entry
    return entry.token
  }

  /// Removes peers that have not answered in time; returns their requests.
  mutating func forget(at time: Double) -> [(peer: PacketPeer, waiting: Waiting)] {
    var unanswered: [(peer: PacketPeer, waiting: Waiting)] = []
    for (peer, entry) in entries where entry.until <= time && time > entry.challenged + Self.timeout {
      unanswered += entry.waiting.map { (peer, $0) }
      entries[peer] = nil
    }
    return unanswered
  }

  /// Makes room for one more peer, in place of the unproven one that was challenged longest ago; false: there is none.
  private mutating func makeRoom(at time: Double) -> Bool {
    guard entries.count >= Self.mostPeers else { return true }
    let unproven = entries.filter { $0.value.until <= time }
    guard let oldest = unproven.min(by: { $0.value.challenged < $1.value.challenged }) else { return false }
    entries[oldest.key] = nil
    return true
  }

  private mutating func mayChallenge(_ machine: IPAddress, at time: Double) -> Bool {
    if rates[machine] == nil, rates.count >= Self.mostPeers { rates = [:] }
    let full = TokenBucket(perSecond: Self.challengesPerSecond, atOnce: Self.challengesPerSecond)
    return rates[machine, default: full].take(at: time)
  }

  /// 64 random bits as text, which cannot be guessed.
  private static func token() -> String {
    String(hexadecimal: UInt64.random(in: .min ... .max), digits: 16)
  }
}

/// How many bytes may answer a datagram whose peer may be forged and has no proof: three times its own, with the IP and
/// UDP headers counted for all packets after the first. [any]
final class AnswerBudget: Sendable {
  /// The limit, as a multiple of the datagram's bytes.
  static let factor = 3
  /// The IP and UDP headers of a datagram, in bytes.
  static let headers = 28
  private let left: Locked<Int>

  /// The budget for a datagram of `count` bytes.
  init(datagram count: Int) { left = Locked(Self.factor * count + Self.headers) }

  /// The most bytes of the next answer.
  var room: Int { left.withLock { $0 - Self.headers } }

  /// Counts an answer of `count` bytes; false: it is too long.
  func take(_ count: Int) -> Bool {
    left.withLock { left in
      guard count + Self.headers <= left else { return false }
      left -= count + Self.headers
      return true
    }
  }
}
