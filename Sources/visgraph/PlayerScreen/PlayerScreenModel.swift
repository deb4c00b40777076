import Playback

/// The content of the player's screen at one moment. [control]
struct PlayerScreenModel: Equatable, Sendable {
  enum State: Equatable, Sendable { case loading, playing, paused, stopped, interrupted, over }

  var snapshot = PlayerSnapshot()
  /// Host, levels and messages; nil: not known.
  var status: ShowStatus?
  /// The track's title in the playlist.
  var listTitle: String?
  /// The next tracks, as far as they are known.
  var coming: [String] = []
  /// Whether the player was stopped, not paused.
  var wasStopped = false
  /// The start of a section whose end is not set yet, in s.
  var mark: Double?

  var state: State {
    if snapshot.isInterrupted { return .interrupted }
    if snapshot.isOver { return .over }
    if snapshot.format == nil { return .loading }
    return snapshot.isPlaying ? .playing : wasStopped ? .stopped : .paused
  }

  /// The track's title: from its tags, else the playlist, else the file name.
  var title: String {
    func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    return nonEmpty(snapshot.tags.title) ?? nonEmpty(listTitle) ?? Track.name(of: snapshot.path)
  }

  /// Artist and album.
  func credits(dash: String) -> String {
    [snapshot.tags.artist, snapshot.tags.album].compactMap { $0 }.filter { !$0.isEmpty }.joined(
      separator: dash)
  }

  /// The metered channels.
  var channels: [ShowStatus.Channel] { status?.sources.first?.channels ?? [] }
}
