import Playback

/// What the keys of the player ask for. [control]
struct PlayerKeys: Equatable {
  /// What they can ask of the screen.
  enum Request: Equatable {
    case player(PlayerCommand)
    case pick, help, redraw, quit
  }

  /// Where a section would begin, once its end is given; in seconds.
  private(set) var mark: Double?
  /// Whether a key has stopped it since it last played.
  private(set) var hasStopped = false

  /// Looks how the player stands, before its keys are taken.
  mutating func update(_ snapshot: PlayerSnapshot, isAnotherTrack: Bool) {
    if snapshot.isPlaying { hasStopped = false }
    if snapshot.settings.section != nil || isAnotherTrack { mark = nil }
  }

  /// What a key asks for; `snapshot` become what they will be, so that keys pressed in one moment add up.
  mutating func request(_ key: Key, _ snapshot: inout PlayerSnapshot, seed: UInt64) -> Request? {
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
    case .up: return .player(louder(0.05, &snapshot))
    case .down: return .player(louder(-0.05, &snapshot))
    case .character("n"), .character(">"): return .player(.next)
    case .character("b"), .character("<"): return .player(.previous)
    case .character("["): return .player(faster(-0.05, &snapshot))
    case .character("]"): return .player(faster(0.05, &snapshot))
    case .character("{"): return .player(.pitch(.kept))
    case .character("}"): return .player(.pitch(.varispeed))
    case .character("("): return .player(panned(-0.1, &snapshot))
    case .character(")"): return .player(panned(0.1, &snapshot))
    case .character("l"):
      snapshot.settings.loop = snapshot.settings.loop == .times(1) ? .forever : .times(1)
      return .player(.loop(snapshot.settings.loop))
    case .character("a"): return section(&snapshot)
    case .character("A"):
      mark = nil
      snapshot.settings.section = nil
      return .player(.section(nil))
    case .character("z"):
      snapshot.settings.shuffle = snapshot.settings.shuffle == nil ? seed : nil
      return .player(.shuffle(seed: snapshot.settings.shuffle))
    case .character("r"):
      snapshot.settings.again =
        snapshot.settings.again == .off ? .all : snapshot.settings.again == .all ? .one : .off
      return .player(.again(snapshot.settings.again))
    case .character("/"): return .pick
    case .character("?"), .character("h"): return .help
    case .character("q"): return .quit
    case .control("l"): return .redraw
    default: return nil
    }
  }

  /// Begins a section, ends it, lets it go: one after the other.
  private mutating func section(_ snapshot: inout PlayerSnapshot) -> Request? {
    if snapshot.settings.section != nil {
      (mark, snapshot.settings.section) = (nil, nil)
      return .player(.section(nil))
    }
    guard let begin = mark else {
      mark = snapshot.currentTime
      return nil
    }
    mark = nil
    // Less than this is a key pressed twice; ends in either order make a section.
    guard abs(snapshot.currentTime - begin) >= 0.05 else { return nil }
    snapshot.settings.section = min(begin, snapshot.currentTime)...max(begin, snapshot.currentTime)
    return .player(.section(snapshot.settings.section))
  }

  private func louder(_ step: Float, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.volume, by: step, parts: 20, in: PlayerParameters.volume)
    return .volume(snapshot.settings.volume, fade: 0.05)
  }

  private func faster(_ step: Double, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.rate, by: step, parts: 20, in: PlayerParameters.rate)
    return .rate(snapshot.settings.rate)
  }

  private func panned(_ step: Float, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.pan, by: step, parts: 10, in: PlayerParameters.pan)
    return .pan(snapshot.settings.pan)
  }

  /// Moves a number to a whole number of parts of 1, within what a player takes.
  private static func move<Value: BinaryFloatingPoint>(
    _ value: inout Value, by step: Value, parts: Value, in parameter: PlayerNumber
  ) {
    value = parameter.clamped(((value + step) * parts).rounded() / parts) ?? value
  }
}
