import DBus

/// Looks at a player again and again, and says what desktops must be sent: what is another than before, and when it
/// stands where they cannot expect it. [desktop]
struct PropertyChanges {
  /// How far from where they expect it may be unnoticed, in seconds. A desktop counts on from what it was sent last, and
  /// a player's place moves in steps of a cycle.
  static let tolerance = 0.25
  /// The same for `attention` seconds after another place was asked for.
  static let closeTolerance = 0.03
  /// How long that is, in seconds.
  static let attention = 0.5

  private let properties: MediaProperties
  private var reported: [BusEntry]
  /// What was seen last, and when.
  private var last: (state: MediaState, time: Double)
  /// Where desktops think it was, and when.
  private var anchor: (position: Double, time: Double)
  private var closeUntil = -Double.infinity

  /// Begins with what a desktop finds when it asks for all.
  init(_ properties: MediaProperties, _ state: MediaState, at time: Double) {
    self.properties = properties
    reported = properties.reported(state)
    last = (state, time)
    anchor = (state.position, time)
  }

  /// Another place was asked for.
  mutating func expectJump(at time: Double) { closeUntil = time + Self.attention }

  /// Takes a look: the properties that have changed, and whether it has jumped.
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
    // Where it may be without surprise, and whether desktops count on from what they know.
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
