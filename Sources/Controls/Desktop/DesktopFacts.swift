import MPRIS
import Playback

extension MediaFacts {
  /// How a player stands, in the desktop's words; `turn` numbers the track, `cover` is the path of its picture.
  /// [desktop]
  init(_ facts: PlayerFacts, turn: Int, cover: String?) {
    self.init()
    guard !facts.path.isEmpty, facts.tracks > 0 else { return }
    let begins = facts.section?.lowerBound ?? 0
    let isSounding = facts.isPlaying && !facts.isInterrupted && !facts.isOver
    status = isSounding ? .playing : facts.isOver || facts.currentTime <= begins ? .stopped : .paused
    position = facts.currentTime
    duration = facts.duration
    track = turn
    title = facts.tags.title ?? Track.name(of: facts.path)
    artist = facts.tags.artist
    album = facts.tags.album
    // What was named on the command line may begin where this process stands, which nobody on the bus knows.
    path = absolutePath(facts.path)
    self.cover = cover
    rate = facts.rate
    // As it was said, not as its 24 bits say it.
    volume = (Double(facts.volume) * 1e6).rounded() / 1e6
    isShuffled = facts.shuffle != nil
    again = Again(facts)
    hasNext = facts.tracks > 1 && (facts.track + 1 < facts.tracks || isShuffled || again == .list)
    // The beginning of this one is always there.
    hasPrevious = true
  }
}

extension MediaFacts.Again {
  /// What is played again, whichever of a player's two ways says so.
  init(_ facts: PlayerFacts) {
    self =
      switch facts.again {
      case .one: .track
      case .all: .list
      case .off where facts.loop == .forever: facts.tracks > 1 ? .list : .track
      case .off: .none
      }
  }
}

extension PlayerCommand {
  /// What a player is told when a desktop asks for something, as it stands. [desktop]
  static func commands(for request: MediaRequest, _ facts: PlayerFacts) -> [PlayerCommand] {
    switch request {
    case .play: [.play]
    case .pause: [.pause]
    case .toggle: [.toggle]
    // The desktop's stop goes back to the beginning.
    case .stop: [.rewind]
    case .next: [.next]
    case .previous: [.previous]
    case .skip(let seconds): [.skip(seconds)]
    case .seek(let seconds, _): [.seek(seconds)]
    case .rate(let rate): [.rate(rate)]
    case .volume(let volume): [.volume(Float(volume), fade: 0)]
    case .shuffle(let isShuffled):
      isShuffled == (facts.shuffle != nil)
        ? [] : [.shuffle(seed: isShuffled ? UInt64.random(in: 0 ... .max) : nil)]
    case .again(let again):
      // A loop without end would go on whatever follows it.
      (facts.loop == .forever ? [.loop(.times(1))] : [])
        + [.again(again == .none ? .off : again == .track ? .one : .all)]
    case .open(let path): [.load([path]), .play]
    case .quit: []
    }
  }
}
