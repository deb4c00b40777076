/// What all keys of the player do. [control]
enum PlayerHelp {
  private static let keys: [(key: String, plain: String, word: String)] = [
    ("space", "space", "play, pause"), ("s", "s", "stop"), ("←  →", "left, right", "5 s back, on"),
    ("PgUp PgDn", "PgUp PgDn", "a minute on, back"), ("Home", "Home", "to the beginning"),
    ("↑  ↓", "up, down", "louder, softer"), ("(  )", "(  )", "to the left, to the right"),
    ("n  >", "n  >", "next"), ("b  <", "b  <", "previous"), ("[  ]", "[  ]", "slower, faster"),
    ("{  }", "{  }", "keep the pitch, let it go with the rate"), ("l", "l", "loop all"),
    ("a", "a", "begin a section here; end it here; all again"), ("A", "A", "no section"),
    ("z", "z", "shuffle"), ("r", "r", "repeat: off, all, one"), ("/", "/", "choose a track"),
    ("^L", "^L", "draw all anew"), ("?", "?", "this page"), ("q", "q", "quit"),
  ]

  /// The page, in one column, or in two where there are few rows.
  static func lines(_ text: PlayerText) -> [Line] {
    let isFull = text.look.glyphs == .full
    let rows = keys.map { key -> Line in
      var line = Line(isFull ? key.key : key.plain, .strong)
      line.fill(to: 13)
      line.add(key.word)
      return line
    }
    let room = max(1, text.rows - 4)
    var lines = text.rows > 4 ? [Line(), Line("Keys", .strong), Line()] : []
    let half = (rows.count + 1) / 2
    if rows.count > room, text.width >= 76 {
      for index in 0..<min(half, room) {
        var line = rows[index].cut(to: text.width / 2 - 2)
        if half + index < rows.count {
          line.fill(to: text.width / 2)
          line.add(rows[half + index])
        }
        lines.append(line)
      }
    } else {
      lines += rows.prefix(text.rows > 4 ? room : text.rows - 1)
    }
    while lines.count < text.rows - 1 { lines.append(Line()) }
    var footer = Line("any key", .strong)
    footer.add(" back", .dim)
    return (lines.prefix(max(0, text.rows - 1)) + [footer]).map { text.inset($0) }
  }
}
