import Nodes

/// The keys of a run's screen, for graphs/CONTROL.md.
enum KeyReference {
  /// The section of Markdown, from its heading on.
  static var section: String {
    let rows = ScreenKey.allCases.map { key in
      "| `\(key.rawValue)` | \(key.help) | \(key.needs ?? "") |"
    }
    return """

      ## Keys

      On a terminal `visgraph run` takes keys. These are the screen's own; all other characters are free for the \
      sounds of banks (`key:`), and `check` refuses a sound with one of \(ScreenKey.characters).

      | key | does | needs |
      |---|---|---|
      \(rows.joined(separator: "\n"))

      """
  }
}
