import Realtime

/// How a player stands, at one moment. [any]
public struct PlayerSnapshot: Equatable, Sendable {
  /// Whether it plays, as far as it was asked to.
  public var isPlaying = false
  /// Whether everything has been played.
  public var isOver = false
  /// Whether it stands still because it was stopped or has come to its end, and not because it was paused; the next
  /// track and the one before leave it so.
  public var isStopped = false
  /// Whether its server is gone for the moment.
  public var isInterrupted = false
  /// Where the track is heard, in seconds of the track.
  public var currentTime = 0.0
  /// The device's clock, in seconds: the timeline.
  public var deviceCurrentTime = 0.0
  /// How long the track is, in seconds; nil where the file does not say.
  public var duration: Double?
  /// How many channels the track has.
  public var numberOfChannels = 0
  /// What the file is made of.
  public var format: AudioFormat?
  /// The file, as it was given.
  public var path = ""
  /// What the file says of its music.
  public var tags = AudioTags()
  /// The place of the track in the list, from 0.
  public var track = 0
  /// How many tracks there are.
  public var tracks = 0
  /// How it plays, and what it was set to.
  public var settings = PlayerSettings()
  /// How often the disk was late.
  public var underruns: Int64 = 0
  /// Samples of silence that stood in for what the disk did not deliver in time.
  public var missingSamples: Int64 = 0
  /// Samples in all channels that were not finite and became 0.
  public var nonFinite = 0
  /// What went wrong last; nil if nothing did.
  public var fault: AudioError?
  /// What was left out first of the folders and playlists that were loaded; nil if nothing was.
  public var leftOut: ListError?

  /// A player that has nothing.
  public init() {}
}

extension PlayerState {
  /// How the player stands now.
  var snapshot: PlayerSnapshot {
    mutating get {
      catchUp()
      let place = here
      let known = format(of: place.track)
      var snapshot = PlayerSnapshot()
      snapshot.isPlaying =
        follower.map { $0.isThere } == true ? follower?.rolls == true && !isOver : isPlaying
      snapshot.isOver = isOver
      // A transport that others lead may have rolled since.
      if snapshot.isPlaying { isStopped = false }
      snapshot.isStopped = isStopped
      snapshot.isInterrupted = isInterrupted
      snapshot.currentTime = seconds(place)
      snapshot.deviceCurrentTime = Double(crossfade.sample) / Double(hostRate)
      snapshot.duration = known?.0.duration
      snapshot.numberOfChannels = known?.0.channels ?? 0
      snapshot.format = known?.0
      snapshot.path = playlist.path(place.track)
      snapshot.tags = known?.1 ?? AudioTags()
      snapshot.track = place.track
      snapshot.tracks = playlist.files.count
      snapshot.settings = playlist.settings
      (snapshot.underruns, snapshot.missingSamples) = crossfade.underruns
      snapshot.nonFinite = nonFinite
      snapshot.fault = fault ?? brokenAtOnce
      snapshot.leftOut = leftOut
      return snapshot
    }
  }
}
