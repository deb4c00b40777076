import Engine
import Graphs

/// The rows of outputs: one for each node with ports, one for each target.
extension ScreenText {
  func outputs(_ status: ShowStatus, _ hints: [Hint]) -> Part {
    var part = Part(rows: [], reported: [])
    let idWidth = idWidth(status)
    func begin(_ id: String) -> Line {
      var line = Line(part.rows.isEmpty ? "out" : "", .dim)
      line.fill(to: Self.margin)
      line.add(fitted(id, idWidth))
      line.fill(to: Self.margin + idWidth + 2)
      return line
    }
    for output in status.outputs {
      var line = begin(output.id)
      let hint = hints.first { $0.subject == .output(output.id) }
      line.add(ports(output, hint, columns - line.width, status.host))
      if let hint, line.text.hasSuffix(hint.message) { part.reported.insert(hint.subject) }
      part.rows.append(line)
    }
    let columns = TargetColumns(status.targets, room: self.columns - Self.margin - idWidth - 2)
    var before: String?
    for target in status.targets {
      var line = begin(target.report.id == before ? "" : target.report.id)
      before = target.report.id
      if add(target, to: &line, columns) {
        part.reported.insert(.target(id: target.report.id, to: target.report.target))
      }
      part.rows.append(line)
    }
    return part
  }

  /// The width of the column of ids, which all these rows share.
  func idWidth(_ status: ShowStatus) -> Int {
    let ids =
      status.outputs.map(\.id) + status.targets.map(\.report.id) + status.emitters.map(\.id)
      + status.measurements.map(\.id) + status.gates.map(\.id) + (hasMaster(status) ? ["master"] : [])
    return min(12, ids.map { DisplayedText.width(DisplayedText.safe($0)) }.max() ?? 0)
  }

  private func ports(
    _ output: ShowStatus.Output, _ hint: Hint?, _ room: Int, _ host: ShowStatus.Host
  ) -> Line {
    let connections = output.ports.flatMap(\.connections)
    guard host.client != nil else {
      guard let server = host.server else {
        return Line(fitted("leads nowhere: no JACK", room), .warning)
      }
      return Line(fitted("waits for \(server.name)", room), .dim)
    }
    if connections.isEmpty {
      guard let hint else { return Line(fitted("nothing connected", room), .dim) }
      return Line(
        DisplayedText.width(hint.message) <= room ? hint.message : fitted(hint.short, room), .warning)
    }
    var line = Line("-> ", .dim)
    let connected = output.ports.count { !$0.connections.isEmpty }
    let note = connected < output.ports.count ? "  \(connected) of \(output.ports.count) connected" : ""
    let unique = connections.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    line.add(fitted(list: unique, max(8, room - 3 - note.count)))
    line.add(note, .warning)
    return line
  }

  /// Adds a target's row; returns whether its fault, if any, is shown in full.
  private func add(_ target: ShowStatus.Target, to line: inout Line, _ columns: TargetColumns) -> Bool {
    let report = target.report
    let start = line.width
    let room = self.columns - start
    if !report.isWell {
      let state = DisplayedText.safe(report.state)
      let isNamed = state.contains(report.target)
      if !isNamed, columns.target > 0, columns.target + 2 + DisplayedText.width(state) <= room {
        line.add(fitted(report.target, columns.target))
        line.add("  ")
      }
      line.add(fitted(state, self.columns - line.width), .fault)
      let counts = "failed \(report.failed)"
      if line.width + 2 + counts.count <= self.columns { line.add("  " + counts, .dim) }
      return DisplayedText.width(state) <= room
    }
    line.add(fitted(report.target, columns.target))
    line.fill(to: start + columns.target + 2)
    line.add(NumberFormat.right(target.perSecond.map { NumberFormat.fixed($0, 0) } ?? "", columns.rate))
    line.add(target.perSecond == nil ? "  " : "/s", .dim)
    if !target.levels.isEmpty {
      addLevels(of: target, to: &line)
      return true
    }
    if columns.hasCounts {
      line.add("  held ", .dim)
      line.add(NumberFormat.right(String(report.held), columns.held), .dim)
      line.add("  failed ", .dim)
      line.add(NumberFormat.right(String(report.failed), columns.failed), report.failed > 0 ? .warning : .dim)
    } else if report.failed > 0, line.width + 9 + String(report.failed).count <= self.columns {
      line.add("  failed \(report.failed)", .warning)
    }
    let left = self.columns - line.width - 3
    if left >= 12 {
      line.add("   ")
      line.add(fitted(report.sample, left), .dim)
    }
    return true
  }
}

/// The widths of the columns of targets.
struct TargetColumns: Equatable {
  /// The column of the target's name.
  var target: Int
  /// The column of messages a second.
  var rate: Int
  /// The columns of held values and of failed packets, which are shown if `hasCounts`.
  var held: Int
  var failed: Int
  var hasCounts: Bool

  /// Distributes `room` columns.
  init(_ targets: [ShowStatus.Target], room: Int) {
    func widest(_ texts: [String]) -> Int { texts.map(DisplayedText.width).max() ?? 0 }
    let well = targets.filter(\.report.isWell)
    rate = max(3, widest(well.compactMap { $0.perSecond.map { NumberFormat.fixed($0, 0) } }))
    held = widest(well.map { String($0.report.held) })
    failed = widest(well.map { String($0.report.failed) })
    let counts = 7 + held + 9 + failed
    let wanted = min(40, widest(well.map { DisplayedText.safe($0.report.target) }))
    hasCounts = min(wanted, 16) + 2 + rate + 2 + counts <= room && targets.allSatisfy(\.levels.isEmpty)
    let fixed = 2 + rate + 2 + (hasCounts ? counts : 0)
    target = min(wanted, max(6, room - fixed))
  }
}
