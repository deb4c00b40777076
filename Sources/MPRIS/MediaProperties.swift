/// What desktops can read of a player: the properties of the interface, in its own words and units. [desktop]
struct MediaProperties {
  /// The word that objects of this player begin with.
  let name: String
  /// What people call the program.
  let identity: String

  /// The slowest and the fastest that it plays.
  let rates: ClosedRange<Double>
  /// The quietest and the loudest.
  let volumes: ClosedRange<Double>

  /// Kinds of files that a player opens.
  static let mediaTypes = [
    "audio/aac", "audio/aiff", "audio/basic", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg",
    "audio/opus",
    "audio/wav", "audio/x-aiff", "audio/x-caf", "audio/x-flac", "audio/x-m4a", "audio/x-mpegurl",
    "audio/x-opus+ogg", "audio/x-scpls", "audio/x-vorbis+ogg", "audio/x-wav", "application/ogg",
    "application/xspf+xml",
  ]

  /// The program's.
  var program: [BusEntry] {
    [
      BusEntry("CanQuit", .flag(true)), BusEntry("CanRaise", .flag(false)),
      BusEntry("HasTrackList", .flag(false)), BusEntry("Identity", .text(identity)),
      BusEntry("SupportedUriSchemes", .texts(["file"])),
      BusEntry("SupportedMimeTypes", .texts(Self.mediaTypes)),
    ]
  }

  /// The player's, but for where it stands: those whose changes desktops are told.
  func reported(_ state: MediaState) -> [BusEntry] {
    [
      BusEntry("PlaybackStatus", .text(state.status.rawValue)),
      BusEntry("LoopStatus", .text(state.again.rawValue)),
      BusEntry("Rate", .number(state.rate)), BusEntry("Shuffle", .flag(state.isShuffled)),
      BusEntry("Metadata", .entries(metadata(state))), BusEntry("Volume", .number(state.volume)),
      BusEntry("CanGoNext", .flag(state.hasNext)), BusEntry("CanGoPrevious", .flag(state.hasPrevious)),
      BusEntry("CanPlay", .flag(state.hasTrack)), BusEntry("CanPause", .flag(state.hasTrack)),
      BusEntry("CanSeek", .flag(state.hasTrack)),
    ]
  }

  /// All of the player's.
  func player(_ state: MediaState) -> [BusEntry] {
    reported(state) + [
      BusEntry("Position", .integer(Self.microseconds(state.position))),
      BusEntry("MinimumRate", .number(rates.lowerBound)),
      BusEntry("MaximumRate", .number(rates.upperBound)), BusEntry("CanControl", .flag(true)),
    ]
  }

  /// The object that stands for the track.
  func track(_ state: MediaState) -> String {
    guard state.hasTrack else { return "/org/mpris/MediaPlayer2/TrackList/NoTrack" }
    return
      "/\(String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }))/track/\(state.track)"
  }

  private func metadata(_ state: MediaState) -> [BusEntry] {
    var entries = [BusEntry("mpris:trackid", .object(track(state)))]
    guard state.hasTrack else { return entries }
    if let duration = state.duration {
      entries.append(BusEntry("mpris:length", .integer(Self.microseconds(duration))))
    }
    if !state.title.isEmpty { entries.append(BusEntry("xesam:title", .text(state.title))) }
    if let artist = state.artist { entries.append(BusEntry("xesam:artist", .texts([artist]))) }
    if let album = state.album { entries.append(BusEntry("xesam:album", .text(album))) }
    if let url = FileURL.url(of: state.path) { entries.append(BusEntry("xesam:url", .text(url))) }
    if let cover = state.cover.flatMap(FileURL.url) { entries.append(BusEntry("mpris:artUrl", .text(cover))) }
    return entries
  }

  /// Seconds in the bus's unit; what no clock can show is 0.
  static func microseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: (seconds * 1e6).rounded()).map { max(0, $0) } ?? 0
  }
}

extension MediaState {
  /// Whether there is anything to play.
  var hasTrack: Bool { !path.isEmpty }
}

/// Looks at a player again and again, and says what desktops must be told: what is another than before, and when it
/// stands where they cannot expect it. [desktop]
struct PropertyChanges {
  /// How far from where they expect it may be unnoticed, in seconds. A desktop counts on from what it was told last, and
  /// a player's place moves in steps of a cycle.
  static let tolerance = 0.25
  /// The same for `attention` seconds after somebody has asked for another place.
  static let closeTolerance = 0.03
  /// How long that is, in seconds.
  static let attention = 0.5

  private let properties: MediaProperties
  private var reported: [BusEntry]
  /// What was seen last, and when.
  private var last: (state: MediaState, time: Double)
  /// Where desktops think it was, and when.
  private var anchor: (position: Double, time: Double)
  private var closeUntil = -Double.infinity

  /// Begins with what a desktop finds when it asks for all.
  init(_ properties: MediaProperties, _ state: MediaState, at time: Double) {
    self.properties = properties
    reported = properties.reported(state)
    last = (state, time)
    anchor = (state.position, time)
  }

  /// Somebody has asked for another place.
  mutating func expectJump(at time: Double) { closeUntil = time + Self.attention }

  /// Takes a look: the properties that have changed, and whether it has jumped.
  mutating func poll(_ state: MediaState, at time: Double) -> (changed: [BusEntry], hasJumped: Bool) {
    let now = properties.reported(state)
    let changed = zip(now, reported).filter { $0 != $1 }.map(\.0)
    reported = now
    return (changed, jumped(state, at: time))
  }

  private mutating func jumped(_ state: MediaState, at time: Double) -> Bool {
    let before = last.state
    guard state.position.isFinite, state.rate.isFinite else { return false }
    let played = max(0, (time - last.time) * max(state.rate, before.rate))
    last = (state, time)
    let tolerance = time < closeUntil ? Self.closeTolerance : Self.tolerance
    // Where it may be without surprise, and whether desktops count on from what they know.
    let expected: ClosedRange<Double>
    var goesOn = false
    if state.track != before.track {
      expected = 0...played
    } else if state.status == .stopped {
      anchor = (state.position, time)
      return false
    } else if state.status == .playing, before.status == .playing, state.rate == before.rate {
      let place = anchor.position + (time - anchor.time) * state.rate
      expected = place...place
      goesOn = true
    } else if state.status == .playing || before.status == .playing {
      expected = before.position...before.position + played
    } else {
      expected = before.position...before.position
    }
    let isStill = state.status != .playing && before.status != .playing && state.track == before.track
    let margin = isStill ? 0.001 : tolerance
    let isExpected =
      state.position >= expected.lowerBound - margin && state.position <= expected.upperBound + margin
    if !isExpected || !goesOn { anchor = (state.position, time) }
    return !isExpected
  }
}
