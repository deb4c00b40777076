/// Looks at a player again and again, and says what desktops must be told: what is another than before, and when it
/// stands where they cannot expect it. [desktop]
struct MediaWatch {
  /// How far from where they expect it may be unnoticed, in seconds. A desktop counts on from what it was told last, and
  /// a player's place moves in steps of a cycle.
  static let tolerance = 0.25
  /// The same for `attention` seconds after somebody has asked for another place.
  static let closeTolerance = 0.03
  /// How long that is, in seconds.
  static let attention = 0.5

  private let properties: MediaProperties
  private var told: [BusEntry]
  /// What was seen last, and when.
  private var last: (facts: MediaFacts, time: Double)
  /// Where desktops think it was, and when.
  private var anchor: (position: Double, time: Double)
  private var closeUntil = -Double.infinity

  /// Begins with what a desktop finds when it asks for all.
  init(_ properties: MediaProperties, _ facts: MediaFacts, at time: Double) {
    self.properties = properties
    told = properties.told(facts)
    last = (facts, time)
    anchor = (facts.position, time)
  }

  /// Somebody has asked for another place.
  mutating func expectJump(at time: Double) { closeUntil = time + Self.attention }

  /// Takes a look: the properties that have changed, and whether it has jumped.
  mutating func look(_ facts: MediaFacts, at time: Double) -> (changed: [BusEntry], hasJumped: Bool) {
    let now = properties.told(facts)
    let changed = zip(now, told).filter { $0 != $1 }.map(\.0)
    told = now
    return (changed, jumped(facts, at: time))
  }

  private mutating func jumped(_ facts: MediaFacts, at time: Double) -> Bool {
    let before = last.facts
    guard facts.position.isFinite, facts.rate.isFinite else { return false }
    let played = max(0, (time - last.time) * max(facts.rate, before.rate))
    last = (facts, time)
    let tolerance = time < closeUntil ? Self.closeTolerance : Self.tolerance
    // Where it may be without surprise, and whether desktops count on from what they know.
    let expected: ClosedRange<Double>
    var goesOn = false
    if facts.track != before.track {
      expected = 0...played
    } else if facts.status == .stopped {
      anchor = (facts.position, time)
      return false
    } else if facts.status == .playing, before.status == .playing, facts.rate == before.rate {
      let place = anchor.position + (time - anchor.time) * facts.rate
      expected = place...place
      goesOn = true
    } else if facts.status == .playing || before.status == .playing {
      expected = before.position...before.position + played
    } else {
      expected = before.position...before.position
    }
    let isStill = facts.status != .playing && before.status != .playing && facts.track == before.track
    let margin = isStill ? 0.001 : tolerance
    let isExpected =
      facts.position >= expected.lowerBound - margin && facts.position <= expected.upperBound + margin
    if !isExpected || !goesOn { anchor = (facts.position, time) }
    return !isExpected
  }
}
