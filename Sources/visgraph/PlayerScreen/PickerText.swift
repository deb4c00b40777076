import Playback

/// The picker as lines of a terminal. [control]
struct PickerText {
  private let screen: PlayerText

  init(text screen: PlayerText) { self.screen = screen }

  /// The number of tracks in view.
  var page: Int { max(1, screen.rows - (hasPosition ? 5 : 2)) }
  /// Whether there are rows below the list for the current track, with a gap on either side.
  private var hasPosition: Bool { screen.rows >= 9 }

  /// The lines of the picker.
  ///
  /// - Parameters:
  ///   - faults: faults of tracks that were tried, by path.
  ///   - model: the state of the player.
  func lines(_ picker: Picker, faults: [String: String], _ model: PlayerScreenModel) -> [Line] {
    let isFull = screen.style.glyphs == .full
    guard screen.rows > 0, screen.columns > 0 else { return [] }
    var lines = [query(picker, isFull)]
    if hasPosition { lines.append(Line()) }
    let first = picker.first(page: page)
    for row in 0..<page {
      let index = first + row
      guard index < picker.found.count else {
        let isNotice = row == 0 && picker.found.isEmpty
        lines.append(isNotice ? Line("  nothing has these words", .dim) : Line())
        continue
      }
      let number = picker.found[index]
      // The player may have another list by now, whose numbers mean other tracks.
      lines.append(
        entry(
          picker.tracks[number], picker, isChosen: index == picker.place,
          isHeard: number == model.snapshot.track && model.snapshot.tracks == picker.tracks.count,
          isFaulty: faults[picker.tracks[number].path] != nil))
    }
    let fault = picker.track.flatMap { faults[picker.tracks[$0].path] }
    if hasPosition {
      lines.append(Line())
      lines.append(fault.map { Line(screen.text.fitted($0, screen.width), .fault) } ?? screen.position(model))
    } else if let fault, screen.rows >= 3 {
      // A low screen has no row of its own for it: the last track in view gives way.
      lines[lines.count - 1] = Line(screen.text.fitted(fault, screen.width), .fault)
    }
    lines.append(
      PlayerText.fittedKeys(
        [
          (isFull ? "↑↓" : "arrows", "move"), ("PgUp PgDn", "page"), ("^U", "clear"), ("enter", "play"),
          ("esc", "back"),
        ], screen.width))
    return lines.prefix(screen.rows).map { screen.inset($0) }
  }

  private func query(_ picker: Picker, _ isFull: Bool) -> Line {
    let all = picker.tracks.count
    let count = picker.query.isEmpty ? "\(all)" : "\(picker.found.count) of \(all)"
    let hasCount = screen.width >= count.count + 20
    let room = screen.width - 3 - (hasCount ? count.count + 2 : 0)
    var line = Line("/ ", .accent)
    let query = DisplayedText.safe(picker.query)
    if query.isEmpty {
      line.add(isFull ? "▏" : "_", .accent)
      line.add(screen.text.fitted("type words of a title, an artist, a file", room), .dim)
    } else {
      // The end of the query stays in view.
      var end = query
      while DisplayedText.width(end) > room, !end.isEmpty { end.removeFirst() }
      line.add(end, .strong)
      line.add(isFull ? "▏" : "_", .accent)
    }
    if hasCount {
      line.fill(to: screen.width - count.count)
      line.add(count, .dim)
    }
    return line
  }

  private func entry(
    _ track: Track, _ picker: Picker, isChosen: Bool, isHeard: Bool, isFaulty: Bool
  ) -> Line {
    let isFull = screen.style.glyphs == .full
    let ground = isChosen ? Line.Background.chosen : .none
    var line = Line()
    // A mark, because a terminal may have no colors.
    line.add(isChosen ? (isFull ? "▸" : ">") : " ", .accent, on: ground)
    line.add(isHeard ? (isFull ? "♪" : "*") : isFaulty ? "!" : " ", isFaulty ? .fault : .accent, on: ground)
    line.add(" ", on: ground)
    let credits = track.credits(dash: isFull ? " — " : " - ")
    let folders = credits.isEmpty ? self.folders(of: track, picker) : credits
    let room = screen.width - 4
    let hasFolders = !folders.isEmpty && room >= 40
    let nameRoom =
      hasFolders ? max(room * 3 / 5, room - DisplayedText.width(DisplayedText.safe(folders)) - 2) : room
    let name = screen.text.fitted(track.name, nameRoom)
    line.add(name, isFaulty ? .dim : isHeard ? .accent : isChosen ? .strong : .plain, on: ground)
    if hasFolders {
      let folderRoom = room - nameRoom - 2
      let shown = screen.text.fitted(folders, folderRoom)
      let start = 3 + room - DisplayedText.width(shown)
      line.add(String(repeating: " ", count: max(1, start - line.width)), on: ground)
      line.add(shown, .dim, on: ground)
    }
    if isChosen, line.width < screen.width {
      line.add(String(repeating: " ", count: screen.width - line.width), on: ground)
    }
    return line
  }

  /// The folders of a track below the common folder.
  private func folders(of track: Track, _ picker: Picker) -> String {
    let rest = track.path.dropFirst(picker.folder.count)
    return rest.lastIndex(of: "/").map { String(rest[..<$0]) } ?? ""
  }
}
