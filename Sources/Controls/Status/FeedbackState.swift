import Engine
import Graphs
import OSC

/// How the show stands, message by message: each encoded once when it changes, however many subscribers are sent it. [port]
package struct FeedbackState {
  /// One message: as it stands, and since when.
  package struct Entry {
    /// Where it goes.
    package let address: String
    /// As it stands.
    package fileprivate(set) var arguments: [Argument]
    /// As it is sent; empty where it cannot be.
    var packet: [UInt8]
    /// The look at which it has changed.
    package fileprivate(set) var version: Int
  }

  /// All messages; their places stay until `layout` changes.
  package private(set) var entries: [Entry] = []
  /// Counts the looks at the show.
  package private(set) var version = 0
  /// Counts how often there are other messages than before.
  package private(set) var layout = 0
  private var places: [String: Int] = [:]
  /// Where the levels begin, and what they were.
  private var firstLevel = 0
  private var levels: [(number: Int, value: Float)] = []

  /// A new look: what is set from now on has changed now.
  mutating func beginPoll() { version += 1 }

  /// Whether there is a message to that address.
  func has(_ address: String) -> Bool { places[address] != nil }

  /// States a message.
  mutating func set(_ address: String, _ arguments: Argument...) { set(address, arguments) }

  /// The same from a list.
  mutating func set(_ address: String, _ arguments: [Argument]) {
    if let place = places[address] {
      guard entries[place].arguments != arguments else { return }
      entries[place].arguments = arguments
      entries[place].packet = Self.packet(address, arguments)
      entries[place].version = version
    } else {
      places[address] = entries.count
      entries.append(
        Entry(
          address: address, arguments: arguments, packet: Self.packet(address, arguments), version: version))
      layout += 1
    }
  }

  /// Another graph runs: what it says of itself, and its levels by number. What is not stated again is forgotten; what
  /// stays the same is not sent again.
  mutating func begin(levels columns: [FramePlan.Column], _ state: (inout FeedbackState) -> Void) {
    let before = Dictionary(entries.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    (entries, places, levels) = ([], [:], [])
    state(&self)
    firstLevel = entries.count
    for column in columns where places["/visgraph/level/\(column.name)"] == nil {
      // No number equals this one, so the first look reports it.
      levels.append((column.level, .nan))
      set("/visgraph/level/\(column.name)", .float(0))
    }
    for place in entries.indices {
      guard place < firstLevel, let old = before[entries[place].address],
        old.arguments == entries[place].arguments
      else { continue }
      entries[place].version = old.version
    }
    layout += 1
  }

  /// The levels as they are now, by number.
  mutating func set(levels newest: [Float]) {
    for (index, level) in levels.enumerated() where level.number < newest.count {
      let value = newest[level.number].isNaN ? 0 : newest[level.number]
      guard value != level.value else { continue }
      levels[index].value = value
      let place = firstLevel + index
      entries[place].arguments = [.float(value)]
      entries[place].version = version
      // A message of one float ends in it.
      let count = entries[place].packet.count
      guard count >= 4 else { continue }
      withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes in
        for part in 0..<4 { entries[place].packet[count - 4 + part] = bytes[part] }
      }
    }
  }

  private static func packet(_ address: String, _ arguments: [Argument]) -> [UInt8] {
    (try? Message(address, arguments: arguments).packet()) ?? []
  }
}
