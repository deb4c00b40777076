import Engine
import Controls

/// The header, the row of cues, and the footer.
extension ScreenText {
  /// The graph's name, the host and its figures, on one line, or on two where one is too narrow.
  func header(_ status: ShowStatus) -> [Line] {
    let clock = NumberFormat.time(status.timeline)
    let figures = figures(status)
    let full = figures.reduce(0) { $0 + $1.line.width + 2 }
    let isSplit = columns < 24 + full + clock.count && columns < 76 && rows >= 12
    let beside = isSplit ? 0 : min(full, columns * 2 / 3)
    let room = max(8, columns - beside - clock.count - 2)
    var first = Line(fitted(status.name, max(4, min(room, columns - clock.count - 2))), .strong)
    if !isSplit {
      if first.width > 0 { first.add("   ") }
      first.add(joined(figures, within: columns - first.width - clock.count - 2))
    }
    if first.width + 2 + clock.count <= columns {
      first.fill(to: columns - clock.count)
      first.add(clock, .dim)
    }
    return isSplit ? [first, joined(figures, within: columns)] : [first]
  }

  /// The keys, and the control port: its address and who may use it. They are on one line, or on several if one is too
  /// narrow. The last key, quit, is always shown; the control port has priority over the other keys.
  func footer(_ status: ShowStatus) -> [Line] {
    if let typed = status.typedCue { return [cueEntry(typed)] }
    // Lines with the last key alone, with the last two keys, and so on up to all keys.
    var choices: [Line] = []
    for key in status.keys.reversed() {
      var line = Line(key.key, .strong)
      line.add(" " + key.word, .dim)
      if let others = choices.last {
        line.add("  ")
        line.add(others)
      }
      choices.append(line)
    }
    let least = choices.first ?? Line()
    let keys = choices.last { $0.width <= columns } ?? least
    guard let control = status.control.map(DisplayedText.safe) else { return [keys] }
    func beside(_ control: String, _ keys: Line) -> Line {
      var line = Line("control ", .dim)
      line.add(control)
      line.add("     ")
      line.add(keys)
      return line
    }
    let one = beside(control, keys)
    if one.width <= columns { return [one] }
    if rows >= 8 { return controlRows(control, .plain) + [keys] }
    if let line = choices.map({ beside(control, $0) }).last(where: { $0.width <= columns }) { return [line] }
    let room = columns - beside("", least).width
    return [room >= 8 ? beside(fitted(control, room), least) : keys]
  }

  /// The cue number that is being typed, and the keys that end typing.
  private func cueEntry(_ typed: String) -> Line {
    var line = Line("go to cue ", .dim)
    line.add(typed, .strong)
    line.add(style.glyphs == .full ? "▏" : "_", .accent)
    for (key, word) in [("Enter", "go"), ("Esc", "leave")] {
      line.add("     ")
      line.add(key, .strong)
      line.add(" " + word, .dim)
    }
    return line
  }

  /// The current cue, the next one, and when it follows by itself; nil: the graph has no cues, or the screen has no row
  /// for them.
  func cues(_ status: ShowStatus) -> Line? {
    guard let cue = status.moment.cue, rows >= 8 else { return nil }
    let left = cue.left.map { " in \(Int($0.rounded(.up))) s" } ?? ""
    let next = cue.next.map(\.text)
    let room = max(8, columns - "cue    next ".count - left.count)
    // If both are long, each gets half of the room.
    let nextWidth = DisplayedText.width(DisplayedText.safe(next ?? "none"))
    let first = fitted(cue.cue?.text ?? "-", max(room / 2, room - nextWidth))
    var line = Line("cue ", .dim)
    line.add(first, .strong)
    line.add("   next ", .dim)
    line.add(fitted(next ?? "none", max(4, room - DisplayedText.width(first))), next == nil ? .dim : .plain)
    line.add(left, .accent)
    return line
  }

  /// The address of the control port and who may use it, wrapped. `control` is a text that `DisplayedText.safe`
  /// returned.
  func controlRows(_ control: String, _ ink: Line.TextStyle) -> [Line] {
    let label = Line("control ", .dim)
    let room = columns - label.width
    guard room >= 8 else { return [] }
    let texts = DisplayedText.wrapped(control, room)
    let most = max(1, rows / 8)
    let rest = fitted(texts.dropFirst(most - 1).joined(separator: " "), room)
    return (texts.prefix(most - 1) + [rest]).filter { !$0.isEmpty }.enumerated().map { index, text in
      var line = index == 0 ? label : Line()
      line.fill(to: label.width)
      line.add(text, ink)
      return line
    }
  }

  /// A part of the header between its title and its time.
  private struct Figure {
    let line: Line
    /// Whether it takes its columns before the others: the server, and what is wrong.
    let isFirst: Bool

    init(_ line: Line, isFirst: Bool = false) { (self.line, self.isFirst) = (line, isFirst) }
  }

  /// As many of the figures as fit, in order.
  private func joined(_ figures: [Figure], within columns: Int) -> Line {
    var (left, shown) = (columns + 2, Set<Int>())
    for isFirst in [true, false] {
      for (place, figure) in figures.enumerated() where figure.isFirst == isFirst {
        guard figure.line.width + 2 <= left else { continue }
        left -= figure.line.width + 2
        shown.insert(place)
      }
    }
    var line = Line()
    for place in shown.sorted() {
      if line.width > 0 { line.add("  ") }
      line.add(figures[place].line)
    }
    return line
  }

  private func figures(_ status: ShowStatus) -> [Figure] {
    let host = status.host
    var all: [Figure] = []
    if let server = host.server {
      var line = Line("\(server.name) ")
      line.add("\"\(fitted(server.client, max(8, columns / 3)))\"")
      switch server.state {
      case .running: break
      case .waiting: line.add(" waiting for a server", .warning)
      case .stalled: line.add(" runs no cycles", .fault)
      case .lost: line.add(" server has gone", .fault)
      }
      all.append(Figure(line, isFirst: true))
    } else {
      all.append(Figure(Line(host.manner), isFirst: true))
    }
    if host.isFreewheeling { all.append(Figure(Line("freewheel", .warning), isFirst: true)) }
    let hasRow = cues(status) != nil
    for figure in ShowFact.figures(status.moment) where !(figure.hasRow && hasRow) {
      let name = figure.name.map { " " + fitted($0, max(4, columns / 4)) } ?? ""
      let ink: Line.TextStyle =
        switch figure.weight {
        case .plain: .plain
        case .warning: .warning
        case .fault: .fault
        }
      let line = Line(figure.label + name + figure.rest, ink)
      all.append(Figure(line, isFirst: figure.weight != .plain))
    }
    if host.rate > 0 { all.append(Figure(Line("\(host.rate) Hz"))) }
    if host.period > 0 { all.append(Figure(Line("\(host.period) samples"))) }
    if host.client != nil || host.xruns > 0 {
      let xruns = Line("xruns \(host.xruns)", host.xruns > 0 ? .warning : .dim)
      all.append(Figure(xruns, isFirst: host.xruns > 0))
    }
    for (name, count) in [("merged", status.mergedFrames), ("not finite", status.notFinite)] where count > 0 {
      all.append(Figure(Line("\(name) \(count)", .warning), isFirst: true))
    }
    return all
  }
}

/// Faults that no other row shows, then the last log lines.
extension ScreenText {
  /// At most `rows` rows: the first hints, and the last log lines.
  func notices(_ status: ShowStatus, _ hints: [Hint], except reported: Set<Hint.Subject>, rows: Int) -> [Line]
  {
    guard rows > 0 else { return [] }
    var said: Set<String> = []
    let troubles = Hint.grouped(hints.filter { !reported.contains($0.subject) }).map { label, hint in
      let isFault = [.fileFault, .notDelivered, .serverLost].contains(hint.reason)
      let text = label.isEmpty ? hint.message : "\(label): \(hint.message)"
      said.insert(DisplayedText.safe(text))
      return block(text, isFault ? .fault : .warning)
    }
    // A current fault is often the last log line, too; it is shown once.
    let messages = status.messages.filter { !said.contains(DisplayedText.safe($0.text)) }.map { message in
      switch message.weight {
      case .note: block(message.text, .dim)
      case .warning: block(message.text, .warning)
      case .fault: block(message.text, .fault)
      }
    }
    // Log lines get the rows that hints leave, but at least half of all.
    let wanted = troubles.reduce(0) { $0 + $1.count }
    let last = Self.whole(messages.reversed(), within: max(rows - wanted, rows / 2)).reversed()
    let room = rows - last.reduce(0) { $0 + $1.count }
    return (Self.whole(troubles, within: room) + last).flatMap { $0 }
  }

  /// Whole blocks from the first on; only the first may be cut.
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

  private func block(_ text: String, _ ink: Line.TextStyle) -> [Line] {
    let mark = style.glyphs == .full ? "•" : "*"
    return DisplayedText.wrapped(DisplayedText.safe(text), max(8, columns - 2)).enumerated().map {
      index, text in
      var line = Line(index == 0 ? mark : " ", ink)
      line.add(" ")
      line.add(text, ink == .dim ? .plain : ink)
      return line
    }
  }
}
