/// What is amiss and has not been told elsewhere, then the last messages.
extension ScreenText {
  /// At most so many rows: hints from the first, messages from the last.
  func notices(_ status: ShowStatus, _ hints: [Hint], except told: Set<Hint.Subject>, rows: Int) -> [Line] {
    guard rows > 0 else { return [] }
    var said: Set<String> = []
    let troubles = Hint.told(hints.filter { !told.contains($0.subject) }).map { label, hint in
      let isFault = [.fileFault, .notDelivered, .serverLost].contains(hint.reason)
      let text = label.isEmpty ? hint.sentence : "\(label): \(hint.sentence)"
      said.insert(DisplayedText.safe(text))
      return block(text, isFault ? .fault : .warning)
    }
    // What is amiss now is also the last that was logged.
    let messages = status.messages.filter { !said.contains(DisplayedText.safe($0.text)) }.map { message in
      switch message.weight {
      case .note: block(message.text, .dim)
      case .warning: block(message.text, .warning)
      case .fault: block(message.text, .fault)
      }
    }
    // Both want room: messages get what hints leave, and half of it where that is more.
    let wanted = troubles.reduce(0) { $0 + $1.count }
    let last = Self.whole(messages.reversed(), within: max(rows - wanted, rows / 2)).reversed()
    let room = rows - last.reduce(0) { $0 + $1.count }
    return (Self.whole(troubles, within: room) + last).flatMap { $0 }
  }

  /// Blocks from the first on, none of them cut but the first.
  private static func whole(_ blocks: [[Line]], within rows: Int) -> [[Line]] {
    var left = rows
    var result: [[Line]] = []
    for block in blocks {
      guard block.count <= left else { break }
      result.append(block)
      left -= block.count
    }
    if result.isEmpty, let first = blocks.first, rows > 0 { return [Array(first.prefix(rows))] }
    return result
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
