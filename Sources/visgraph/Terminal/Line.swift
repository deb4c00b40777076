/// One line of the screen: pieces of text, each in one ink.
struct Line: Equatable, Sendable {
  /// What a piece of text means, and so how it looks.
  enum Ink: Sendable { case plain, strong, dim, accent, good, warm, hot, warning, fault }
  /// A zone of a bar that is not lit, or the row of a list that is chosen.
  enum Ground: Sendable { case none, good, warm, hot, lamp, chosen }
  /// A piece of text.
  struct Piece: Equatable, Sendable {
    var text: String
    var ink = Ink.plain
    var ground = Ground.none
  }

  private(set) var pieces: [Piece] = []
  private(set) var width = 0

  init() {}
  init(_ text: String, _ ink: Ink = .plain) { add(text, ink) }

  mutating func add(_ text: String, _ ink: Ink = .plain, on ground: Ground = .none) {
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

  /// Spaces up to column `column`, counted from 0.
  mutating func fill(to column: Int) {
    if column > width { add(String(repeating: " ", count: column - width)) }
  }

  /// At most so many columns, without spaces at the end.
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

  /// The text alone.
  var text: String { pieces.map(\.text).joined() }
}
