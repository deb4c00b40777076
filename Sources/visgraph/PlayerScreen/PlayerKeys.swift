import Playback

/// Makes requests of keys, by `PlayerBinding`. [control]
struct PlayerKeys: Equatable {
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
  mutating func request(_ key: Key, _ snapshot: inout PlayerSnapshot, seed: UInt64) -> PlayerBinding.Request?
  {
    switch PlayerBinding.action(of: key) {
    case .request(let request): return request
    case .toggle:
      hasStopped = false
      return .player(.toggle)
    case .stop:
      hasStopped = true
      return .player(.stop)
    case .volume(let step): return .player(changeVolume(step, &snapshot))
    case .pan(let step): return .player(changePan(step, &snapshot))
    case .rate(let step): return .player(changeRate(step, &snapshot))
    case .loop:
      snapshot.settings.loop = snapshot.settings.loop == .times(1) ? .forever : .times(1)
      return .player(.loop(snapshot.settings.loop))
    case .section: return section(&snapshot)
    case .removeSection:
      mark = nil
      snapshot.settings.section = nil
      return .player(.section(nil))
    case .shuffle:
      snapshot.settings.shuffle = snapshot.settings.shuffle == nil ? seed : nil
      return .player(.shuffle(seed: snapshot.settings.shuffle))
    case .again:
      snapshot.settings.repeatMode =
        snapshot.settings.repeatMode == .off ? .all : snapshot.settings.repeatMode == .all ? .one : .off
      return .player(.again(snapshot.settings.repeatMode))
    case nil: return nil
    }
  }

  /// Sets the start of a section, then its end, then removes it.
  private mutating func section(_ snapshot: inout PlayerSnapshot) -> PlayerBinding.Request? {
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
