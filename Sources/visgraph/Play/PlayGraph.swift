import Nodes
import Playback
import System

/// The graph that `visgraph play` runs: a player, the loudspeakers, meters. [control]
struct PlayGraph {
  /// The tracks' files.
  var files: [String]
  /// How many channels leave.
  var channels: Int
  /// How the player begins.
  var settings = PlayerSettings()

  /// The graph as a graph file's text.
  var text: String {
    // No light hangs on it, only a screen that is drawn 12 times a second.
    var text =
      "visgraph: 1\nname: visgraph play\nfps: 30\nnodes:\n  song:\n    type: file-source\n    channels: \(channels)\n"
    for (name, value) in settings.inGraphFile { text += "    \(name): \(value)\n" }
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
        result += isPlain ? String(scalar) : "\\U" + String(hexadecimal: scalar.value, digits: 8)
      }
    }
    return result + "\""
  }
}

/// How many channels a list of files needs. [control]
enum PlayChannels {
  /// The most channels of the files, at least 2. Only as many are opened as can be in `seconds`: with a library of
  /// 100,000 the rest is taken to be like the first.
  static func most(of files: [String], seconds: Double = 0.3) -> Int {
    let deadline = Deadline.after(seconds: seconds)
    var most = 2
    for (index, file) in files.enumerated() {
      // The first always counts, however slow the disk is.
      if index > 0, deadline.isOver { break }
      if let channels = try? openAudio(file, glances: true).format.channels { most = max(most, channels) }
    }
    return most
  }
}
