import DMX
import OSC

/// The Art-Net nodes that have answered, and the port addresses that they put out. Times are nanoseconds of a
/// monotonic clock. [any]
struct ArtNetDirectory {
  /// Nanoseconds without an answer after which a node counts as silent: three polls.
  static let silence: UInt64 = 8_000_000_000
  /// Nanoseconds without an answer after which a node is sent no more packets.
  static let loss: UInt64 = 31_000_000_000
  /// Nanoseconds without an answer after which a node is forgotten.
  static let oblivion: UInt64 = 600_000_000_000
  /// Maximum number of nodes, because forged answers cost nothing.
  static let mostNodes = 1024

  /// The state of a node, for reports.
  struct Report: Equatable {
    let name: String
    let state: String
    let isWell: Bool
    let sent: UInt64
    let failed: UInt64
  }

  /// A node and its last answers.
  private struct Entry {
    let node: ArtNetNode
    var name = ""
    /// Its port addresses, by page, and when it sent the page last.
    var outputs: [UInt8: (ports: [UInt16], heard: UInt64)] = [:]
    /// When it answered last.
    var heard: UInt64 = 0

    func isLost(at now: UInt64) -> Bool { now >= heard + ArtNetDirectory.loss }
  }

  private var entries: [IPAddress: Entry] = [:]

  /// Notes an answer. Returns whether the nodes of some port address have changed.
  mutating func take(_ reply: ArtPollReply, from address: IPAddress, at now: UInt64) -> Bool {
    guard entries[address] != nil || entries.count < Self.mostNodes else { return false }
    var entry = entries[address] ?? Entry(node: ArtNetNode(address))
    var hasChanged = entry.isLost(at: now) || entry.outputs[reply.page]?.ports != reply.outputs
    // A node that now has fewer ports sends fewer pages.
    for (page, output) in entry.outputs where page != reply.page && now >= output.heard + Self.loss {
      entry.outputs[page] = nil
      hasChanged = true
    }
    entry.heard = now
    entry.outputs[reply.page] = (reply.outputs, now)
    // The first page has the name of the node; other pages may have names of parts.
    if reply.page <= 1 || entry.name.isEmpty { entry.name = reply.name }
    entries[address] = entry
    return hasChanged
  }

  /// Removes nodes that have been silent for `oblivion`.
  mutating func forget(at now: UInt64) {
    entries = entries.filter { now < $0.value.heard + Self.oblivion }
  }

  /// The nodes that put out a port address and are not lost, ordered by IP address.
  func nodes(of portAddress: UInt16, at now: UInt64) -> [ArtNetNode] {
    entries.values
      .filter { !$0.isLost(at: now) && $0.outputs.values.contains { $0.ports.contains(portAddress) } }
      .map(\.node).sorted { $0.address.description < $1.address.description }
  }

  /// The number of nodes that are not lost.
  func count(at now: UInt64) -> Int { entries.values.filter { !$0.isLost(at: now) }.count }

  /// The state of each node, ordered by IP address.
  func reports(at now: UInt64) -> [Report] {
    entries.values.sorted { $0.node.address.description < $1.node.address.description }.map { entry in
      let outputs = Set(entry.outputs.values.flatMap { $0.ports }).sorted().map { ArtDmxPacket.text(of: $0) }
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

  /// The first four words, and how many more there are.
  static func list(_ words: [String]) -> String {
    let shown = 4
    let more = words.count - shown
    return words.prefix(shown).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
