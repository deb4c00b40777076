/// How a player stands, for one that takes its place at another sample rate: its playlist and its place. What
/// was decoded is left behind. [any]
public struct PlayerHandover: Sendable {
  let playlist: Playlist
  /// In samples or seconds of the file, which do not depend on the rate of the host.
  let place: PlaylistPosition
  let isPlaying: Bool
  let isOver: Bool
  let isStopped: Bool
  /// Whether it has let go of its files.
  let isResting: Bool
  let isInterrupted: Bool
  let mustGather: Bool
  let gatherWithin: [String]
  let segment: TimelineSegment?
  let log: EventLog
  let errors: Int
  let nonFinite: Int
  let fault: AudioError?
}
