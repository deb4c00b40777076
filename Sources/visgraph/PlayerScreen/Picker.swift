import Playback

/// Choosing a track of a library: a filter that is typed, and a place in what it finds. [control]
struct Picker {
  /// What the keys came to.
  enum Outcome: Equatable {
    /// It goes on.
    case open
    /// Nothing was chosen.
    case closed
    /// A track, from 0.
    case chosen(Int)
  }

  /// The tracks.
  private(set) var tracks: [Track]
  /// The folder that all of them lie in.
  let folder: String
  /// What was typed.
  private(set) var query = ""
  /// The tracks that have all its words.
  private(set) var found: [Int]
  /// The place in `found`.
  private(set) var place = 0
  private var search: TrackSearch

  /// Opens at a track.
  init(_ tracks: [Track], at track: Int = 0) {
    self.tracks = tracks
    folder = TrackSearch.commonFolder(of: tracks)
    search = TrackSearch(tracks)
    found = Array(tracks.indices)
    place = max(0, min(tracks.count - 1, track))
  }

  /// Knows from now on what files say of themselves.
  mutating func learn(_ updates: [TagReader.Found]) {
    for found in updates where tracks.indices.contains(found.number) {
      tracks[found.number].tags = found.tags
      search.learn(found)
    }
    // More may have the words by now.
    if !updates.isEmpty, !query.isEmpty { narrow(to: query) }
  }

  /// The tracks that are seen when so many rows are.
  func seen(page: Int) -> ArraySlice<Int> { found.dropFirst(first(page: page)).prefix(page) }

  /// The place in `found` of the first row.
  func first(page: Int) -> Int { max(0, min(place - page / 2, found.count - page)) }

  /// Opens again: everything is shown, at a track.
  mutating func open(at track: Int) {
    query = ""
    found = Array(tracks.indices)
    place = max(0, min(tracks.count - 1, track))
  }

  /// The track at the place; nil where nothing was found.
  var track: Int? { found.indices.contains(place) ? found[place] : nil }

  /// Does what a key says; `page` is how many rows are seen at once.
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
    case .backspace: if !query.isEmpty { narrow(to: String(query.dropLast())) }
    case .control("u"): narrow(to: "")
    case .control("w"): narrow(to: withoutLastWord)
    default: break
    }
    return .open
  }

  private mutating func move(by count: Int) { place = max(0, min(found.count - 1, place + count)) }

  private mutating func type(_ character: Character) {
    // Far more than anybody types: what is pasted by accident must not slow everything down.
    guard query.utf8.count < 200 else { return }
    let more = query + String(character)
    found = search.numbers(matching: more, among: found)
    query = more
    place = 0
  }

  /// Goes back to a query that is shorter, and stays at the track where it can.
  private mutating func narrow(to shorter: String) {
    let track = track
    query = shorter
    found = search.numbers(matching: shorter)
    place = track.flatMap { at in found.firstIndex(of: at) } ?? 0
  }

  private var withoutLastWord: String {
    var rest = query[...]
    while rest.last == " " { rest.removeLast() }
    while let last = rest.last, last != " " { rest.removeLast() }
    return String(rest)
  }
}
