import OSC

/// Which peers have sent the key. This machine needs none. [port]
struct ControlKeys {
  /// How long an address stays unlocked after its last message, in seconds.
  static let lease = 3600.0
  /// The most peers that are remembered; one more replaces the one that has been silent longest.
  static let most = 256

  private enum Holder: Hashable {
    case address(IPAddress)
    case connection(Int)
  }

  private let key: String?
  /// Until when each peer is unlocked, in seconds.
  private var holders: [Holder: Double] = [:]
  private var wrong = WrongKeys()

  init(_ key: String?) { self.key = key }

  /// Whether messages of a peer are accepted, at a time in seconds; they prolong its lease.
  mutating func hears(_ peer: PacketPeer, at time: Double) -> Bool {
    guard key != nil, !peer.address.isLoopback else { return true }
    let holder = Self.holder(peer)
    guard let until = holders[holder], until > time else { return false }
    holders[holder] = time + Self.lease
    return true
  }

  /// Takes the key that a peer sends.
  mutating func show(_ text: String, _ peer: PacketPeer, at time: Double) throws(ControlError) {
    guard let key, !peer.address.isLoopback else { return }
    guard wrong.mayTry(peer.address, at: time) else {
      throw .tooMuch("too many wrong keys came from this machine; send it again in a minute")
    }
    guard SecretText.isSame(text, key) else {
      wrong.add(text, of: peer.address, at: time)
      throw .wrongKey
    }
    let holder = Self.holder(peer)
    if holders[holder] == nil, holders.count >= Self.most,
      let oldest = holders.min(by: { $0.value < $1.value })
    {
      holders[oldest.key] = nil
    }
    holders[holder] = time + Self.lease
  }

  private static func holder(_ peer: PacketPeer) -> Holder {
    peer.connection.map(Holder.connection) ?? .address(peer.address)
  }
}

/// Compares secrets in constant time, so that the duration does not show how much of a guess is right.
package enum SecretText {
  /// Takes as long for a text that differs at its beginning as for one that differs at its end.
  package static func isSame(_ text: String, _ key: String) -> Bool {
    let (text, key) = (Array(text.utf8), Array(key.utf8))
    var difference = text.count ^ key.count
    for (index, byte) in key.enumerated() {
      difference |= Int(byte ^ (index < text.count ? text[index] : 0))
    }
    return difference == 0
  }
}
