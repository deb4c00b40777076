import Playback

/// The current page of the player's screen and its keys: the player, the help, or the picker. Independent of a
/// terminal. [control]
struct PlayerView {
  enum Page: Equatable { case player, help, picker }

  private(set) var page: Page
  private var keys = PlayerKeys()
  private var picker: Picker?
  private var library: [Track]
  /// A number that changes with the list.
  private(set) var list = 0
  /// Indices of the next tracks.
  private var next: [Int] = []
  /// The `listNumber` of the player's list; nil before its first state.
  private var listNumber: Int?
  private var model: PlayerScreenModel?
  /// Faults of tracks, by path.
  private var faults: [String: String] = [:]
  private static let mostFaults = 10_000

  init(_ library: [Track], startsInPicker: Bool) {
    self.library = library
    page = startsInPicker ? .picker : .player
  }

  /// Takes the player's state, its list, and its events since the last call.
  ///
  /// `coming`: the indices of the next tracks, where the player knows them; nil: those that follow in the list, or none
  /// where the player shuffles or repeats one track.
  mutating func update(
    _ snapshot: PlayerSnapshot, _ status: ShowStatus, files: @autoclosure () -> [String],
    events: [PlayerEvent],
    coming: [Int]? = nil
  ) {
    for event in events {
      if case .skipped(let fault) = event, faults.count < Self.mostFaults {
        faults[fault.path] = fault.message
      }
    }
    // A command may have loaded another list. Comparing all of 100,000 paths in each frame would be too slow.
    let isOther =
      snapshot.listNumber != listNumber ?? snapshot.listNumber || snapshot.tracks != library.count
      || (library.indices.contains(snapshot.track) && !snapshot.path.isEmpty
        && library[snapshot.track].path != snapshot.path)
    listNumber = snapshot.listNumber
    if isOther, snapshot.tracks > 0 {
      library = files().map { Track($0) }
      list += 1
      picker = nil
    }
    keys.update(snapshot, isAnotherTrack: model.map { $0.snapshot.path != snapshot.path } ?? false)
    var model = PlayerScreenModel(snapshot: snapshot, status: status)
    model.mark = keys.mark
    model.wasStopped = keys.hasStopped
    if library.indices.contains(snapshot.track) { model.listTitle = library[snapshot.track].title }
    let isPlain = snapshot.settings.shuffle == nil && snapshot.settings.repeatMode != .one
    next =
      snapshot.isOver
      ? [] : coming ?? (isPlain ? Array(library.indices.dropFirst(snapshot.track + 1).prefix(30)) : [])
    model.coming = next.compactMap { library.indices.contains($0) ? Self.words(library[$0]) : nil }
    self.model = model
  }

  private static func words(_ track: Track) -> String {
    track.tags?.artist.map { "\($0): \(track.name)" } ?? track.name
  }

  var paths: [String] { library.map(\.path) }

  /// Takes tags that were read from files.
  mutating func learn(_ updates: [TagReader.Found]) {
    for found in updates where library.indices.contains(found.number) {
      library[found.number].tags = found.tags
    }
    picker?.learn(updates)
  }

  /// Indices of the tracks without tags that are in view or come next; their tags are read first.
  func wanted(rows: Int, columns: Int) -> [Int] {
    let pageRows = PickerText(text: PlayerText(columns: columns, rows: rows)).page
    let seen = self.page == .picker ? picker.map { Array($0.seen(page: pageRows)) } ?? [] : []
    return (seen + next.prefix(10)).filter { library.indices.contains($0) && library[$0].tags == nil }
  }

  mutating func lines(_ text: PlayerText, hints: [Hint]) -> [Line] {
    guard let model else { return [] }
    switch page {
    case .player: return text.lines(model, hints: hints)
    case .help: return PlayerHelp.lines(text)
    case .picker: return PickerText(text: text).lines(opened(model.snapshot.track), faults: faults, model)
    }
  }

  /// The results of a key; empty where it only affects the page.
  mutating func press(_ key: Key, rows: Int, columns: Int, seed: UInt64) -> [PlayerBinding.Request] {
    if key == .control("l") { return [.redraw] }
    switch page {
    case .help:
      page = .player
      return key == .character("q") ? [.quit] : []
    case .picker:
      var picker = opened(model?.snapshot.track ?? 0)
      let size = PickerText(text: PlayerText(columns: columns, rows: rows)).page
      let outcome = picker.press(key, page: size)
      self.picker = picker
      switch outcome {
      case .open: return []
      case .closed:
        page = .player
        return []
      case .chosen(let track):
        page = .player
        return [.player(.track(track)), .player(.play)]
      }
    case .player:
      var snapshot = model?.snapshot ?? PlayerSnapshot()
      let request = keys.request(key, &snapshot, seed: seed)
      model?.snapshot = snapshot
      switch request {
      case .pick:
        page = .picker
        picker?.open(at: snapshot.track)
        return []
      case .help:
        page = .help
        return []
      default: return request.map { [$0] } ?? []
      }
    }
  }

  private mutating func opened(_ track: Int) -> Picker {
    if let picker { return picker }
    let new = Picker(library, at: track)
    picker = new
    return new
  }
}

/// The page of help, which explains the keys. [control]
enum PlayerHelp {
  /// The page. Where there are too few rows, it has two columns from 76 columns of text on; else its end is left out.
  static func lines(_ text: PlayerText) -> [Line] {
    let isFull = text.style.glyphs == .full
    let rows = PlayerBinding.all.map { binding -> Line in
      var line = Line(binding.keys(isFull: isFull), .strong)
      line.fill(to: 13)
      line.add(binding.help)
      return line
    }
    let room = max(1, text.rows - 4)
    var lines = text.rows > 4 ? [Line(), Line("Keys", .strong), Line()] : []
    let half = (rows.count + 1) / 2
    if rows.count > room, text.width >= 76 {
      for index in 0..<min(half, room) {
        var line = rows[index].cut(to: text.width / 2 - 2)
        if half + index < rows.count {
          line.fill(to: text.width / 2)
          line.add(rows[half + index])
        }
        lines.append(line)
      }
    } else {
      lines += rows.prefix(text.rows > 4 ? room : text.rows - 1)
    }
    while lines.count < text.rows - 1 { lines.append(Line()) }
    var footer = Line("any key", .strong)
    footer.add(" back, ", .dim)
    footer.add("q", .strong)
    footer.add(" quit", .dim)
    return (lines.prefix(max(0, text.rows - 1)) + [footer]).map { text.inset($0) }
  }
}
