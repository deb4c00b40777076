/// What desktops can read of a player: the properties of the interface, in its own words and units. [desktop]
struct MediaProperties {
  /// The word that objects of this player begin with.
  let name: String
  /// What people call the program.
  let identity: String

  /// The slowest and the fastest that a player plays.
  static let rates = 0.5...2.0

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
  func told(_ facts: MediaFacts) -> [BusEntry] {
    [
      BusEntry("PlaybackStatus", .text(facts.status.rawValue)),
      BusEntry("LoopStatus", .text(facts.again.rawValue)),
      BusEntry("Rate", .number(facts.rate)), BusEntry("Shuffle", .flag(facts.isShuffled)),
      BusEntry("Metadata", .entries(metadata(facts))), BusEntry("Volume", .number(facts.volume)),
      BusEntry("CanGoNext", .flag(facts.hasNext)), BusEntry("CanGoPrevious", .flag(facts.hasPrevious)),
      BusEntry("CanPlay", .flag(facts.hasTrack)), BusEntry("CanPause", .flag(facts.hasTrack)),
      BusEntry("CanSeek", .flag(facts.hasTrack)),
    ]
  }

  /// All of the player's.
  func player(_ facts: MediaFacts) -> [BusEntry] {
    told(facts) + [
      BusEntry("Position", .integer(Self.microseconds(facts.position))),
      BusEntry("MinimumRate", .number(Self.rates.lowerBound)),
      BusEntry("MaximumRate", .number(Self.rates.upperBound)), BusEntry("CanControl", .flag(true)),
    ]
  }

  /// The object that stands for the track.
  func track(_ facts: MediaFacts) -> String {
    guard facts.hasTrack else { return "/org/mpris/MediaPlayer2/TrackList/NoTrack" }
    return
      "/\(String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }))/track/\(facts.track)"
  }

  private func metadata(_ facts: MediaFacts) -> [BusEntry] {
    var entries = [BusEntry("mpris:trackid", .object(track(facts)))]
    guard facts.hasTrack else { return entries }
    if let duration = facts.duration {
      entries.append(BusEntry("mpris:length", .integer(Self.microseconds(duration))))
    }
    if !facts.title.isEmpty { entries.append(BusEntry("xesam:title", .text(facts.title))) }
    if let artist = facts.artist { entries.append(BusEntry("xesam:artist", .texts([artist]))) }
    if let album = facts.album { entries.append(BusEntry("xesam:album", .text(album))) }
    if let url = FileURL.url(of: facts.path) { entries.append(BusEntry("xesam:url", .text(url))) }
    if let cover = facts.cover.flatMap(FileURL.url) { entries.append(BusEntry("mpris:artUrl", .text(cover))) }
    return entries
  }

  /// Seconds in the bus's unit; what no clock can show is 0.
  static func microseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: (seconds * 1e6).rounded()).map { max(0, $0) } ?? 0
  }
}

extension MediaFacts {
  /// Whether there is anything to play.
  var hasTrack: Bool { !path.isEmpty }
}
