import Playback

/// The selection of a track: a typed query, and a cursor in the tracks that match. [control]
struct Picker {
  /// The result of a key.
  enum Outcome: Equatable {
    /// The picker stays open.
    case open
    /// It was closed without a selection.
    case closed
    /// The index of the selected track.
    case chosen(Int)
  }

  /// A query of this many bytes takes no further character: a limit for text that was pasted by accident.
  private static let mostBytes = 200

  private(set) var tracks: [Track]
  /// The deepest folder that holds all tracks, with a slash at its end; empty if there is none.
  let folder: String
  private(set) var query = ""
  /// Indices of the tracks that match all words of the query.
  private(set) var found: [Int]
  /// The cursor, as an index into `found`.
  private(set) var place = 0
  private var search: TrackSearch

  /// Opens with the cursor at a track, by its index.
  init(_ tracks: [Track], at index: Int = 0) {
    self.tracks = tracks
    folder = TrackSearch.commonFolder(of: tracks)
    search = TrackSearch(tracks)
    found = Array(tracks.indices)
    place = max(0, min(tracks.count - 1, index))
  }

  /// Takes tags that were read from files.
  mutating func learn(_ updates: [TagReader.Found]) {
    for update in updates where tracks.indices.contains(update.number) {
      tracks[update.number].tags = update.tags
      search.learn(update)
    }
    // New tags may match the query.
    if !updates.isEmpty, !query.isEmpty { searchAgain(for: query) }
  }

  /// Indices of the tracks in view, if `page` rows are in view.
  func seen(page: Int) -> ArraySlice<Int> { found.dropFirst(first(page: page)).prefix(page) }

  /// The index into `found` of the first row.
  func first(page: Int) -> Int { max(0, min(place - page / 2, found.count - page)) }

  /// Resets the picker to an empty query, with the cursor at a track, by its index.
  mutating func open(at index: Int) {
    query = ""
    found = Array(tracks.indices)
    place = max(0, min(tracks.count - 1, index))
  }

  /// The index in `tracks` of the track at the cursor; nil: no track matches.
  var track: Int? { found.indices.contains(place) ? found[place] : nil }

  /// Handles a key; `page` is the number of rows in view.
  mutating func press(_ key: Key, page: Int) -> Outcome {
    switch key {
    case .escape: return .closed
    case .enter: return track.map { .chosen($0) } ?? .open
    case .up, .control("p"): move(by: -1)
    case .down, .control("n"), .tab: move(by: 1)
    case .pageUp: move(by: -max(1, page - 1))
    case .pageDown: move(by: max(1, page - 1))
    case .home: place = 0
    case .end: place = max(0, found.count - 1)
    case .character(let character): type(character)
    case .backspace: if !query.isEmpty { searchAgain(for: String(query.dropLast())) }
    case .control("u"): searchAgain(for: "")
    case .control("w"): searchAgain(for: withoutLastWord)
    default: break
    }
    return .open
  }

  private mutating func move(by count: Int) { place = max(0, min(found.count - 1, place + count)) }

  private mutating func type(_ character: Character) {
    guard query.utf8.count < Self.mostBytes else { return }
    let more = query + String(character)
    found = search.numbers(matching: more, among: found)
    query = more
    place = 0
  }

  /// Searches all tracks anew, after the query became shorter or tags came; the cursor stays at its track if that
  /// matches.
  private mutating func searchAgain(for query: String) {
    let track = track
    self.query = query
    found = search.numbers(matching: query)
    place = track.flatMap { at in found.firstIndex(of: at) } ?? 0
  }

  private var withoutLastWord: String {
    var rest = query[...]
    while rest.last == " " { rest.removeLast() }
    while let last = rest.last, last != " " { rest.removeLast() }
    return String(rest)
  }
}
