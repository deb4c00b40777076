/// The state of a player, for one that replaces it at another sample rate: its playlist and place. Decoded samples are
/// not kept. [any]
public struct PlayerHandover: Sendable {
  let playlist: Playlist
  /// In samples or seconds of the file, which do not depend on the host's rate.
  let place: PlaylistPosition
  let isPlaying: Bool
  let isOver: Bool
  let isStopped: Bool
  /// Whether it has closed its files.
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
