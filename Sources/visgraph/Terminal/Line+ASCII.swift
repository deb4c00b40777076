import Playback

extension Line {
  /// The line in ASCII, with the same number of columns: letters lose their accents, and other characters become `?`.
  var inASCII: Line {
    var line = Line()
    for piece in pieces {
      guard !piece.text.utf8.allSatisfy({ $0 < 0x80 }) else {
        line.add(piece.text, piece.ink, on: piece.ground)
        continue
      }
      var text = ""
      for scalar in piece.text.unicodeScalars { text += Self.inASCII(scalar) }
      line.add(text, piece.ink, on: piece.ground)
    }
    return line
  }

  private static func inASCII(_ scalar: Unicode.Scalar) -> String {
    let text = String(scalar)
    if scalar.isASCII { return text }
    let width = DisplayedText.width(text)
    guard width == 1 else { return String(repeating: "?", count: width) }
    switch scalar {
    case "\u{2010}"..."\u{2015}": return "-"
    case "\u{2018}"..."\u{201B}": return "'"
    case "\u{201C}"..."\u{201F}": return "\""
    default: break
    }
    guard let letter = FoldedText.bytes(text).first, letter < 0x80 else { return "?" }
    let small = String(Unicode.Scalar(letter))
    return scalar.properties.isUppercase ? small.uppercased() : small
  }
}
