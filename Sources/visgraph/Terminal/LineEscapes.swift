/// Inks as the escape sequences of ECMA-48.
extension Line {
  /// The line as a terminal takes it, plain again at its end.
  func escaped(_ colours: Look.Colours) -> String {
    var result = ""
    for piece in pieces {
      let codes = [Self.code(piece.ink, colours), Self.code(piece.ground, colours)].compactMap { $0 }
      result +=
        codes.isEmpty ? piece.text : "\u{1B}[\(codes.joined(separator: ";"))m\(piece.text)\u{1B}[0m"
    }
    return result
  }

  private static func code(_ ink: Ink, _ colours: Look.Colours) -> String? {
    switch (ink, colours) {
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

  /// Lamps that are not lit, and the row that is chosen: a breath of their colour where there are enough colours.
  private static func code(_ ground: Ground, _ colours: Look.Colours) -> String? {
    switch (ground, colours) {
    case (.chosen, .none), (.chosen, .sixteen): "7"
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
