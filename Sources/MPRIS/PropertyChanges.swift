import DBus

/// Compares states of a player: finds the properties that have changed, and positions that desktops cannot predict.
/// [desktop]
struct PropertyChanges {
  /// The difference to the expected position that counts as a jump, in seconds. A desktop extrapolates from the last
  /// message, and a player's position moves in steps of a cycle.
  static let tolerance = 0.25
  /// The same in the `attention` seconds after a seek was requested.
  static let closeTolerance = 0.03
  /// The time after a request to seek in which `closeTolerance` holds, in seconds.
  static let attention = 0.5

  private let properties: MediaProperties
  private var reported: [BusEntry]
  /// The last state, and its time in seconds.
  private var last: (state: MediaState, time: Double)
  /// The position from which desktops extrapolate, and its time, both in seconds.
  private var anchor: (position: Double, time: Double)
  private var closeUntil = -Double.infinity

  /// Begins with the state that a desktop reads by `GetAll`.
  init(_ properties: MediaProperties, _ state: MediaState, at time: Double) {
    self.properties = properties
    reported = properties.reported(state)
    last = (state, time)
    anchor = (state.position, time)
  }

  /// Notes that a seek was requested.
  mutating func expectJump(at time: Double) { closeUntil = time + Self.attention }

  /// Compares a new state with the last. Returns the properties that have changed, and whether the position has
  /// jumped.
  mutating func poll(_ state: MediaState, at time: Double) -> (changed: [BusEntry], hasJumped: Bool) {
    let now = properties.reported(state)
    let changed = zip(now, reported).filter { $0 != $1 }.map(\.0)
    reported = now
    return (changed, jumped(state, at: time))
  }

  private mutating func jumped(_ state: MediaState, at time: Double) -> Bool {
    let before = last.state
    guard state.position.isFinite, state.rate.isFinite else { return false }
    let played = max(0, (time - last.time) * max(state.rate, before.rate))
    last = (state, time)
    let tolerance = time < closeUntil ? Self.closeTolerance : Self.tolerance
    // The positions that are no surprise, and whether desktops go on to extrapolate from the anchor.
    let expected: ClosedRange<Double>
    var goesOn = false
    if state.track != before.track {
      expected = 0...played
    } else if state.status == .stopped {
      anchor = (state.position, time)
      return false
    } else if state.status == .playing, before.status == .playing, state.rate == before.rate {
      let place = anchor.position + (time - anchor.time) * state.rate
      expected = place...place
      goesOn = true
    } else if state.status == .playing || before.status == .playing {
      expected = before.position...before.position + played
    } else {
      expected = before.position...before.position
    }
    let isStill = state.status != .playing && before.status != .playing && state.track == before.track
    let margin = isStill ? 0.001 : tolerance
    let isExpected =
      state.position >= expected.lowerBound - margin && state.position <= expected.upperBound + margin
    if !isExpected || !goesOn { anchor = (state.position, time) }
    return !isExpected
  }
}
