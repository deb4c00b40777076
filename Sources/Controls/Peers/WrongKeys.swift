package import OSC

/// Counts the wrong keys of each machine, so that a key of eight characters cannot be guessed. The same wrong key again
/// is no new guess: a page that was opened with an earlier key sends it over and over. [one]
package struct WrongKeys {
  /// The most different wrong keys of a machine within `window` seconds.
  private static let most = 10
  private static let window = 60.0
  /// The most machines that are remembered.
  private static let mostPeers = 1024

  /// The hashes of the keys, and when the first was sent.
  private var peers: [IPAddress: (keys: Set<Int>, since: Double)] = [:]

  /// Has seen no key yet.
  package init() {}

  /// Whether a machine may try another key, at a time in seconds.
  package mutating func mayTry(_ peer: IPAddress, at time: Double) -> Bool {
    guard let known = peers[peer] else { return true }
    if time - known.since < Self.window { return known.keys.count < Self.most }
    peers[peer] = nil
    return true
  }

  /// Notes a key that was compared and was wrong.
  package mutating func add(_ key: String, of peer: IPAddress, at time: Double) {
    if peers.count >= Self.mostPeers, peers[peer] == nil,
      let oldest = peers.min(by: { $0.value.since < $1.value.since })
    {
      peers[oldest.key] = nil
    }
    peers[peer, default: ([], time)].keys.insert(key.hashValue)
  }
}
