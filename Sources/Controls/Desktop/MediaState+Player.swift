import MPRIS
import Playback

extension MediaState {
  /// The state of a player in MPRIS's terms; `trackNumber` numbers the track, `cover` is the path of its picture.
  /// [desktop]
  init(_ snapshot: PlayerSnapshot, trackNumber: Int, cover: String?) {
    self.init()
    guard !snapshot.path.isEmpty, snapshot.tracks > 0 else { return }
    let begins = snapshot.settings.section?.lowerBound ?? 0
    let isSounding = snapshot.isPlaying && !snapshot.isInterrupted && !snapshot.isOver
    let isAtEnd = snapshot.isOver || snapshot.currentTime <= begins
    status = isSounding ? .playing : snapshot.isStopped && isAtEnd ? .stopped : .paused
    position = snapshot.currentTime
    duration = snapshot.duration
    track = trackNumber
    title = snapshot.tags.title ?? Track.name(of: snapshot.path)
    artist = snapshot.tags.artist
    album = snapshot.tags.album
    // A path of the command line may be relative to this process, whose folder no program on the bus knows.
    path = absolutePath(snapshot.path)
    self.cover = cover
    rate = snapshot.settings.rate
    // Rounds to six digits: a float of 0.3 would otherwise be 0.300000012.
    volume = (Double(snapshot.settings.volume) * 1e6).rounded() / 1e6
    isShuffled = snapshot.settings.shuffle != nil
    again = RepeatMode(snapshot)
    hasNext = snapshot.tracks > 1 && (snapshot.track + 1 < snapshot.tracks || isShuffled || again == .list)
    // Going back to the start of this track is always possible.
    hasPrevious = true
  }
}

extension MediaState.RepeatMode {
  /// What is repeated, by `again` or by an endless `loop`.
  init(_ snapshot: PlayerSnapshot) {
    self =
      switch snapshot.settings.repeatMode {
      case .one: .track
      case .all: .list
      case .off where snapshot.settings.loop == .forever: snapshot.tracks > 1 ? .list : .track
      case .off: .none
      }
  }
}

extension PlayerCommand {
  /// The commands to a player for a request of the desktop. [desktop]
  static func commands(for request: MediaRequest, _ snapshot: PlayerSnapshot) -> [PlayerCommand] {
    switch request {
    case .play: [.play]
    case .pause: [.pause]
    case .toggle: [.toggle]
    // MPRIS's Stop goes back to the start of the track.
    case .stop: [.rewind]
    case .next: [.next]
    case .previous: [.previous]
    case .skip(let seconds): [.skip(seconds)]
    case .seek(let seconds, _): [.seek(seconds)]
    case .rate(let rate): [.rate(rate)]
    case .volume(let volume): [.volume(Float(volume), fade: 0)]
    case .shuffle(let isShuffled):
      isShuffled == (snapshot.settings.shuffle != nil)
        ? [] : [.shuffle(seed: isShuffled ? UInt64.random(in: 1...0xFFFF_FFFF) : nil)]
    case .again(let again):
      // An endless loop would repeat the track, whatever `again` says.
      (snapshot.settings.loop == .forever ? [.loop(.times(1))] : [])
        + [.again(again == .none ? .off : again == .track ? .one : .all)]
    case .open(let path): [.load([path], plays: true)]
    case .quit: []
    }
  }
}
