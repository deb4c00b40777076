public import Graphs

/// Says which alarms are due, by what the clocks of the place show: a pure value that is given the time. [one]
///
/// The time is a number of seconds as `WallClock.local` has it: days of 86,400 s, so that it jumps where clocks are put
/// forward or back. The rules:
///
/// - An alarm is due when the clock comes to its time or past it, on its days of the week, and at most once on a day of the
///   calendar, however often the clock shows that time on it.
/// - What the clock has passed over, because it was put forward, summer time began, the machine slept or the program was
///   down, is due at once, in the order of the times, where that is not longer ago than `grace`.
/// - What is longer ago is missed, but for how the show is to look: where the newest scene or cue that was passed over is
///   older than that, and not older than `reach`, it is gone to, and nothing else of its alarm is done.
/// - Where the clock goes back, what was due on that day is not due again.
/// - What was due before the first look is none of it, unless it goes on from an earlier run.
public struct AlarmClock: Sendable {
  /// How late an alarm may be, in seconds: as with cron, a change of the clock within three hours leaves nothing out.
  public static let grace = 3 * 3600
  /// How old the newest scene or cue that was passed over may be, in seconds: each day of the week has been by then.
  public static let reach = 7 * 86_400
  /// How many days on which an alarm was due are remembered.
  static let mostDays = 16

  /// An alarm that is due.
  public struct Due: Equatable, Sendable {
    /// By its place among the alarms.
    public let index: Int
    /// How late it is, in seconds.
    public let late: Int
    /// Whether it is so late that its scene or its cue alone is gone to.
    public var isLookAlone: Bool { late > AlarmClock.grace }
  }

  /// What the clock showed at the last look; nil: there was none.
  private var last: Int?
  /// For each alarm, by what it is, the last days on which it was due.
  private var days: [(alarm: ShowAlarm, days: [Int])] = []
  /// The alarms of the last look.
  private var known: [ShowAlarm] = []
  /// Up to where an earlier run has come.
  private var earlier: Int?
  /// A time behind which no alarm has been due, for a later run to go on from; nil: there are no alarms.
  public private(set) var mark: Int?

  /// Nobody has looked yet.
  public init() {}

  /// Goes on from the mark of an earlier run.
  public mutating func goOn(from mark: Int) { (last, earlier, self.mark) = (mark, mark, mark) }

  /// The alarms that are due when the clock shows a time, in the order of their times, those of one time in file order.
  public mutating func due(_ alarms: [ShowAlarm], at now: Int) -> [Due] {
    let due = look(alarms, at: now)
    defer { (last, known) = (now, alarms) }
    guard !alarms.isEmpty, let mark else {
      mark = alarms.isEmpty ? nil : now
      return due
    }
    if mark > now, Self.day(of: mark) != Self.day(of: now) {
      // A clock that was days ahead.
      self.mark = now
    } else if !due.isEmpty || alarms != known {
      self.mark = max(mark, now)
    }
    return due
  }

  private mutating func look(_ alarms: [ShowAlarm], at now: Int) -> [Due] {
    guard let last, now > last, !alarms.isEmpty else { return [] }
    let first = max(last, now - Self.grace - 1)
    var found: [(time: Int, index: Int)] = []
    if let look = Self.look(of: alarms, after: max(last, now - Self.reach - 1), to: now), look.time <= first,
      note(alarms[look.index], look.time)
    {
      found.append(look)
    }
    for (time, index) in Self.times(of: alarms, after: first, to: now) where note(alarms[index], time) {
      found.append((time, index))
    }
    return found.map { Due(index: $0.index, late: now - $0.time) }
  }

  /// The times behind one and up to another at which there are alarms, in order.
  private static func times(
    of alarms: [ShowAlarm], after first: Int, to last: Int
  ) -> [(time: Int, index: Int)] {
    var found: [(time: Int, index: Int)] = []
    for day in day(of: first)...day(of: last) {
      for (index, alarm) in alarms.enumerated() where alarm.days.contains(weekday(of: day)) {
        let time = day * 86_400 + alarm.second
        if time > first, time <= last { found.append((time, index)) }
      }
    }
    return found.sorted { $0 < $1 }
  }

  /// The newest scene or cue among them.
  private static func look(
    of alarms: [ShowAlarm], after first: Int, to last: Int
  ) -> (time: Int, index: Int)? {
    times(of: alarms, after: first, to: last).last {
      alarms[$0.index].action.scene != nil || alarms[$0.index].cue != nil
    }
  }

  /// Notes that an alarm is due at a time; false where it was already on that day.
  private mutating func note(_ alarm: ShowAlarm, _ time: Int) -> Bool {
    let day = Self.day(of: time)
    if let earlier, time <= earlier, day == Self.day(of: earlier) { return false }
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
