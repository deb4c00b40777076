import Realtime

/// The state of a player at one moment. [any]
public struct PlayerSnapshot: Equatable, Sendable {
  /// Whether it has been asked to play.
  public var isPlaying = false
  /// Whether everything has been played.
  public var isOver = false
  /// Whether it was stopped or has come to its end, and was not only paused; going to another track does not change
  /// this.
  public var isStopped = false
  /// Whether the audio server is gone.
  public var isInterrupted = false
  /// The place that is heard, in seconds of the track.
  public var currentTime = 0.0
  /// The device's clock in seconds: the timeline.
  public var deviceCurrentTime = 0.0
  /// Duration of the track in seconds, if the file states it.
  public var duration: Double?
  /// Number of channels of the track.
  public var numberOfChannels = 0
  /// The format of the file.
  public var format: AudioFormat?
  /// The path, as it was given.
  public var path = ""
  /// The tags of the file.
  public var tags = AudioTags()
  /// The index of the track in the list, from 0.
  public var track = 0
  /// Number of tracks.
  public var tracks = 0
  /// A number that grows each time that other files are loaded.
  public var listNumber = 0
  /// Its current settings.
  public var settings = PlayerSettings()
  /// Number of times that the disk was late.
  public var underruns: Int64 = 0
  /// Samples of silence that replaced samples which were late.
  public var missingSamples: Int64 = 0
  /// Samples, over all channels, that were not finite and became 0.
  public var nonFinite = 0
  /// The last fault, if there was one.
  public var fault: AudioError?
  /// The first entry of the loaded folders and playlists that was left out, if there is one.
  public var leftOut: ListError?

  /// Makes the state of a player without files.
  public init() {}
}

extension PlayerState {
  /// The current state of the player.
  var snapshot: PlayerSnapshot {
    mutating get {
      catchUp()
      let place = here
      let known = format(of: place.track)
      var snapshot = PlayerSnapshot()
      snapshot.isPlaying =
        follower.map { $0.isThere } == true ? follower?.rolls == true && !isOver : isPlaying
      snapshot.isOver = isOver
      // Another client may have started the transport since.
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
      snapshot.listNumber = playlist.number
      snapshot.settings = playlist.settings
      (snapshot.underruns, snapshot.missingSamples) = crossfade.underruns
      snapshot.nonFinite = nonFinite
      snapshot.fault = fault ?? brokenAtOnce
      snapshot.leftOut = leftOut
      return snapshot
    }
  }
}
