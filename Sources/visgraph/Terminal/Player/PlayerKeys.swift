import Playback

/// What the keys of the player ask for. [control]
struct PlayerKeys: Equatable {
  /// What they can ask of the screen.
  enum Wish: Equatable {
    case player(PlayerCommand)
    case pick, help, redraw, quit
  }

  /// Where a section would begin, once its end is told; in seconds.
  private(set) var mark: Double?
  /// Whether a key has stopped it since it last played.
  private(set) var hasStopped = false

  /// Looks how the player stands, before its keys are taken.
  mutating func look(_ facts: PlayerFacts, isAnotherTrack: Bool) {
    if facts.isPlaying { hasStopped = false }
    if facts.section != nil || isAnotherTrack { mark = nil }
  }

  /// What a key asks for; `facts` become what they will be, so that keys pressed in one moment add up.
  mutating func wish(_ key: Key, _ facts: inout PlayerFacts, seed: UInt64) -> Wish? {
    switch key {
    case .character(" "):
      hasStopped = false
      return .player(.toggle)
    case .character("s"):
      hasStopped = true
      return .player(.stop)
    case .left: return .player(.skip(-5))
    case .right: return .player(.skip(5))
    case .pageUp: return .player(.skip(60))
    case .pageDown: return .player(.skip(-60))
    case .home: return .player(.seek(0))
    case .up: return .player(louder(0.05, &facts))
    case .down: return .player(louder(-0.05, &facts))
    case .character("n"), .character(">"): return .player(.next)
    case .character("b"), .character("<"): return .player(.previous)
    case .character("["): return .player(faster(-0.05, &facts))
    case .character("]"): return .player(faster(0.05, &facts))
    case .character("{"): return .player(.pitch(.kept))
    case .character("}"): return .player(.pitch(.varispeed))
    case .character("("): return .player(panned(-0.1, &facts))
    case .character(")"): return .player(panned(0.1, &facts))
    case .character("l"):
      facts.loop = facts.loop == .times(1) ? .forever : .times(1)
      return .player(.loop(facts.loop))
    case .character("a"): return section(&facts)
    case .character("A"):
      mark = nil
      facts.section = nil
      return .player(.section(nil))
    case .character("z"):
      facts.shuffle = facts.shuffle == nil ? seed : nil
      return .player(.shuffle(seed: facts.shuffle))
    case .character("r"):
      facts.again = facts.again == .off ? .all : facts.again == .all ? .one : .off
      return .player(.again(facts.again))
    case .character("/"): return .pick
    case .character("?"), .character("h"): return .help
    case .character("q"): return .quit
    case .control("l"): return .redraw
    default: return nil
    }
  }

  /// Begins a section, ends it, lets it go: one after the other.
  private mutating func section(_ facts: inout PlayerFacts) -> Wish? {
    if facts.section != nil {
      (mark, facts.section) = (nil, nil)
      return .player(.section(nil))
    }
    guard let begin = mark else {
      mark = facts.currentTime
      return nil
    }
    mark = nil
    // Less than this is a key pressed twice; ends in either order make a section.
    guard abs(facts.currentTime - begin) >= 0.05 else { return nil }
    facts.section = min(begin, facts.currentTime)...max(begin, facts.currentTime)
    return .player(.section(facts.section))
  }

  private func louder(_ step: Float, _ facts: inout PlayerFacts) -> PlayerCommand {
    facts.volume = max(0, min(1, ((facts.volume + step) * 20).rounded() / 20))
    return .volume(facts.volume, fade: 0.05)
  }

  private func faster(_ step: Double, _ facts: inout PlayerFacts) -> PlayerCommand {
    facts.rate = max(0.5, min(2, ((facts.rate + step) * 20).rounded() / 20))
    return .rate(facts.rate)
  }

  private func panned(_ step: Float, _ facts: inout PlayerFacts) -> PlayerCommand {
    facts.pan = max(-1, min(1, ((facts.pan + step) * 10).rounded() / 10))
    return .pan(facts.pan)
  }
}
