import Controls
import Engine
import Graphs

/// The rows of outgoing levels, and of the master, measurements, emitters and gates.
extension ScreenText {
  /// Up to this number of levels, each has a bar and a number; more have one column each.
  private static var mostBars: Int { 4 }

  /// Whether there is anything that the master scales.
  func hasMaster(_ status: ShowStatus) -> Bool {
    status.targets.contains { $0.levels.contains { $0.type == .level } }
  }

  /// Adds the levels of a target, then its failed packets, then its address if there is room.
  func addLevels(of target: ShowStatus.Target, to line: inout Line) {
    let report = target.report
    let failed = report.failed > 0 ? "   failed \(report.failed)" : ""
    line.add("   ")
    line.add(levels(target.levels, columns - line.width - failed.count))
    line.add(failed, .warning)
    let address = report.sample.split(separator: " ").first.map(String.init) ?? ""
    if line.width + 3 + DisplayedText.width(address) <= columns {
      line.add("   ")
      line.add(DisplayedText.safe(address), .dim)
    }
  }

  /// Levels in `room` columns: bars with numbers, else one column each, as many as fit.
  private func levels(_ levels: [ShowStatus.ShownLevel], _ room: Int) -> Line {
    let figures = levels.map(figure)
    let isOfLevels = levels.allSatisfy { $0.type == .level }
    // Beside bars there is little room.
    let labels = levels.map { fitted($0.label, isOfLevels ? 8 : 20) }
    let texts = zip(labels, figures).reduce(0) {
      $0 + DisplayedText.width($1.0) + 1 + DisplayedText.width($1.1)
    }
    let gaps = 3 * (levels.count - 1)
    var line = Line()
    let bar = isOfLevels ? min(16, (room - texts - gaps) / max(1, levels.count) - 1) : 0
    if levels.count <= Self.mostBars, bar >= 4 || !isOfLevels, texts + gaps <= room {
      for (index, level) in levels.enumerated() {
        if index > 0 { line.add("   ") }
        line.add(labels[index] + " ", .dim)
        if bar >= 4 {
          line.add(LevelBar.line(level: level.value, width: bar, style))
          line.add(" ")
        }
        line.add(figures[index], level.value == 0 && isOfLevels ? .dim : .plain)
      }
      return line
    }
    guard isOfLevels else { return list(levels, room) }
    let least = max(0, room - 6)
    let shown = levels.count <= room ? levels.count : least
    for level in levels.prefix(shown) { line.add(LevelBar.cell(level: level.value, style)) }
    if shown < levels.count { line.add(" +\(levels.count - shown)", .dim) }
    return line
  }

  /// Levels as numbers, as many as fit; a common unit is written once, at the end.
  private func list(_ levels: [ShowStatus.ShownLevel], _ room: Int) -> Line {
    let unit = levels.first?.unit
    let isShared = levels.count > 1 && levels.allSatisfy { $0.unit == unit }
    let items = levels.map { level in
      let text = isShared ? number(level) : figure(level)
      return "\(fitted(level.label, 20)) \(text.drop { $0 == " " })"
    }
    let symbol = isShared ? unit?.symbol ?? "" : ""
    var line = Line(fitted(list: items, max(8, room - (symbol.isEmpty ? 0 : symbol.count + 1))))
    if !symbol.isEmpty { line.add(" " + symbol, .dim) }
    return line
  }

  /// A level with its unit.
  private func figure(_ level: ShowStatus.ShownLevel) -> String {
    let symbol = level.unit?.symbol ?? ""
    return symbol.isEmpty ? number(level) : "\(number(level)) \(symbol)"
  }

  private func number(_ level: ShowStatus.ShownLevel) -> String {
    switch level.type {
    case .decibels: NumberFormat.right(NumberFormat.level(level.value, nothing: style.nothing), 5)
    case .number:
      level.value == level.value.rounded() && level.value.magnitude < 1e6
        ? NumberFormat.fixed(Double(level.value), 0) : NumberFormat.fixed(Double(level.value), 2)
    case .level, .light, .audio, .event, .picture, .pixels: NumberFormat.fixed(Double(level.value), 2)
    }
  }

  /// The rows of the master, measurements, emitters and gates.
  func states(_ status: ShowStatus) -> [Line] {
    let width = idWidth(status)
    var rows: [Line] = []
    func begin(_ word: String, _ id: String) -> Line {
      var line = Line(word, .dim)
      line.fill(to: Self.margin)
      line.add(fitted(id, width))
      line.fill(to: Self.margin + width + 2)
      return line
    }
    if hasMaster(status) {
      var line = begin("", "master")
      let bar = min(16, columns - line.width - 10)
      if bar >= 4 {
        line.add(LevelBar.line(level: status.moment.isBlackout ? 0 : status.moment.master, width: bar, style))
        line.add(" ")
      }
      if status.moment.isBlackout {
        line.add("blackout", .fault)
      } else {
        let percent = Int((status.moment.master * 100).rounded())
        line.add("\(percent) %", percent == 100 ? .dim : .warning)
      }
      rows.append(line)
    }
    for (index, measurement) in status.measurements.enumerated() {
      var line = begin(index == 0 ? "hear" : "", measurement.id)
      line.add(levels(measurement.levels, columns - line.width))
      rows.append(line)
    }
    for (index, emitter) in status.emitters.enumerated() {
      var line = begin(index == 0 ? "draw" : "", emitter.id)
      line.add(particleCounts(emitter, columns - line.width))
      rows.append(line)
    }
    for (index, gate) in status.gates.enumerated() {
      var line = begin(index == 0 ? "gate" : "", gate.id)
      line.add(gateMarks(gate, columns - line.width))
      rows.append(line)
    }
    return rows
  }

  private func particleCounts(_ emitter: ShowStatus.EmitterState, _ room: Int) -> Line {
    let sum = emitter.alive.reduce(0, +)
    var line = Line(NumberFormat.right(String(sum), 6), sum == 0 ? .dim : .plain)
    line.add(sum == 1 ? " particle " : " particles", .dim)
    guard emitter.alive.count > 1 else { return line }
    var parts = Line()
    for (channel, count) in emitter.alive.enumerated() {
      parts.add("   \(channel + 1) ", .dim)
      parts.add(NumberFormat.right(String(count), 5), count == 0 ? .dim : .plain)
    }
    if line.width + parts.width <= room { line.add(parts) }
    return line
  }

  private func gateMarks(_ gate: ShowStatus.GateState, _ room: Int) -> Line {
    let isFull = style.glyphs == .full
    func mark(_ isOpen: Bool) -> (String, Line.TextStyle) {
      isOpen ? (isFull ? "●" : "*", .good) : (isFull ? "○" : "-", .dim)
    }
    let count = "\(gate.channels.count { $0.isOpen }) of \(gate.channels.count) open"
    var line = Line()
    for channel in gate.channels {
      let (text, ink) = mark(channel.isOpen)
      line.add(text, ink)
      line.add(" " + fitted(channel.label, 12) + "   ", channel.isOpen ? .plain : .dim)
    }
    if line.width + count.count > room {
      // A mark each, without names.
      line = Line()
      for channel in gate.channels.prefix(max(0, room - count.count - 3)) {
        let (text, ink) = mark(channel.isOpen)
        line.add(text, ink)
      }
      line.add("   ")
    }
    line.add(count, .dim)
    return line
  }
}
