import Nodes
import Playback
import System

/// The graph of `visgraph play`: a player, a JACK output and meters. [control]
struct PlayGraph {
  var files: [String]
  /// The number of output channels.
  var channels: Int
  var settings = PlayerSettings()

  /// The text of the graph file.
  var text: String {
    // 30 frames a second are enough: there are no lights, and the screen is drawn 12 times a second.
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

  /// A YAML string in double quotes; `${` is escaped as `$${`.
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

/// The number of channels that a list of files needs. [control]
enum PlayChannels {
  /// The maximum of the files' channels, at least 2. Opens files for at most `seconds`; the rest of a large library is
  /// assumed to be alike.
  static func most(of files: [String], seconds: Double = 0.3) -> Int {
    let deadline = Deadline.after(seconds: seconds)
    var most = 2
    for (index, file) in files.enumerated() {
      // The first file always counts, however slow the disk is.
      if index > 0, deadline.isOver { break }
      if let channels = try? openAudio(file, glances: true).format.channels { most = max(most, channels) }
    }
    return most
  }
}
