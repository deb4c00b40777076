import Playback

/// All that the player's screen shows, at one moment. [control]
struct PlayerScreenModel: Equatable, Sendable {
  /// What it is doing, in a word.
  enum State: Equatable, Sendable { case loading, playing, paused, stopped, interrupted, over }

  /// How the player stands.
  var snapshot = PlayerSnapshot()
  /// The host, the levels, the messages; nil where nobody asks for them.
  var status: ShowStatus?
  /// What the list calls the track.
  var listTitle: String?
  /// What comes next, as far as that is known.
  var coming: [String] = []
  /// Whether it was stopped, not paused.
  var wasStopped = false
  /// Where a section would begin, once its end is given; in seconds.
  var mark: Double?

  /// What it is doing.
  var state: State {
    if snapshot.isInterrupted { return .interrupted }
    if snapshot.isOver { return .over }
    if snapshot.format == nil { return .loading }
    return snapshot.isPlaying ? .playing : wasStopped ? .stopped : .paused
  }

  /// What the track is called: by its tags, else by the list, else by its file.
  var title: String {
    func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    return nonEmpty(snapshot.tags.title) ?? nonEmpty(listTitle) ?? Track.name(of: snapshot.path)
  }

  /// Who plays it and what it is from.
  func credits(dash: String) -> String {
    [snapshot.tags.artist, snapshot.tags.album].compactMap { $0 }.filter { !$0.isEmpty }.joined(
      separator: dash)
  }

  /// The channels that are measured.
  var channels: [ShowStatus.Channel] { status?.sources.first?.channels ?? [] }
}
