public import Graphs

/// Determines which alarms are due, from the local time that it is given; a pure value. [one]
///
/// Times are seconds as `WallClock.local` has them: days of 86,400 s, so that they jump where clocks are put forward or
/// back. The rules:
///
/// - An alarm is due when the clock reaches or passes its time on one of its days of the week, at most once on each day
///   of the calendar, however often the clock shows that time.
/// - Times that the clock skips (because it was put forward, summer time began, the machine slept or the program was
///   down) are due at once, in order, if they are at most `grace` ago.
/// - Older ones are missed, except for the look of the show: if the newest scene or cue that was skipped is older than
///   `grace` and at most `reach` old, the show goes to it, and the rest of its alarm is left out.
/// - When the clock is put back, alarms that were due on that day are not due again.
/// - Alarms before the first check are not due, unless the clock goes on from an earlier run.
public struct AlarmClock: Sendable {
  /// How late an alarm may be, in seconds. As with cron, a change of the clock by up to three hours skips no alarm.
  public static let grace = 3 * 3600
  /// How old the newest scene or cue that was skipped may be, in seconds: a week, which has each day of the week.
  public static let reach = 7 * 86_400
  /// The most days that are remembered for an alarm.
  static let mostDays = 16

  /// An alarm that is due.
  public struct Due: Equatable, Sendable {
    /// Its index among the alarms.
    public let index: Int
    /// How late it is, in seconds.
    public let late: Int
    /// Whether it is so late that only its scene or cue is gone to.
    public var isLookAlone: Bool { late > AlarmClock.grace }
  }

  /// The local time of the last check; nil: there was none.
  private var last: Int?
  /// For each alarm, the last days on which it was due. Those of alarms that were removed stay, so that an alarm that
  /// comes back is not due again on such a day.
  private var dueDays: [(alarm: ShowAlarm, days: [Int])] = []
  /// The alarms of the last check.
  private var known: [ShowAlarm] = []
  /// The mark of an earlier run; nil: there was none.
  private var earlier: Int?
  /// A time after which no alarm has been due, from which a later run goes on; nil: there are no alarms.
  public private(set) var mark: Int?

  /// Makes a clock that has checked no alarms yet.
  public init() {}

  /// Resumes from the mark of an earlier run.
  public mutating func resume(from mark: Int) { (last, earlier, self.mark) = (mark, mark, mark) }

  /// The alarms that are due at the local time `now`, by their times, then in file order.
  public mutating func due(_ alarms: [ShowAlarm], at now: Int) -> [Due] {
    let due = newlyDue(alarms, at: now)
    defer { (last, known) = (now, alarms) }
    guard !alarms.isEmpty, let mark else {
      mark = alarms.isEmpty ? nil : now
      return due
    }
    if mark > now, Self.day(of: mark) != Self.day(of: now) {
      // The clock was days ahead, and was put back.
      self.mark = now
    } else if !due.isEmpty || alarms != known {
      self.mark = max(mark, now)
    }
    return due
  }

  private mutating func newlyDue(_ alarms: [ShowAlarm], at now: Int) -> [Due] {
    guard let last, now > last, !alarms.isEmpty else { return [] }
    let first = max(last, now - Self.grace - 1)
    var found: [(time: Int, index: Int)] = []
    if let newest = Self.newestLook(of: alarms, after: max(last, now - Self.reach - 1), to: now),
      newest.time <= first,
      note(alarms[newest.index], newest.time)
    {
      found.append(newest)
    }
    for (time, index) in Self.times(of: alarms, after: first, to: now) where note(alarms[index], time) {
      found.append((time, index))
    }
    return found.map { Due(index: $0.index, late: now - $0.time) }
  }

  /// The alarms after `first` and up to `last`, by their times.
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

  /// The newest alarm with a scene or a cue in that interval.
  private static func newestLook(
    of alarms: [ShowAlarm], after first: Int, to last: Int
  ) -> (time: Int, index: Int)? {
    times(of: alarms, after: first, to: last).last {
      alarms[$0.index].action.scene != nil || alarms[$0.index].cue != nil
    }
  }

  /// Notes that an alarm is due at a time; false: it was due on that day before.
  private mutating func note(_ alarm: ShowAlarm, _ time: Int) -> Bool {
    let day = Self.day(of: time)
    if let earlier, time <= earlier, day == Self.day(of: earlier) { return false }
    let index = dueDays.firstIndex { $0.alarm == alarm } ?? dueDays.endIndex
    if index == dueDays.endIndex { dueDays.append((alarm, [])) }
    guard !dueDays[index].days.contains(day) else { return false }
    dueDays[index].days = dueDays[index].days.suffix(Self.mostDays - 1) + [day]
    return true
  }

  private static func day(of time: Int) -> Int {
    time >= 0 ? time / 86_400 : (time - 86_399) / 86_400
  }

  /// 0 is Monday; 1 January 1970 was a Thursday.
  static func weekday(of day: Int) -> Int { (day % 7 + 10) % 7 }
}
