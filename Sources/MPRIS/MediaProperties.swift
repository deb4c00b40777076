import DBus

/// The properties of the interface, in the names and units of MPRIS. [desktop]
struct MediaProperties {
  /// The player's name on the bus, with which its object paths begin.
  let name: String
  /// The name of the program for users.
  let identity: String

  /// The range of playback rates.
  let rates: ClosedRange<Double>
  /// The range of volumes.
  let volumes: ClosedRange<Double>

  /// The MIME types of files that a player opens.
  static let mediaTypes = [
    "audio/aac", "audio/aiff", "audio/basic", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg",
    "audio/opus",
    "audio/wav", "audio/x-aiff", "audio/x-caf", "audio/x-flac", "audio/x-m4a", "audio/x-mpegurl",
    "audio/x-opus+ogg", "audio/x-scpls", "audio/x-vorbis+ogg", "audio/x-wav", "application/ogg",
    "application/xspf+xml",
  ]

  /// The properties of `org.mpris.MediaPlayer2`.
  var program: [BusEntry] {
    [
      BusEntry("CanQuit", .flag(true)), BusEntry("CanRaise", .flag(false)),
      BusEntry("HasTrackList", .flag(false)), BusEntry("Identity", .text(identity)),
      BusEntry("SupportedUriSchemes", .texts(["file"])),
      BusEntry("SupportedMimeTypes", .texts(Self.mediaTypes)),
    ]
  }

  /// The properties of the player whose changes are sent to desktops: all but the position and constants.
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

  /// All properties of `org.mpris.MediaPlayer2.Player`.
  func player(_ state: MediaState) -> [BusEntry] {
    reported(state) + [
      BusEntry("Position", .integer(Self.microseconds(state.position))),
      BusEntry("MinimumRate", .number(rates.lowerBound)),
      BusEntry("MaximumRate", .number(rates.upperBound)), BusEntry("CanControl", .flag(true)),
    ]
  }

  /// The object path of the track.
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

  /// Seconds as microseconds, the unit of MPRIS; 0 for what is negative, not finite or out of range.
  static func microseconds(_ seconds: Double) -> Int64 {
    Int64(exactly: (seconds * 1e6).rounded()).map { max(0, $0) } ?? 0
  }
}

extension MediaState {
  /// Whether there is anything to play.
  var hasTrack: Bool { !path.isEmpty }
}
