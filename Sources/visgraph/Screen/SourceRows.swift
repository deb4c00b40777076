/// Channels as a list, a row for each.
extension ScreenText {
  func sourceList(_ status: ShowStatus, _ hints: [Hint]) -> Part {
    let columns = sourceColumns(status)
    var part = Part(rows: [], reported: [])
    for source in status.sources {
      for (index, channel) in source.channels.enumerated() {
        var line = Line(part.rows.isEmpty ? "in" : "", .dim)
        line.fill(to: Self.margin)
        if columns.id > 0 {
          if index == 0 { line.add(fitted(source.id, columns.id)) }
          line.fill(to: Self.margin + columns.id + 1)
        }
        line.add(NumberFormat.right(String(channel.number), columns.number), .dim)
        line.add(" ")
        if columns.name > 0 { line.add(fitted(channel.name ?? "", columns.name)) }
        line.fill(to: columns.feedStart)
        let subject = Hint.Subject.channel(source: source.id, number: channel.number)
        let hint = hints.first { $0.subject == subject }
        if isOpenEnded(channel, source, status.host) {
          let isReported = add(hint, or: "nothing connected", to: &line, status)
          if isReported { part.reported.insert(subject) }
        } else {
          if columns.feed > 0, source.feed == .jack || index == 0 {
            line.add(feed(channel, source, columns.feed))
          }
          if addLevel(channel, hint, to: &line, columns) { part.reported.insert(subject) }
        }
        if case .file(let file) = source.feed, index == 0, file.hasEnded, columns.feed > 0 {
          part.reported.insert(.source(source.id))
        }
        part.rows.append(line)
      }
    }
    return part
  }

  /// Whether a channel has nothing connected to it.
  func isOpenEnded(
    _ channel: ShowStatus.Channel, _ source: ShowStatus.Source, _ host: ShowStatus.Host
  ) -> Bool { source.feed == .jack && channel.connections.isEmpty && host.isRunning }

  /// Whether the ids of sources are shown. A single source named `in` has the section's label already.
  func namesSources(_ status: ShowStatus) -> Bool { status.sources.map(\.id) != ["in"] }

  private func sourceColumns(_ status: ShowStatus) -> SourceColumns {
    let channels = status.sources.flatMap(\.channels)
    func widest(_ texts: [String]) -> Int {
      texts.map { DisplayedText.width(DisplayedText.safe($0)) }.max() ?? 0
    }
    var feeds: [Int] = []
    for source in status.sources {
      for channel in source.channels { feeds.append(feed(channel, source, 200).width) }
    }
    return SourceColumns(
      total: columns, id: namesSources(status) ? min(12, widest(status.sources.map(\.id))) : 0,
      number: widest(channels.map { String($0.number) }), name: widest(channels.compactMap(\.name)),
      feed: feeds.max() ?? 0)
  }

  /// The feed of a channel: `<- mixer:out_1`.
  private func feed(_ channel: ShowStatus.Channel, _ source: ShowStatus.Source, _ width: Int) -> Line {
    var line = Line("<- ", .dim)
    switch source.feed {
    case .jack:
      guard !channel.connections.isEmpty else { return Line() }
      line.add(fitted(list: channel.connections, width - 3))
    case .other(let text): line.add(fitted(text, width - 3))
    case .file(let file):
      var state = NumberFormat.time(file.position)
      var ink = Line.TextStyle.dim
      if let length = file.length {
        let full = state + " / " + NumberFormat.time(length)
        if width >= full.count + 12 { state = full }
      }
      if file.hasEnded { (state, ink) = ("ended", .warning) }
      if file.fault != nil { (state, ink) = ("fault", .fault) }
      let room = width - 3 - 1 - state.count
      if room >= 4 { line.add(fitted(file.name, room) + " ") }
      line.add(DisplayedText.prefix(state, width - 3), ink)
    }
    return line
  }

  /// Adds the reason why there is no level; returns whether it is shown in full.
  private func add(_ hint: Hint?, or text: String, to line: inout Line, _ status: ShowStatus) -> Bool {
    let room = columns - line.width
    guard let hint else {
      line.add(fitted(text, room), .dim)
      return false
    }
    if DisplayedText.width(hint.message) <= room {
      line.add(hint.message, .warning)
      return true
    }
    line.add(fitted(hint.short, room), .warning)
    return false
  }

  /// Adds the level, and its bar or a hint instead; returns whether the hint is shown in full.
  private func addLevel(
    _ channel: ShowStatus.Channel, _ hint: Hint?, to line: inout Line, _ columns: SourceColumns
  ) -> Bool {
    guard let average = channel.average else { return false }
    line.fill(to: columns.levelStart)
    let isSilent = average.isNaN || average <= -160
    line.add(
      NumberFormat.right(NumberFormat.level(average, nothing: style.nothing), 5), isSilent ? .dim : .plain)
    line.add(" dB", .dim)
    line.fill(to: columns.barStart)
    if let message = hint?.beside ?? hint?.message,
      DisplayedText.width(message) <= self.columns - columns.barStart
    {
      line.add(message, .warning)
      return true
    }
    if let hint {
      line.add(fitted(hint.short, self.columns - columns.barStart), .warning)
      return false
    }
    line.add(LevelBar.line(average: average, peak: channel.peak, width: columns.bar, style))
    if columns.hasPeak, let peak = channel.peak {
      line.add("  peak ", .dim)
      let text = NumberFormat.level(peak, nothing: style.nothing)
      line.add(NumberFormat.right(text, 5), peak >= 0 ? .fault : peak > -160 ? LevelBar.ink(peak) : .dim)
    }
    return false
  }
}

/// The widths of the columns of a list of sources; 0: the column is left out.
struct SourceColumns: Equatable {
  var id = 0
  var number = 1
  var name = 0
  var feed = 0
  var bar = 10
  var hasPeak = true

  /// The width of a level, such as `-12.4 dB`.
  static var level: Int { 8 }
  /// The width of a peak, such as ` peak -12.4`.
  static var peak: Int { 12 }

  /// Distributes `total` columns. The arguments are the widths of the texts.
  init(total: Int, id: Int, number: Int, name: Int, feed: Int) {
    self.id = id
    self.number = number
    self.name = min(name, 20)
    self.feed = min(feed, 60)
    func missing(_ columns: SourceColumns) -> Int { columns.width - total }
    // The order in which columns shrink or go: feed, name, peak, feed, name, bar, name, bar.
    func shrink(_ path: WritableKeyPath<SourceColumns, Int>, to least: Int) {
      let excess = missing(self)
      guard excess > 0, self[keyPath: path] > least else { return }
      self[keyPath: path] = max(least, self[keyPath: path] - excess)
    }
    shrink(\.feed, to: 16)
    shrink(\.name, to: 12)
    if missing(self) > 0 { hasPeak = false }
    shrink(\.feed, to: 10)
    if missing(self) > 0 { self.feed = 0 }
    shrink(\.name, to: 6)
    shrink(\.bar, to: 4)
    if missing(self) > 0 { self.name = 0 }
    shrink(\.bar, to: 0)
    bar = min(max(bar, bar - missing(self)), max(bar, 64))
  }

  /// The first column of the feed.
  var feedStart: Int {
    ScreenText.margin + (id > 0 ? id + 1 : 0) + number + 1 + (name > 0 ? name + 2 : 0)
  }
  /// The first column of the level.
  var levelStart: Int { feedStart + (feed > 0 ? feed + 2 : 0) }
  /// The first column of the bar.
  var barStart: Int { levelStart + Self.level + 1 }
  /// The sum of all columns.
  var width: Int { barStart + bar + (hasPeak ? Self.peak : 0) }
}
