/// What is amiss and has not been told elsewhere, then the last messages.
extension ScreenText {
  /// At most so many rows: hints from the first, messages from the last.
  func notices(_ status: ShowStatus, _ hints: [Hint], except told: Set<Hint.Subject>, rows: Int) -> [Line] {
    guard rows > 0 else { return [] }
    var lines: [Line] = []
    for (label, hint) in Hint.told(hints.filter { !told.contains($0.subject) }) {
      let text = label.isEmpty ? hint.sentence : "\(label): \(hint.sentence)"
      let isFault = hint.reason == .fileFault || hint.reason == .notDelivered || hint.reason == .serverLost
      lines += block(text, isFault ? .fault : .warning)
    }
    let messages = status.messages.flatMap { message -> [Line] in
      switch message.weight {
      case .note: block(message.text, .dim)
      case .warning: block(message.text, .warning)
      case .fault: block(message.text, .fault)
      }
    }
    // Both want room: messages get at least half of what there is.
    let share = min(messages.count, max(rows - lines.count, rows / 2))
    return lines.prefix(rows - share) + messages.suffix(share)
  }

  private func block(_ text: String, _ ink: Line.Ink) -> [Line] {
    let mark = look.glyphs == .full ? "•" : "*"
    return DisplayedText.wrapped(DisplayedText.safe(text), max(8, columns - 2)).enumerated().map {
      index, text in
      var line = Line(index == 0 ? mark : " ", ink)
      line.add(" ")
      line.add(text, ink == .dim ? .plain : ink)
      return line
    }
  }
}
