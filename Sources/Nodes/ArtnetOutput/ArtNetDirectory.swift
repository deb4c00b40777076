import DMX
import OSC

/// The nodes of Art-Net that have answered, and what they put out. Times are nanoseconds of a clock that never goes back. [any]
struct ArtNetDirectory {
  /// After how many nanoseconds without an answer a node counts as silent: three questions.
  static let silence: UInt64 = 8_000_000_000
  /// After how many it gets nothing any more.
  static let loss: UInt64 = 31_000_000_000
  /// After how many it is forgotten.
  static let oblivion: UInt64 = 600_000_000_000
  /// The most nodes: answers cost nothing to forge.
  static let mostNodes = 1024

  /// What there is to say of a node.
  struct Report: Equatable {
    let name: String
    let state: String
    let isWell: Bool
    let sent: UInt64
    let failed: UInt64
  }

  /// A node, and what its answers have said.
  private struct Entry {
    let node: ArtNetNode
    var name = ""
    /// The port addresses it puts out, by page.
    var outputs: [UInt8: [UInt16]] = [:]
    /// When it has answered last.
    var heard: UInt64 = 0

    func isLost(at now: UInt64) -> Bool { now >= heard + ArtNetDirectory.loss }
  }

  private var entries: [IPAddress: Entry] = [:]

  /// A node has answered; says whether other nodes get some universe from now on.
  mutating func take(_ reply: ArtPollReply, from address: IPAddress, at now: UInt64) -> Bool {
    guard entries[address] != nil || entries.count < Self.mostNodes else { return false }
    var entry = entries[address] ?? Entry(node: ArtNetNode(address))
    let hasChanged = entry.isLost(at: now) || entry.outputs[reply.page] != reply.outputs
    entry.heard = now
    entry.outputs[reply.page] = reply.outputs
    // The first page has the name of the node, others may have those of its parts.
    if reply.page <= 1 || entry.name.isEmpty { entry.name = reply.name }
    entries[address] = entry
    return hasChanged
  }

  /// Forgets who has been silent for very long.
  mutating func forget(at now: UInt64) {
    entries = entries.filter { now < $0.value.heard + Self.oblivion }
  }

  /// Those that put out a port address and are not lost, by address.
  func nodes(of portAddress: UInt16, at now: UInt64) -> [ArtNetNode] {
    entries.values
      .filter { !$0.isLost(at: now) && $0.outputs.values.contains { $0.contains(portAddress) } }
      .map(\.node).sorted { $0.address.description < $1.address.description }
  }

  /// How many are not lost.
  func count(at now: UInt64) -> Int { entries.values.filter { !$0.isLost(at: now) }.count }

  /// What there is to say of each, by address.
  func reports(at now: UInt64) -> [Report] {
    entries.values.sorted { $0.node.address.description < $1.node.address.description }.map { entry in
      let outputs = Set(entry.outputs.values.joined()).sorted().map { ArtDmxPacket.text(of: $0) }
      let puts = outputs.isEmpty ? "has no output" : "puts out \(Self.list(outputs))"
      let name = entry.name.isEmpty ? "\(entry.node.address)" : "\(entry.node.address) \(entry.name)"
      let isWell = now < entry.heard + Self.silence
      let counts = entry.node.counts
      return Report(
        name: name, state: isWell ? "\(name) \(puts)" : "\(name) no longer answers; it \(puts)",
        isWell: isWell,
        sent: counts.sent, failed: counts.failed)
    }
  }

  /// The first of some words, and how many more there are.
  static func list(_ words: [String]) -> String {
    let most = 4
    let more = words.count - most
    return words.prefix(most).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
