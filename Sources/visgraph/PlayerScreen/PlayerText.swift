/// The player's screen as lines; independent of a terminal. [control]
struct PlayerText: Equatable, Sendable {
  var columns: Int
  var rows: Int
  var style = TerminalStyle()

  /// Lines that are shown together or left out together.
  struct Block {
    var lines: [Line]
    /// The priority; 0 is the highest.
    var priority: Int
    /// The position of its group, from top to bottom. Blocks of one group have no gap between them.
    var group: Int
  }

  /// The number of free columns at each side.
  var margin: Int { columns >= 48 ? 2 : 0 }
  /// The number of columns between the margins.
  var width: Int { max(1, columns - 2 * margin) }
  /// The text layout of the run's screen, at this width.
  var text: ScreenText { ScreenText(columns: width, rows: rows, style: style) }

  /// The screen from the top: at most `rows` lines of `columns` columns.
  func lines(_ model: PlayerScreenModel, hints: [Hint] = []) -> [Line] {
    guard columns > 0, rows > 0 else { return [] }
    if rows <= 2 {
      return [shortest(model), footer(model)].prefix(rows).map {
        (style.glyphs == .ascii ? $0.inASCII : $0).cut(to: columns)
      }
    }
    var blocks = [
      Block(lines: [title(model)], priority: 0, group: 0),
      Block(lines: [position(model)], priority: 1, group: 1),
      Block(lines: [settings(model)], priority: 4, group: 1),
    ]
    let footer = footer(model)
    let channels = model.channels.count
    let space = rows - 1
    // Meters come right after the title and the position: a row for each channel, else a grid.
    let meterRows = min(channels, max(0, space - (space >= 9 ? 7 : space >= 5 ? 4 : 2)))
    if meterRows > 0 { blocks.append(Block(lines: meters(model, rows: meterRows), priority: 3, group: 2)) }
    let credits = model.credits(dash: style.glyphs == .full ? " — " : " - ")
    if !credits.isEmpty {
      blocks.append(Block(lines: [Line(text.fitted(credits, width))], priority: 5, group: 0))
    }
    blocks.append(Block(lines: [file(model)], priority: 7, group: 0))
    let (server, control) = host(model)
    // If other machines may control the player, their row matters more than all but title and position.
    let controlNeed = model.status?.isControlOpen == true && rows >= 8 ? 2 : 9
    if control.isEmpty {
      blocks.append(Block(lines: [server], priority: controlNeed, group: 5))
    } else {
      blocks.append(Block(lines: [server], priority: 9, group: 5))
      blocks.append(Block(lines: control, priority: controlNeed, group: 5))
    }
    let notices = notices(model, hints, rows: max(1, min(4, rows / 5)))
    if !notices.isEmpty { blocks.append(Block(lines: notices, priority: 2 + 4, group: 4)) }

    var left = space
    var chosen: [Int] = []
    for index in blocks.indices.sorted(by: { blocks[$0].priority < blocks[$1].priority })
    where blocks[index].lines.count <= left {
      chosen.append(index)
      left -= blocks[index].lines.count
    }
    var shown = chosen.map { blocks[$0] }
    // The next tracks take rows that are free.
    let gaps = Set(shown.map(\.group)).count + 1
    let coming = coming(model, rows: min(left - gaps - 1, max(1, rows / 4)))
    if !coming.isEmpty {
      shown.append(Block(lines: coming, priority: 8, group: 3))
      left -= coming.count
    }
    return placed(shown, footer, left)
  }

  /// The blocks from the top, with gaps between groups; the keys are in the last row.
  private func placed(_ blocks: [Block], _ footer: Line, _ free: Int) -> [Line] {
    var left = free
    var lines: [Line] = []
    if left > Set(blocks.map(\.group)).count + 1 {
      lines.append(Line())
      left -= 1
    }
    for group in 0..<5 {
      // Within a group, the order of `priority` is that of the rows.
      let parts = blocks.filter { $0.group == group }.sorted { $0.priority < $1.priority }
      guard !parts.isEmpty else { continue }
      if lines.contains(where: { $0.width > 0 }), left > 0 {
        lines.append(Line())
        left -= 1
      }
      for part in parts { lines += part.lines }
    }
    let last = blocks.filter { $0.group == 5 }.flatMap(\.lines)
    while lines.count + last.count < rows - 1 { lines.append(Line()) }
    return (lines + last + [footer]).map { inset($0) }
  }

  /// The line between the margins; in ASCII where the terminal shows nothing else.
  func inset(_ line: Line) -> Line {
    var result = Line()
    result.fill(to: margin)
    result.add((style.glyphs == .ascii ? line.inASCII : line).cut(to: width))
    return result.cut(to: columns)
  }
}
