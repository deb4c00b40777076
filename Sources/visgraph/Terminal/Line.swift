/// A line of the screen: pieces of text, each of one style.
struct Line: Equatable, Sendable {
  /// The meaning of a piece of text, which decides its style.
  enum TextStyle: Sendable { case plain, strong, dim, accent, good, warm, hot, warning, fault }
  /// The background: a dark zone of a bar (`good`, `warm`, `hot`, `lamp`), the selected row of a list, or `paper`,
  /// black on white.
  enum Background: Sendable { case none, good, warm, hot, lamp, chosen, paper }
  struct Piece: Equatable, Sendable {
    var text: String
    var ink = TextStyle.plain
    var ground = Background.none
  }

  private(set) var pieces: [Piece] = []
  /// The width, in columns.
  private(set) var width = 0

  init() {}
  init(_ text: String, _ ink: TextStyle = .plain) { add(text, ink) }

  mutating func add(_ text: String, _ ink: TextStyle = .plain, on ground: Background = .none) {
    guard !text.isEmpty else { return }
    width += DisplayedText.width(text)
    if let last = pieces.last, last.ink == ink, last.ground == ground {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, ink: ink, ground: ground))
    }
  }

  mutating func add(_ line: Line) {
    for piece in line.pieces { add(piece.text, piece.ink, on: piece.ground) }
  }

  /// Adds spaces up to column `column`, from 0.
  mutating func fill(to column: Int) {
    if column > width { add(String(repeating: " ", count: column - width)) }
  }

  /// At most `columns` columns, without trailing spaces.
  func cut(to columns: Int) -> Line {
    var result = Line()
    for piece in pieces where result.width < columns {
      result.add(DisplayedText.prefix(piece.text, columns - result.width), piece.ink, on: piece.ground)
    }
    while let last = result.pieces.last, last.ground == .none, last.text.hasSuffix(" ") {
      let text = String(last.text.reversed().drop { $0 == " " }.reversed())
      result.width -= last.text.count - text.count
      result.pieces.removeLast()
      if !text.isEmpty { result.pieces.append(Piece(text: text, ink: last.ink, ground: last.ground)) }
    }
    return result
  }

  var text: String { pieces.map(\.text).joined() }
}

/// Styles as escape sequences (SGR of ECMA-48).
extension Line {
  /// The line with escape sequences; each styled piece ends with a reset.
  func escaped(_ colors: TerminalStyle.ColorDepth) -> String {
    var result = ""
    for piece in pieces {
      let codes = [Self.code(piece.ink, colors), Self.code(piece.ground, colors)].compactMap { $0 }
      result +=
        codes.isEmpty ? piece.text : "\u{1B}[\(codes.joined(separator: ";"))m\(piece.text)\u{1B}[0m"
    }
    return result
  }

  private static func code(_ ink: TextStyle, _ colors: TerminalStyle.ColorDepth) -> String? {
    switch (ink, colors) {
    case (.plain, _): nil
    case (.strong, _): "1"
    case (.dim, .none), (.dim, .sixteen): "2"
    case (.dim, .indexed): "38;5;245"
    case (.dim, .direct): "38;2;134;140;152"
    case (.warning, .none), (.fault, .none): "1"
    case (_, .none): nil
    case (.accent, .sixteen): "36"
    case (.accent, .indexed): "38;5;80"
    case (.accent, .direct): "38;2;96;200;220"
    case (.good, .sixteen): "32"
    case (.good, .indexed): "38;5;41"
    case (.good, .direct): "38;2;64;200;120"
    case (.warm, .sixteen), (.warning, .sixteen): "33"
    case (.warm, .indexed), (.warning, .indexed): "38;5;220"
    case (.warm, .direct), (.warning, .direct): "38;2;240;196;64"
    case (.hot, .sixteen), (.fault, .sixteen): "31"
    case (.hot, .indexed), (.fault, .indexed): "38;5;203"
    case (.hot, .direct), (.fault, .direct): "38;2;244;92;80"
    }
  }

  /// The code of a background. Dark zones have none where there are only 16 colors.
  private static func code(_ ground: Background, _ colors: TerminalStyle.ColorDepth) -> String? {
    switch (ground, colors) {
    case (.chosen, .none), (.chosen, .sixteen): "7"
    case (.paper, .sixteen): "30;107"
    case (.paper, .indexed): "38;5;16;48;5;231"
    case (.paper, .direct): "38;2;0;0;0;48;2;255;255;255"
    case (.none, _), (_, .none), (_, .sixteen): nil
    case (.chosen, .indexed): "48;5;238"
    case (.chosen, .direct): "48;2;44;54;70"
    case (_, .indexed): "48;5;236"
    case (.good, .direct): "48;2;24;46;34"
    case (.warm, .direct): "48;2;48;42;22"
    case (.hot, .direct): "48;2;54;28;28"
    case (.lamp, .direct): "48;2;22;42;50"
    }
  }
}

/// The capabilities of a terminal.
struct TerminalStyle: Equatable, Sendable {
  /// The number of colors: none, 16, 256, or 24 bits.
  enum ColorDepth: Sendable { case none, sixteen, indexed, direct }
  /// The characters it shows: all, those of the fonts of the Linux console, or ASCII alone.
  enum Glyphs: Sendable { case full, console, ascii }

  var colors = ColorDepth.direct
  var glyphs = Glyphs.full

  /// Detects it from `NO_COLOR` (no-color.org), `COLORTERM`, `TERM` and the locale.
  static func detected(from environment: [String: String]) -> TerminalStyle {
    let term = environment["TERM"] ?? "dumb"
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let flat = locale.lowercased().filter { $0 != "-" }
    var style = TerminalStyle(
      colors: .sixteen, glyphs: flat.hasSuffix("utf8") || flat.contains("utf8@") ? .full : .ascii)
    if term == "linux", style.glyphs == .full { style.glyphs = .console }
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty {
      style.colors = .none
    } else if term == "dumb" || term.hasPrefix("vt") {
      style.colors = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
      style.colors = .direct
    } else if term.contains("256color") {
      style.colors = .indexed
    }
    return style
  }

  /// The mark of text that was cut off.
  var ellipsis: String { glyphs == .full ? "…" : "~" }
  /// The text for a level of silence.
  var nothing: String { glyphs == .full ? "-∞" : "-inf" }
  /// Whether the dark part of a bar is a background color, not a character.
  var hasGround: Bool { glyphs == .full && (colors == .indexed || colors == .direct) }
}
