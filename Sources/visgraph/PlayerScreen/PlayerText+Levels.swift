import Engine
import Playback

/// The rows of the meters and the bottom rows.
extension PlayerText {
  /// A meter for each channel: one a row, or a grid where there are more channels than rows.
  func meters(_ model: PlayerScreenModel, rows: Int) -> [Line] {
    let channels = model.channels
    guard channels.count <= rows else {
      guard var status = model.status else { return [] }
      // The grid labels sources with their ids; the player's only source needs no label.
      status.sources = [ShowStatus.Source(id: "in", feed: .other(""), channels: channels)]
      return text.sourceGrid(status, [], rows: rows).rows
    }
    let labels = channels.map { label($0, of: channels.count) }
    let labelWidth = min(14, labels.map(DisplayedText.width).max() ?? 0)
    let hasPeak = width >= labelWidth + 46
    let bar = width - labelWidth - 11 - (hasPeak ? 12 : 0)
    return zip(channels, labels).map { channel, label in
      var line = Line(text.fitted(label, labelWidth), .dim)
      line.fill(to: labelWidth + 1)
      let average = channel.average ?? -160
      let isSilent = average.isNaN || average <= -160
      line.add(
        NumberFormat.right(NumberFormat.level(average, nothing: style.nothing), 5), isSilent ? .dim : .plain)
      line.add(" dB ", .dim)
      guard bar >= 4 else { return line }
      line.add(" ")
      line.add(LevelBar.line(average: channel.average, peak: channel.peak, width: bar, style))
      if hasPeak {
        let peak = channel.peak ?? -160
        line.add("  peak ", .dim)
        let isSilent = peak.isNaN || peak <= -160
        line.add(
          NumberFormat.right(NumberFormat.level(peak, nothing: style.nothing), 5),
          peak >= 0 ? .fault : isSilent ? .dim : LevelBar.ink(peak))
      }
      return line
    }
  }

  private func label(_ channel: ShowStatus.Channel, of count: Int) -> String {
    if let name = channel.name { return DisplayedText.safe(name) }
    return count == 2 ? ["L", "R"][(channel.number - 1) & 1] : String(channel.number)
  }

  /// The row of the host, and the rows of the control port: its address and who may use it. If both fit on one row,
  /// `control` is empty.
  func host(_ model: PlayerScreenModel) -> (host: Line, control: [Line]) {
    guard let status = model.status else { return (Line(), []) }
    let host = status.host
    var parts: [Line] = []
    if let server = host.server {
      switch server.state {
      case .running:
        parts.append(Line("\(server.name) \"\(text.fitted(server.client, max(8, width / 3)))\"", .dim))
      case .waiting: parts.append(Line("waiting for the \(server.name) server", .warning))
      case .lost: parts.append(Line("the \(server.name) server has gone", .fault))
      case .stalled: parts.append(Line("the \(server.name) server runs no cycles", .fault))
      }
    } else {
      parts.append(Line("no sound server: \(host.manner)", .warning))
    }
    if host.rate > 0 { parts.append(Line("\(host.rate) Hz", .dim)) }
    if host.period > 0 { parts.append(Line("\(host.period) samples", .dim)) }
    if host.xruns > 0 { parts.append(Line("xruns \(host.xruns)", .warning)) }
    if model.snapshot.underruns > 0 { parts.append(Line("disk late \(model.snapshot.underruns)", .warning)) }
    var line = joined(parts, "  ")
    guard let control = status.control.map(DisplayedText.safe) else { return (line, []) }
    guard line.width + 11 + DisplayedText.width(control) <= width else {
      return (line, text.controlRows(control, .dim))
    }
    line.fill(to: width - 8 - DisplayedText.width(control))
    line.add("control ", .dim)
    line.add(control, .dim)
    return (line, [])
  }

  /// Hints and faults first, then the last log lines.
  func notices(_ model: PlayerScreenModel, _ hints: [Hint], rows: Int) -> [Line] {
    guard var status = model.status else { return [] }
    // Left out: what other rows show, and silence, which is normal for a player.
    let quiet: Set<Hint.Reason> = [.ended, .fileFault, .digitalSilence, .belowGate, .noSoundServer]
    var reported: Set<String> = []
    status.messages = status.messages.filter { $0.weight != .note && reported.insert($0.text).inserted }
    return text.notices(status, hints.filter { !quiet.contains($0.reason) }, except: [], rows: rows)
  }

  /// The most important keys, as many as fit; the last are help and quit.
  func footer(_ model: PlayerScreenModel) -> Line {
    let isFull = style.glyphs == .full
    let play = model.snapshot.isPlaying && !model.snapshot.isOver ? "pause" : "play"
    let keys = [
      ("space", play), (isFull ? "←→" : "arrows", isFull ? "5 s" : "seek, volume"),
      (isFull ? "↑↓" : "", "volume"),
      ("n", "next"), ("b", "back"), ("/", "choose"), ("?", "keys"), ("q", "quit"),
    ].filter { !$0.0.isEmpty }
    return Self.fittedKeys(keys, width)
  }

  /// As many keys as fit: the last two always, the others from the left.
  static func fittedKeys(_ keys: [(String, String)], _ width: Int) -> Line {
    func line(_ keys: [(String, String)]) -> Line {
      var line = Line()
      for (key, word) in keys {
        if line.width > 0 { line.add("  ") }
        line.add(key, .strong)
        line.add(" " + word, .dim)
      }
      return line
    }
    var kept = keys
    while line(kept).width > width, kept.count > 1 { kept.remove(at: max(0, kept.count - 3)) }
    return line(kept)
  }
}
