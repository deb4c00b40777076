import OSC
import System

extension PacketPeer {
  /// Whether another machine may have sent it: a datagram of another machine bears whatever source address its sender likes.
  var mayBeForged: Bool { connection == nil && !address.isLoopback }
}

/// Which peers that may be forged have sent a challenge back, and what was asked for in the name of those that have not.
///
/// Else a small datagram with a forged source address would have a stream of large ones sent to a machine that has asked for
/// nothing (a reflection with amplification). Bounded in whom it knows. [port]
struct PeerProofs {
  /// For how long a proof holds, in seconds.
  static let lease = 30.0
  /// A peer that is sent a stream is challenged anew so long after its last proof, and every `retry` seconds until it answers.
  static let (pause, retry) = (10.0, 3.0)
  /// For how long a request waits for its proof, in seconds.
  static let timeout = 5.0
  /// The most peers that are known, and requests of one that wait.
  static let (mostPeers, mostWaiting) = (256, 8)
  /// Challenges a second that one machine is sent.
  static let challengesPerSecond = 5.0

  /// Something that a peer has asked for.
  struct Waiting: Equatable {
    /// The address of its message.
    let address: String
    let request: ControlRequest
  }

  private struct Entry {
    var token = PeerProofs.token()
    /// When the token was sent last.
    var challenged = -Double.infinity
    /// Until when the proof holds.
    var until = -Double.infinity
    var waiting: [Waiting] = []
  }

  private var entries: [PacketPeer: Entry] = [:]
  private var rates: [IPAddress: TokenBucket] = [:]

  /// Whether a peer has shown, of late, that what is sent to it arrives. At a time in seconds, as all that follows.
  func holds(for peer: PacketPeer, at time: Double) -> Bool { entries[peer].map { $0.until > time } ?? false }

  /// Keeps a request until its peer has sent back the token that is given; nil where none is to be sent: one is on its way,
  /// or that machine is sent as many as it may be.
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

  /// Takes a token that a peer has sent back; gives what it waits for, nil where it is not its token.
  mutating func take(_ token: String, of peer: PacketPeer, at time: Double) -> [Waiting]? {
    guard var entry = entries[peer], entry.challenged.isFinite, SecretText.isSame(token, entry.token) else {
      return nil
    }
    let waiting = entry.waiting
    entry = Entry(challenged: time, until: time + Self.lease)
    entries[peer] = entry
    return waiting
  }

  /// The token that a peer with a stream is to be sent; nil while its proof is new, or it was challenged a moment ago.
  mutating func renewal(of peer: PacketPeer, at time: Double) -> String? {
    guard var entry = entries[peer], time >= entry.until - Self.lease + Self.pause,
      time >= entry.challenged + Self.retry
    else { return nil }
    entry.challenged = time
    entries[peer] = entry
    return entry.token
  }

  /// Forgets who has not answered; gives what was asked for in its name.
  mutating func forget(at time: Double) -> [(peer: PacketPeer, waiting: Waiting)] {
    var unanswered: [(peer: PacketPeer, waiting: Waiting)] = []
    for (peer, entry) in entries where entry.until <= time && time > entry.challenged + Self.timeout {
      unanswered += entry.waiting.map { (peer, $0) }
      entries[peer] = nil
    }
    return unanswered
  }

  /// Room for one more, in the place of the one without a proof that was challenged longest ago.
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

/// How much may be sent in answer to a datagram whose peer may be forged and has no proof: three times the bytes that it has;
/// where that is more than one packet, with the IP and UDP headers of the others. [any]
final class AnswerBudget: Sendable {
  /// How many times as many bytes.
  static let factor = 3
  /// The IP and UDP headers of a datagram, in bytes.
  static let headers = 28
  private let left: Locked<Int>

  /// The budget of a datagram of so many bytes.
  init(datagram count: Int) { left = Locked(Self.factor * count + Self.headers) }

  /// The most bytes that an answer may still have.
  var room: Int { left.withLock { $0 - Self.headers } }

  /// Counts an answer of so many bytes; false where it is too long.
  func take(_ count: Int) -> Bool {
    left.withLock { left in
      guard count + Self.headers <= left else { return false }
      left -= count + Self.headers
      return true
    }
  }
}
