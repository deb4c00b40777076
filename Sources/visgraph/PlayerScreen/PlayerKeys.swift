import Playback

/// The key bindings of the player. [control]
struct PlayerKeys: Equatable {
  /// The result of a key.
  enum Request: Equatable {
    case player(PlayerCommand)
    case pick, help, redraw, quit
  }

  /// The start of a section whose end is not set yet, in s.
  private(set) var mark: Double?
  /// Whether a key has stopped the player since it last played.
  private(set) var hasStopped = false

  /// Takes the player's state. Call it before the keys of a frame.
  mutating func update(_ snapshot: PlayerSnapshot, isAnotherTrack: Bool) {
    if snapshot.isPlaying { hasStopped = false }
    if snapshot.settings.section != nil || isAnotherTrack { mark = nil }
  }

  /// The result of a key. Updates `snapshot` in advance, so that several keys in one frame add up.
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
    case .up: return .player(changeVolume(0.05, &snapshot))
    case .down: return .player(changeVolume(-0.05, &snapshot))
    case .character("n"), .character(">"): return .player(.next)
    case .character("b"), .character("<"): return .player(.previous)
    case .character("["): return .player(changeRate(-0.05, &snapshot))
    case .character("]"): return .player(changeRate(0.05, &snapshot))
    case .character("{"): return .player(.pitch(.kept))
    case .character("}"): return .player(.pitch(.varispeed))
    case .character("("): return .player(changePan(-0.1, &snapshot))
    case .character(")"): return .player(changePan(0.1, &snapshot))
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
      snapshot.settings.repeatMode =
        snapshot.settings.repeatMode == .off ? .all : snapshot.settings.repeatMode == .all ? .one : .off
      return .player(.again(snapshot.settings.repeatMode))
    case .character("/"): return .pick
    case .character("?"), .character("h"): return .help
    case .character("q"): return .quit
    case .control("l"): return .redraw
    default: return nil
    }
  }

  /// Sets the start of a section, then its end, then removes it.
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
    // Less than 0.05 s is a double press. The ends may come in either order.
    guard abs(snapshot.currentTime - begin) >= 0.05 else { return nil }
    snapshot.settings.section = min(begin, snapshot.currentTime)...max(begin, snapshot.currentTime)
    return .player(.section(snapshot.settings.section))
  }

  private func changeVolume(_ step: Float, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.volume, by: step, parts: 20, in: PlayerParameters.volume)
    return .volume(snapshot.settings.volume, fade: 0.05)
  }

  private func changeRate(_ step: Double, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.rate, by: step, parts: 20, in: PlayerParameters.rate)
    return .rate(snapshot.settings.rate)
  }

  private func changePan(_ step: Float, _ snapshot: inout PlayerSnapshot) -> PlayerCommand {
    Self.move(&snapshot.settings.pan, by: step, parts: 10, in: PlayerParameters.pan)
    return .pan(snapshot.settings.pan)
  }

  /// Adds `step` to a number, rounds it to a multiple of 1/`parts`, and clamps it to the parameter's range.
  private static func move<Value: BinaryFloatingPoint>(
    _ value: inout Value, by step: Value, parts: Value, in parameter: PlayerNumber
  ) {
    value = parameter.clamped(((value + step) * parts).rounded() / parts) ?? value
  }
}
