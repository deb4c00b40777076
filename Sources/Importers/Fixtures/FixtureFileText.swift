/// Writes a fixture as a fixture file. [control]
enum FixtureFileText {
  /// The whole file. `head` are the lines of the comment on top.
  static func text(head: [String], _ fixture: FixtureDraft) -> String {
    var lines = head.map { $0.isEmpty ? "#" : "# " + $0 } + ["visgraph-fixture: 1"]
    lines.append("name: \(quoted(fixture.name))")
    if !fixture.manufacturer.isEmpty { lines.append("manufacturer: \(quoted(fixture.manufacturer))") }
    lines.append("channels:")
    for channel in fixture.channels { lines += text(channel) }
    lines.append("modes:")
    for mode in fixture.modes {
      lines.append("  \(quoted(mode.name)):")
      lines += mode.slots.map { slot in
        guard let slot else { return "    - none" }
        let part = ["", " fine", " ultra"][slot.part]
        return "    - \(quoted(fixture.channels[slot.channel].key + part))"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of a channel.
  static func text(_ channel: FixtureDraft.Channel) -> [String] {
    var pairs = ["is: \(quoted(channel.word))"]
    if let range = channel.range { pairs.append("range: [\(range.low), \(range.high)]") }
    if let initial = channel.initial { pairs.append("default: \(initial)") }
    guard !channel.ranges.isEmpty else {
      return ["  \(quoted(channel.key)): { \(pairs.joined(separator: ", ")) }"]
    }
    return ["  \(quoted(channel.key)):"] + pairs.map { "    \($0)" } + ["    ranges:"]
      + channel.ranges.map { "      - { \(text($0)) }" }
  }

  private static func text(_ range: FixtureDraft.ValueRange) -> String {
    var pairs = [
      "slots: " + (range.first == range.last ? "\(range.first)" : "[\(range.first), \(range.last)]")
    ]
    switch range.quantities.count {
    case 0: break
    case 1: pairs.append("to: \(range.quantities[0])")
    default: pairs.append("to: [\(range.quantities.joined(separator: ", "))]")
    }
    if let name = range.name { pairs.append("name: \(quoted(name))") }
    if let color = range.color { pairs.append("color: \"\(color)\"") }
    return pairs.joined(separator: ", ")
  }

  /// A string for YAML.
  private static func quoted(_ text: String) -> String { EmitterFileText.quoted(text) }
}
