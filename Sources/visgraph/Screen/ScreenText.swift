/// A status as lines of a screen; independent of a terminal.
struct ScreenText: Equatable, Sendable {
  var columns: Int
  var rows: Int
  var style = TerminalStyle()

  /// The column where the rows of a section begin, after its label.
  static var margin: Int { 5 }

  /// The screen from the top: at most `rows` lines of `columns` columns.
  func lines(_ status: ShowStatus, hints: [Hint] = []) -> [Line] {
    guard columns > 0, rows > 0 else { return [] }
    let footer = footer(status)
    var lines = header(status) + [cues(status)].compactMap(\.self)
    var room = rows - lines.count - footer.count
    guard room > 0 else { return ([lines[0]] + footer).prefix(rows).map { $0.cut(to: columns) } }

    let output = outputs(status, hints)
    let channels = status.sources.reduce(0) { $0 + $1.channels.count }
    // Sources come first, but outputs and notices always have a share.
    let outRows = min(output.rows.count, max(2, room / 3), max(0, room - 1))
    let noticeReserve = min(room / 4, 2)
    var source = Part(rows: [], reported: [])
    if channels > 0 {
      let space = max(1, room - outRows - noticeReserve)
      source = channels <= space ? sourceList(status, hints) : sourceGrid(status, hints, rows: space)
    }
    // The rows of states in between are left out first.
    let inner = states(status)
    let spare = room - source.rows.count - outRows - noticeReserve
    let innerRows = inner.count <= spare ? inner.count : spare >= 2 ? spare : 0
    let hasGaps = source.rows.count + outRows + innerRows + noticeReserve + (innerRows > 0 ? 4 : 3) <= room

    func place(_ rows: [Line], limit: Int) {
      guard !rows.isEmpty, room > 0 else { return }
      if hasGaps, room > 1 {
        lines.append(Line())
        room -= 1
      }
      let shown = rows.prefix(min(limit, room))
      lines += shown
      room -= shown.count
    }
    place(source.rows, limit: source.rows.count)
    place(shortened(output.rows, to: outRows, "target"), limit: outRows)
    place(shortened(inner, to: innerRows, "row"), limit: innerRows)
    let notices = notices(
      status, hints, except: source.reported.union(output.reported), rows: room - (hasGaps ? 1 : 0))
    place(notices, limit: notices.count)
    while lines.count < rows - footer.count { lines.append(Line()) }
    lines += footer
    return lines.map { $0.cut(to: columns) }
  }

  /// The rows of a section, and the hints that they show in full.
  struct Part {
    var rows: [Line]
    var reported: Set<Hint.Subject>
  }

  /// The rows; if there are more than `count`, the first ones and a row with the number of the others.
  private func shortened(_ rows: [Line], to count: Int, _ word: String) -> [Line] {
    guard rows.count > count, count > 0 else { return rows }
    let missing = rows.count - count + 1
    var last = Line()
    last.fill(to: Self.margin)
    last.add("\(NumberFormat.count(missing, "more \(word)")) not shown", .dim)
    return rows.prefix(count - 1) + [last]
  }

  /// A text made safe, and cut to `columns` columns.
  func fitted(_ text: String, _ columns: Int) -> String {
    DisplayedText.fitted(DisplayedText.safe(text), columns, ellipsis: style.ellipsis)
  }

  /// As many items as fit into `columns` columns, and the number of the others.
  func fitted(list: [String], _ columns: Int) -> String {
    let items = list.map(DisplayedText.safe)
    for count in stride(from: items.count, to: 0, by: -1) {
      let rest = items.count - count
      let text = items.prefix(count).joined(separator: ", ") + (rest > 0 ? " +\(rest)" : "")
      if DisplayedText.width(text) <= columns { return text }
    }
    let more = items.count > 1 ? " +\(items.count - 1)" : ""
    return fitted(items.first ?? "", columns - more.count) + more
  }
}
