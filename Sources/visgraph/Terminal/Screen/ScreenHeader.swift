/// The first lines and the last.
extension ScreenText {
  /// The graph, the host and its figures: in one line, or in two where one is too narrow.
  func header(_ status: ShowStatus) -> [Line] {
    let clock = Figures.time(status.timeline)
    let figures = figures(status)
    let full = figures.reduce(0) { $0 + $1.width + 2 }
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

  /// The keys, and where control messages are taken.
  func footer(_ status: ShowStatus) -> Line {
    var keys = Line()
    // Where it is too narrow, the last keys stay: how to quit must always be seen.
    for key in status.keys.reversed() {
      var line = Line(key.key, .strong)
      line.add(" " + key.word, .dim)
      if keys.width > 0 { line.add("  ") }
      line.add(keys)
      if line.width > columns, keys.width > 0 { break }
      keys = line
    }
    guard let control = status.control.map(DisplayedText.safe),
      8 + DisplayedText.width(control) + 5 + keys.width <= columns
    else { return keys }
    var line = Line("control ", .dim)
    line.add(control)
    line.add("     ")
    line.add(keys)
    return line
  }

  /// As many of the figures as fit, in order.
  private func joined(_ figures: [Line], within columns: Int) -> Line {
    var line = Line()
    for figure in figures where line.width + (line.width > 0 ? 2 : 0) + figure.width <= columns {
      if line.width > 0 { line.add("  ") }
      line.add(figure)
    }
    return line
  }

  private func figures(_ status: ShowStatus) -> [Line] {
    let host = status.host
    var all: [Line] = []
    switch host.kind {
    case .clock: all.append(Line("by the clock"))
    case .jack(let client, let server):
      var line = Line("JACK ")
      line.add("\"\(fitted(client, max(8, columns / 3)))\"")
      if server == .waiting { line.add(" waiting for a server", .warning) }
      if server == .stalled { line.add(" runs no cycles", .fault) }
      if server == .lost { line.add(" server has gone", .fault) }
      all.append(line)
    }
    if host.isFreewheeling { all.append(Line("freewheel", .warning)) }
    // What is amiss is told before what is as usual: the last figures are the first to go.
    var troubles: [Line] = []
    if status.isBlackout { all.append(Line("BLACKOUT", .fault)) }
    if status.master < 1 { all.append(Line("master \(Int((status.master * 100).rounded())) %", .warning)) }
    if status.mergedFrames > 0 { troubles.append(Line("merged \(status.mergedFrames)", .warning)) }
    if status.notFinite > 0 { troubles.append(Line("not finite \(status.notFinite)", .warning)) }
    let xruns = Line("xruns \(host.xruns)", host.xruns > 0 ? .warning : .dim)
    if host.xruns > 0, columns < 60 { all.append(xruns) }
    if host.rate > 0 { all.append(Line("\(host.rate) Hz")) }
    if host.period > 0 { all.append(Line("\(host.period) samples")) }
    if host.client != nil || host.xruns > 0, host.xruns == 0 || columns >= 60 { all.append(xruns) }
    return all + troubles
  }
}
