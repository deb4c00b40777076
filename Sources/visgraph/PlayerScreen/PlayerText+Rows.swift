import Playback

/// The rows of the track.
extension PlayerText {
  /// The title, and the track's number in the list.
  func title(_ model: PlayerScreenModel) -> Line {
    let snapshot = model.snapshot
    let place = snapshot.tracks > 1 ? "\(snapshot.track + 1) of \(snapshot.tracks)" : ""
    let hasPlace = !place.isEmpty && width >= place.count + 16
    var line = Line(text.fitted(model.title, width - (hasPlace ? place.count + 2 : 0)), .strong)
    if hasPlace {
      line.fill(to: width - place.count)
      line.add(place, .dim)
    }
    return line
  }

  /// State, time and title, for a screen of one row.
  func shortest(_ model: PlayerScreenModel) -> Line {
    var line = mark(model.state)
    line.add(" " + NumberFormat.time(model.snapshot.currentTime) + " ")
    line.add(text.fitted(model.title, max(0, columns - line.width)), .strong)
    return line
  }

  /// The state as a symbol of at most two columns.
  func mark(_ state: PlayerScreenModel.State) -> Line {
    let isFull = style.glyphs == .full
    return switch state {
    case .playing: Line(isFull ? "▶" : ">", .accent)
    case .paused: Line(isFull ? "▮▮" : "||", .warning)
    case .stopped: Line(isFull ? "■" : "[]", .warning)
    case .over: Line(isFull ? "■" : "[]", .dim)
    case .interrupted: Line("!", .fault)
    case .loading: Line(isFull ? "…" : "..", .dim)
    }
  }

  /// The state's symbol, the time, the position bar and the duration.
  func position(_ model: PlayerScreenModel) -> Line {
    let snapshot = model.snapshot
    let end = snapshot.duration.map(NumberFormat.time) ?? (style.glyphs == .full ? "–:––" : "-:--")
    let now = NumberFormat.right(NumberFormat.time(snapshot.currentTime), min(end.count, 9))
    var line = mark(model.state)
    line.fill(to: 3)
    line.add(now)
    line.add(" ")
    let bar = width - line.width - 1 - DisplayedText.width(end)
    guard bar >= 6 else {
      line.add("/ " + end, .dim)
      return line
    }
    line.add(
      PositionBar.line(
        position: snapshot.currentTime, duration: snapshot.duration, section: snapshot.settings.section,
        mark: model.mark,
        width: bar, style))
    line.add(" ")
    line.add(end, .dim)
    return line
  }

  /// The player's settings; default values are dim.
  func settings(_ model: PlayerScreenModel) -> Line {
    let (settings, usual) = (model.snapshot.settings, PlayerSettings())
    var all = [Line(word(model.state), model.state == .interrupted ? .fault : .plain)]
    func add(_ name: String, _ value: String, _ isUsual: Bool) {
      var line = Line(name + " ", .dim)
      line.add(value, isUsual ? .dim : .plain)
      all.append(line)
    }
    add(
      "volume", NumberFormat.fixed(Double(settings.volume) * 100, 0) + " %", settings.volume == usual.volume)
    let pitch = settings.pitch == .varispeed ? " varispeed" : settings.rate == 1 ? "" : " pitch kept"
    add("rate", NumberFormat.fixed(settings.rate, 2) + pitch, settings.rate == 1 && settings.pitch == .kept)
    if let section = settings.section {
      let dash = style.glyphs == .full ? "–" : "-"
      add(
        "A\(dash)B", NumberFormat.time(section.lowerBound) + dash + NumberFormat.time(section.upperBound),
        false)
    } else if let mark = model.mark {
      add("A", NumberFormat.time(mark), false)
    }
    switch settings.loop {
    case .forever: add("loop", "forever", false)
    case .times(let times): if times > 1 { add("loop", "\(times - 1) more", false) }
    }
    add("repeat", settings.repeatMode.rawValue, settings.repeatMode == .off)
    add("shuffle", settings.shuffle == nil ? "off" : "on", settings.shuffle == nil)
    let hundredths = Int((Double(settings.pan) * 100).rounded())
    add(
      "pan", hundredths == 0 ? "centre" : hundredths < 0 ? "L \(-hundredths)" : "R \(hundredths)",
      hundredths == 0)
    return joined(all, "   ")
  }

  private func word(_ state: PlayerScreenModel.State) -> String {
    switch state {
    case .loading: "loading"
    case .playing: "playing"
    case .paused: "paused"
    case .stopped: "stopped"
    case .interrupted: "interrupted"
    case .over: "played to the end"
    }
  }

  /// The parts from the first on, as many as fit, separated by `gap`.
  func joined(_ all: [Line], _ gap: String) -> Line {
    var line = Line()
    for part in all {
      if line.width > 0, line.width + gap.count + part.width > width { break }
      if line.width > 0 { line.add(gap) }
      line.add(part)
    }
    return line
  }

  /// The name of the file and its format.
  func file(_ model: PlayerScreenModel) -> Line {
    let snapshot = model.snapshot
    let name = snapshot.path.split(separator: "/").last.map(String.init) ?? snapshot.path
    var parts: [String] = []
    if let format = snapshot.format {
      parts.append("\(format.rate) Hz")
      let channels = format.channels
      parts.append(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels")
      if let bits = format.bitRate, bits > 0, bits < 10_000_000_000 {
        parts.append("\((bits + 500) / 1000) kbit/s")
      }
      // The longest part is last: it is left out first.
      if !format.description.isEmpty { parts.append(DisplayedText.safe(format.description)) }
    }
    var line = Line(text.fitted(name, width), .dim)
    for part in parts where line.width + 3 + DisplayedText.width(part) <= width {
      line.add((style.glyphs == .full ? " · " : " | ") + part, .dim)
    }
    return line
  }

  /// The next tracks, in at most `rows` rows.
  func coming(_ model: PlayerScreenModel, rows: Int) -> [Line] {
    guard rows > 0 else { return [] }
    return model.coming.prefix(rows).enumerated().map { index, name in
      var line = Line(index == 0 ? "next" : "", .dim)
      line.fill(to: 6)
      line.add(text.fitted(name, width - 6), index == 0 ? .plain : .dim)
      return line
    }
  }
}

/// The position within a track as a bar, with the repeated section. [control]
enum PositionBar {
  /// The bar, `width` columns long.
  ///
  /// - Parameters:
  ///   - position: in s.
  ///   - duration: in s; nil: unknown, and the bar stays empty.
  ///   - section: in s of the track.
  static func line(
    position: Double, duration: Double?, section: ClosedRange<Double>?, mark: Double?, width: Int,
    _ style: TerminalStyle
  ) -> Line {
    var line = Line()
    guard width > 0 else { return line }
    let length = duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    func place(_ seconds: Double) -> Double {
      guard let length, seconds.isFinite else { return 0 }
      return max(0, min(1, seconds / length))
    }
    let halves = Int((place(position) * Double(width * 2)).rounded())
    let first = section.map { min(width - 1, Int(place($0.lowerBound) * Double(width))) }
    let last = section.map { min(width - 1, Int(place($0.upperBound) * Double(width))) }
    let only =
      section == nil && length != nil ? mark.map { min(width - 1, Int(place($0) * Double(width))) } : nil
    for cell in 0..<width {
      if cell == first || cell == only {
        line.add("[", .warm)
      } else if cell == last {
        line.add("]", .warm)
      } else if halves >= cell * 2 + 2 {
        line.add(style.glyphs == .full ? "━" : style.glyphs == .console ? "═" : "=", .accent)
      } else if halves == cell * 2 + 1 {
        line.add(style.glyphs == .full ? "╸" : style.glyphs == .console ? "═" : "=", .accent)
      } else {
        line.add(style.glyphs == .full ? "─" : style.glyphs == .console ? "─" : "-", .dim)
      }
    }
    return line
  }
}
