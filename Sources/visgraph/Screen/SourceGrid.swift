/// Channels in a grid, if there are more than rows.
extension ScreenText {
  /// The minimum width of a cell with a bar, in columns of the terminal.
  private static var least: Int { 20 }

  /// The grid, in at most `rows` rows.
  func sourceGrid(_ status: ShowStatus, _ hints: [Hint], rows: Int) -> Part {
    let names = namesSources(status)
    let cells = status.sources.flatMap { source in source.channels.map { (source: source, channel: $0) } }
    let labels = cells.map { cell in
      DisplayedText.safe(names ? "\(cell.source.id) \(cell.channel.number)" : "\(cell.channel.number)")
    }
    let labelWidth = min(labels.map(DisplayedText.width).max() ?? 1, 14)
    let room = columns - Self.margin
    let most = max(1, (room + 2) / (max(Self.least, labelWidth + 15) + 2))
    // If channels are left out, the last row says how many.
    let leavesOut = most * rows < cells.count
    let height = max(1, leavesOut ? rows - 1 : rows)
    let columnCount = max(1, min(most, (cells.count + height - 1) / height))
    let rowCount = min(height, (cells.count + columnCount - 1) / columnCount)
    let width = max(1, (room - (columnCount - 1) * 2) / columnCount)
    let shown = min(cells.count, columnCount * rowCount)

    var lines: [Line] = []
    for row in 0..<rowCount {
      var line = Line(row == 0 ? "in" : "", .dim)
      for column in 0..<columnCount where column * rowCount + row < shown {
        line.fill(to: Self.margin + column * (width + 2))
        let (source, channel) = cells[column * rowCount + row]
        let label = fitted(labels[column * rowCount + row], labelWidth)
        let hint = hints.first {
          $0.subject == .channel(source: source.id, number: channel.number)
        }
        line.add(
          cell(
            channel, NumberFormat.right(label, labelWidth), width, hint,
            isOpen: isOpenEnded(channel, source, status.host)))
      }
      lines.append(line)
    }
    if shown < cells.count, rows > 1 {
      var line = Line()
      line.fill(to: Self.margin)
      line.add("\(NumberFormat.count(cells.count - shown, "more channel")) not shown", .dim)
      lines.append(line)
    }
    return Part(rows: lines, reported: [])
  }

  private func cell(
    _ channel: ShowStatus.Channel, _ label: String, _ width: Int, _ hint: Hint?, isOpen: Bool
  ) -> Line {
    var line = Line(label, .dim)
    line.add(" ")
    let rest = width - line.width - 7
    if let name = channel.name, rest >= 14 {
      let room = min(16, rest / 2)
      let start = line.width
      line.add(fitted(name, room))
      line.fill(to: start + room + 1)
    }
    if isOpen {
      line.add(fitted(hint?.short ?? "not connected", width - line.width), hint == nil ? .dim : .warning)
      return line.cut(to: width)
    }
    guard let average = channel.average else { return line }
    let isSilent = average.isNaN || average <= -160
    line.add(
      NumberFormat.right(NumberFormat.level(average, nothing: style.nothing), 5), isSilent ? .dim : .plain)
    line.add(" ")
    if let hint {
      line.add(fitted(hint.short, width - line.width), .warning)
    } else {
      line.add(
        LevelBar.line(average: average, peak: channel.peak, width: min(64, max(0, width - line.width)), style)
      )
    }
    return line.cut(to: width)
  }
}
