import Engine
import Graphs
import OSC

/// The state of the show as messages, each encoded once when it changes, for any number of subscribers. [port]
package struct FeedbackState {
  /// A message, and when it last changed.
  package struct Entry {
    /// Its address.
    package let address: String
    /// Its present arguments.
    package fileprivate(set) var arguments: [Argument]
    /// The encoded message; empty if it cannot be encoded.
    var packet: [UInt8]
    /// The poll at which it last changed.
    package fileprivate(set) var version: Int
  }

  /// All messages; their indices are valid until `layout` changes.
  package private(set) var entries: [Entry] = []
  /// Counts the polls.
  package private(set) var version = 0
  /// Counts how often messages were added or removed.
  package private(set) var layout = 0
  private var places: [String: Int] = [:]
  /// The index of the first level, and the levels with the values that were sent.
  private var firstLevel = 0
  private var levels: [(number: Int, value: Float)] = []

  /// Begins a poll: messages that change from now on get its version.
  mutating func beginPoll() { version += 1 }

  /// Whether there is a message with this address.
  func has(_ address: String) -> Bool { places[address] != nil }

  /// Sets the arguments of a message; adds it if it is new.
  mutating func set(_ address: String, _ arguments: Argument...) { set(address, arguments) }

  /// The same with a list of arguments.
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

  /// Replaces all messages by those of another graph: `state` sets its own, and `columns` are its levels. Messages that
  /// stay the same keep their version, and are not sent again.
  mutating func begin(levels columns: [FramePlan.Column], _ state: (inout FeedbackState) -> Void) {
    let before = Dictionary(entries.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    (entries, places, levels) = ([], [:], [])
    state(&self)
    firstLevel = entries.count
    for column in columns where places["/visgraph/level/\(column.name)"] == nil {
      // NaN equals no number, so the first poll reports the level.
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

  /// Sets the present levels, by number.
  mutating func set(levels newest: [Float]) {
    for (index, level) in levels.enumerated() where level.number < newest.count {
      let value = newest[level.number].isNaN ? 0 : newest[level.number]
      guard value != level.value else { continue }
      levels[index].value = value
      let place = firstLevel + index
      entries[place].arguments = [.float(value)]
      entries[place].version = version
      // The packet of a message with one float ends with it.
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
