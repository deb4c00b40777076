public import Graphs

/// Says which alarms are due, by what the clocks of the place show: a pure value that is told the time. [one]
///
/// The time is a number of seconds as `WallClock.local` has it: days of 86,400 s, so that it jumps where clocks are put
/// forward or back. The rules:
///
/// - An alarm is due when the clock comes to its time or past it, on its days of the week, and at most once on a day of the
///   calendar, however often the clock shows that time on it.
/// - What the clock has passed over, because it was put forward, summer time began or the machine slept, is due at once, in
///   the order of the times, where that is not longer ago than `patience`. What is longer ago is missed.
/// - Where the clock goes back, what was due on that day is not due again.
/// - What was due before the first look is none of it.
public struct AlarmClock: Sendable {
  /// How late an alarm may be, in seconds: as with cron, a change of the clock within three hours leaves nothing out.
  public static let patience = 3 * 3600
  /// How many days on which an alarm was due are remembered.
  static let mostDays = 16

  /// An alarm that is due.
  public struct Due: Equatable, Sendable {
    /// By its place among the alarms.
    public let index: Int
    /// How late it is, in seconds.
    public let late: Int
  }

  /// What the clock showed at the last look; nil: there was none.
  private var last: Int?
  /// For each alarm, by what it is, the last days on which it was due.
  private var days: [(alarm: ShowAlarm, days: [Int])] = []

  /// Nobody has looked yet.
  public init() {}

  /// The alarms that are due when the clock shows a time, in the order of their times, those of one time in file order.
  public mutating func due(_ alarms: [ShowAlarm], at now: Int) -> [Due] {
    defer { last = now }
    guard let last, now > last, !alarms.isEmpty else { return [] }
    let first = max(last, now - Self.patience - 1)
    var found: [(time: Int, index: Int)] = []
    for day in Self.day(of: first)...Self.day(of: now) {
      for (index, alarm) in alarms.enumerated() {
        let time = day * 86_400 + alarm.second
        guard time > first, time <= now, alarm.days.contains(Self.weekday(of: day)) else { continue }
        if note(alarm, day) { found.append((time, index)) }
      }
    }
    return found.sorted { $0 < $1 }.map { Due(index: $0.index, late: now - $0.time) }
  }

  /// Notes that an alarm is due on a day; false where it was already.
  private mutating func note(_ alarm: ShowAlarm, _ day: Int) -> Bool {
    let place = days.firstIndex { $0.alarm == alarm } ?? days.endIndex
    if place == days.endIndex { days.append((alarm, [])) }
    guard !days[place].days.contains(day) else { return false }
    days[place].days = days[place].days.suffix(Self.mostDays - 1) + [day]
    return true
  }

  private static func day(of time: Int) -> Int {
    time >= 0 ? time / 86_400 : (time - 86_399) / 86_400
  }

  /// 0 is Monday; the first of January 1970 was a Thursday.
  static func weekday(of day: Int) -> Int { (day % 7 + 10) % 7 }
}
