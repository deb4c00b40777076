/// The graph that `visgraph play` runs: a player, the loudspeakers, meters. [control]
struct PlayGraph {
  /// The most files that a file-source takes.
  static var mostFiles: Int { 10_000 }

  /// The tracks' files.
  var files: [String]
  /// How many channels leave.
  var channels: Int
  /// Settings of the player besides, as a graph file writes them.
  var settings: [(name: String, value: String)] = []

  /// The graph as a graph file's text.
  var text: String {
    // No light hangs on it, only a screen that is drawn 12 times a second.
    var text =
      "visgraph: 1\nname: visgraph play\nfps: 30\nnodes:\n  song:\n    type: file-source\n    channels: \(channels)\n"
    for (name, value) in settings { text += "    \(name): \(value)\n" }
    text += "    path:\n"
    for file in files { text += "      - \(Self.quoted(file))\n" }
    return text + """
        out: { type: jack-output }
        meter: { type: meter }
        level: { type: meter-table }
      wires:
        - song -> out
        - song -> meter -> level

      """
  }

  /// A text in the double quotes of YAML, also one that holds `${`.
  static func quoted(_ text: String) -> String {
    var result = "\""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "$" where rest.first == "{": result += "$$"
      default:
        let isPlain =
          (0x20...0x7E).contains(scalar.value) || (0xA0...0x2027).contains(scalar.value)
          || (0x202A...0xD7FF).contains(scalar.value) || (0xE000...0xFEFE).contains(scalar.value)
          || (0xFF00...0xFFFD).contains(scalar.value) || (0x10000...0x10FFFF).contains(scalar.value)
        let code = String(scalar.value, radix: 16)
        result += isPlain ? String(scalar) : "\\U" + String(repeating: "0", count: 8 - code.count) + code
      }
    }
    return result + "\""
  }
}
