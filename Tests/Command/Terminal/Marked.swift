@testable import visgraph

/// Lines as text with their inks shown: `{d:dim text}`; letters are the inks' first, W is a warning, F a fault; a
/// second letter is the zone of an unlit lamp.
func marked(_ lines: [Line]) -> String {
  lines.map { line in
    line.pieces.map { piece in
      let ink =
        switch piece.ink {
        case .plain: ""
        case .strong: "s"
        case .dim: "d"
        case .accent: "a"
        case .good: "g"
        case .warm: "w"
        case .hot: "h"
        case .warning: "W"
        case .fault: "F"
        }
      let ground =
        switch piece.ground {
        case .none: ""
        case .good: "g"
        case .warm: "w"
        case .hot: "h"
        case .lamp: "l"
        case .chosen: "c"
        case .paper: "p"
        }
      return ink.isEmpty && ground.isEmpty ? piece.text : "{\(ink)\(ground):\(piece.text)}"
    }.joined()
  }.joined(separator: "\n")
}

/// The text alone.
func plain(_ lines: [Line]) -> String { lines.map(\.text).joined(separator: "\n") }
