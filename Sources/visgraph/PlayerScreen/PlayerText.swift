/// The player's screen as lines; independent of a terminal. [control]
struct PlayerText: Equatable, Sendable {
  var columns: Int
  var rows: Int
  var style = TerminalStyle()

  /// What is shown as long as there is room, the most important first.
  private enum Priority: Int {
    case title, position, openControl, meters, settings, credits, notices, file, coming, server, control
  }

  /// Groups of blocks from top to bottom, with an empty row between two of them.
  private enum Group: CaseIterable {
    case track, transport, meters, coming, notices, host
  }

  /// Lines that are shown together or left out together.
  private struct Block {
    var lines: [Line]
    var priority: Priority
    var group: Group
  }

  /// The number of free columns at each side.
  var margin: Int { columns >= 48 ? 2 : 0 }
  /// The number of columns between the margins.
  var width: Int { max(1, columns - 2 * margin) }
  /// The layout of the parts that this screen shares with that of `visgraph run`, such as notices, at this width.
  var text: ScreenText { ScreenText(columns: width, rows: rows, style: style) }

  /// The screen from the top: at most `rows` lines of `columns` columns.
  func lines(_ model: PlayerScreenModel, hints: [Hint] = []) -> [Line] {
    guard columns > 0, rows > 0 else { return [] }
    let footer = footer(model)
    if rows <= 2 {
      return [shortest(model), footer].prefix(rows).map {
        (style.glyphs == .ascii ? $0.inASCII : $0).cut(to: columns)
      }
    }
    var (shown, left) = fitting(blocks(model, hints), in: rows - 1)
    // The next tracks take rows that are free.
    let gaps = Set(shown.map(\.group)).count + 1
    let coming = coming(model, rows: min(left - gaps - 1, max(1, rows / 4)))
    if !coming.isEmpty {
      shown.append(Block(lines: coming, priority: .coming, group: .coming))
      left -= coming.count
    }
    return placed(shown, footer, left)
  }

  /// All that the screen may show above the keys, but for the next tracks.
  private func blocks(_ model: PlayerScreenModel, _ hints: [Hint]) -> [Block] {
    var blocks = [
      Block(lines: [title(model)], priority: .title, group: .track),
      Block(lines: [position(model)], priority: .position, group: .transport),
      Block(lines: [settings(model)], priority: .settings, group: .transport),
    ]
    // Rows that title, position, settings, server and gaps need, the more the higher the screen is. The meters are a row
    // for each channel, or a grid in fewer rows.
    let rowsOfOthers = rows >= 10 ? 7 : rows >= 6 ? 4 : 2
    let meterRows = min(model.channels.count, max(0, rows - 1 - rowsOfOthers))
    if meterRows > 0 {
      blocks.append(Block(lines: meters(model, rows: meterRows), priority: .meters, group: .meters))
    }
    let credits = model.credits(dash: style.glyphs == .full ? " — " : " - ")
    if !credits.isEmpty {
      blocks.append(
        Block(lines: [Line(text.fitted(credits, width))], priority: .credits, group: .track))
    }
    blocks.append(Block(lines: [file(model)], priority: .file, group: .track))
    let (server, control) = host(model)
    // If other machines may control the player, their row matters more than all but title and position.
    let isOpen = model.status?.isControlOpen == true && rows >= 8
    if control.isEmpty {
      blocks.append(Block(lines: [server], priority: isOpen ? .openControl : .server, group: .host))
    } else {
      blocks.append(Block(lines: [server], priority: .server, group: .host))
      blocks.append(Block(lines: control, priority: isOpen ? .openControl : .control, group: .host))
    }
    let notices = notices(model, hints, rows: max(1, min(4, rows / 5)))
    if !notices.isEmpty { blocks.append(Block(lines: notices, priority: .notices, group: .notices)) }
    return blocks
  }

  /// The blocks that fit into `space` rows, the most important first, and the number of rows that stay free.
  private func fitting(_ blocks: [Block], in space: Int) -> (blocks: [Block], left: Int) {
    var left = space
    var fitting: [Block] = []
    for block in blocks.sorted(by: { $0.priority.rawValue < $1.priority.rawValue })
    where block.lines.count <= left {
      fitting.append(block)
      left -= block.lines.count
    }
    return (fitting, left)
  }

  /// The blocks from the top, with gaps between groups; the host is at the bottom, and the keys are in the last row.
  /// Within a group the most important block is on top, so an open control port is above its server.
  private func placed(_ blocks: [Block], _ footer: Line, _ free: Int) -> [Line] {
    func parts(of group: Group) -> [Block] {
      blocks.filter { $0.group == group }.sorted { $0.priority.rawValue < $1.priority.rawValue }
    }
    var left = free
    var result: [Line] = []
    if left > Set(blocks.map(\.group)).count + 1 {
      result.append(Line())
      left -= 1
    }
    for group in Group.allCases where group != .host {
      let own = parts(of: group)
      guard !own.isEmpty else { continue }
      if result.contains(where: { $0.width > 0 }), left > 0 {
        result.append(Line())
        left -= 1
      }
      result += own.flatMap(\.lines)
    }
    let host = parts(of: .host).flatMap(\.lines)
    while result.count + host.count < rows - 1 { result.append(Line()) }
    return (result + host + [footer]).map { inset($0) }
  }

  /// The line between the margins; in ASCII where the terminal shows nothing else.
  func inset(_ line: Line) -> Line {
    var result = Line()
    result.fill(to: margin)
    result.add((style.glyphs == .ascii ? line.inASCII : line).cut(to: width))
    return result.cut(to: columns)
  }
}
