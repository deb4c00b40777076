package import OSC

/// Which machines have shown wrong keys of late: a key of eight characters is not found with so many tries. The same one over and
/// over again, as a page shows that was opened with a key of before, is no guess. [one]
package struct WrongKeys {
  /// How many different ones are borne within `window` seconds.
  private static let most = 10
  private static let window = 60.0
  /// The most machines that are remembered.
  private static let mostPeers = 1024

  /// The keys by their hashes, and when the first was shown.
  private var peers: [IPAddress: (keys: Set<Int>, since: Double)] = [:]

  /// None yet.
  package init() {}

  /// Whether another key of a machine is looked at, at a time in seconds.
  package mutating func mayTry(_ peer: IPAddress, at time: Double) -> Bool {
    guard let known = peers[peer] else { return true }
    if time - known.since < Self.window { return known.keys.count < Self.most }
    peers[peer] = nil
    return true
  }

  /// Notes a wrong one, which was looked at.
  package mutating func add(_ key: String, of peer: IPAddress, at time: Double) {
    if peers.count >= Self.mostPeers, peers[peer] == nil,
      let oldest = peers.min(by: { $0.value.since < $1.value.since })
    {
      peers[oldest.key] = nil
    }
    peers[peer, default: ([], time)].keys.insert(key.hashValue)
  }
}
