/// The last events of a player, by number.
struct History: Sendable {
  private var events: [PlayerEvent] = []
  /// How many there have been.
  private(set) var count = 0

  /// How many are kept.
  static let kept = 256

  /// Takes one.
  mutating func tell(_ event: PlayerEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) } else { events[(count - 1) % Self.kept] = event }
  }

  /// What came after the event of a number, oldest first.
  func after(_ number: Int) -> [(number: Int, event: PlayerEvent)] {
    let first = max(max(0, number) + 1, count - events.count + 1)
    guard first <= count else { return [] }
    return (first...count).map { ($0, events[($0 - 1) % Self.kept]) }
  }
}
