import Playback

/// The picker as lines of a terminal. [control]
struct PickerText {
  var text: PlayerText

  /// The number of tracks in view.
  var page: Int { max(1, text.rows - (hasHead ? 5 : 2)) }
  /// Whether there are rows for the current track and gaps.
  private var hasHead: Bool { text.rows >= 9 }

  /// The lines of the picker.
  ///
  /// - Parameters:
  ///   - faults: faults of tracks that were tried, by path.
  ///   - model: the state of the player.
  func lines(_ picker: Picker, faults: [String: String], _ model: PlayerScreenModel) -> [Line] {
    let isFull = text.style.glyphs == .full
    guard text.rows > 0, text.columns > 0 else { return [] }
    var lines = [query(picker, isFull)]
    if hasHead { lines.append(Line()) }
    let first = picker.first(page: page)
    for row in 0..<page {
      let index = first + row
      guard index < picker.found.count else {
        let isOne = row == 0 && picker.found.isEmpty
        lines.append(isOne ? Line("  nothing has these words", .dim) : Line())
        continue
      }
      let number = picker.found[index]
      lines.append(
        entry(
          picker.tracks[number], picker, isChosen: index == picker.place,
          isHeard: number == model.snapshot.track && model.snapshot.tracks == picker.tracks.count,
          isFaulty: faults[picker.tracks[number].path] != nil))
    }
    let fault = picker.track.flatMap { faults[picker.tracks[$0].path] }
    if hasHead {
      lines.append(Line())
      lines.append(fault.map { Line(text.text.fitted($0, text.width), .fault) } ?? text.position(model))
    } else if let fault, text.rows >= 3 {
      lines[lines.count - 1] = Line(text.text.fitted(fault, text.width), .fault)
    }
    lines.append(
      PlayerText.fittedKeys(
        [
          (isFull ? "↑↓" : "arrows", "move"), ("PgUp PgDn", "page"), ("^U", "clear"), ("enter", "play"),
          ("esc", "back"),
        ], text.width))
    return lines.prefix(text.rows).map { text.inset($0) }
  }

  private func query(_ picker: Picker, _ isFull: Bool) -> Line {
    let all = picker.tracks.count
    let count = picker.query.isEmpty ? "\(all)" : "\(picker.found.count) of \(all)"
    let hasCount = text.width >= count.count + 20
    let room = text.width - 3 - (hasCount ? count.count + 2 : 0)
    var line = Line("/ ", .accent)
    let query = DisplayedText.safe(picker.query)
    if query.isEmpty {
      line.add(isFull ? "▏" : "_", .accent)
      line.add(text.text.fitted("type words of a title, an artist, a file", room), .dim)
    } else {
      // The end of the query stays in view.
      var end = query
      while DisplayedText.width(end) > room, !end.isEmpty { end.removeFirst() }
      line.add(end, .strong)
      line.add(isFull ? "▏" : "_", .accent)
    }
    if hasCount {
      line.fill(to: text.width - count.count)
      line.add(count, .dim)
    }
    return line
  }

  private func entry(
    _ track: Track, _ picker: Picker, isChosen: Bool, isHeard: Bool, isFaulty: Bool
  ) -> Line {
    let isFull = text.style.glyphs == .full
    let ground = isChosen ? Line.Background.chosen : .none
    var line = Line()
    // A mark, because a terminal may have no colors.
    line.add(isChosen ? (isFull ? "▸" : ">") : " ", .accent, on: ground)
    line.add(isHeard ? (isFull ? "♪" : "*") : isFaulty ? "!" : " ", isFaulty ? .fault : .accent, on: ground)
    line.add(" ", on: ground)
    let credits = track.credits(dash: isFull ? " — " : " - ")
    let folders = credits.isEmpty ? self.folders(of: track, picker) : credits
    let room = text.width - 4
    let hasFolders = !folders.isEmpty && room >= 40
    let nameRoom =
      hasFolders ? max(room * 3 / 5, room - DisplayedText.width(DisplayedText.safe(folders)) - 2) : room
    let name = text.text.fitted(track.name, nameRoom)
    line.add(name, isFaulty ? .dim : isHeard ? .accent : isChosen ? .strong : .plain, on: ground)
    if hasFolders {
      let folderRoom = room - nameRoom - 2
      let shown = text.text.fitted(folders, folderRoom)
      let start = 3 + room - DisplayedText.width(shown)
      line.add(String(repeating: " ", count: max(1, start - line.width)), on: ground)
      line.add(shown, .dim, on: ground)
    }
    if isChosen, line.width < text.width {
      line.add(String(repeating: " ", count: text.width - line.width), on: ground)
    }
    return line
  }

  /// The folders of a track below the common folder.
  private func folders(of track: Track, _ picker: Picker) -> String {
    let rest = track.path.dropFirst(picker.folder.count)
    return rest.lastIndex(of: "/").map { String(rest[..<$0]) } ?? ""
  }
}
