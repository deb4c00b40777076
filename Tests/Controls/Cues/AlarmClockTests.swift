import Foundation
import OSC
import System
import TestSupport
import Testing

@testable import Controls
@testable import Graphs

/// Alarms are due by local time, however the clock is changed.
@Suite struct AlarmClockTests {
  private static let all = Set(0..<7)

  private func alarm(
    _ hour: Int, _ minute: Int = 0, _ second: Int = 0, days: Set<Int> = all, _ name: String = ""
  )
    -> ShowAlarm
  {
    ShowAlarm(
      second: hour * 3600 + minute * 60 + second, days: days, cue: nil,
      action: ShowAction(scene: name, seconds: nil, messages: []), name: name)
  }

  /// An alarm that sends a message and changes no setting.
  private func messageAlarm(_ hour: Int) -> ShowAlarm {
    ShowAlarm(
      second: hour * 3600, days: Self.all, cue: nil,
      action: ShowAction(
        scene: nil, seconds: nil, messages: (try? MessageText("/visgraph/transport/play")).map { [$0] } ?? []),
      name: "gong")
  }

  /// The local time on a day of November 2026, in the form of `WallClock.local`; the first is a Sunday.
  private func at(_ day: Int, _ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> Int {
    (20_758 + day - 1) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The alarms that are due at each poll.
  private func due(_ alarms: [ShowAlarm], _ polls: [Int]) -> [[Int]] {
    var clock = AlarmClock()
    return polls.map { clock.due(alarms, at: $0).map(\.index) }
  }

  @Test func `an alarm is due once, at the first poll at or after its time`() {
    let alarms = [alarm(22)]
    #expect(due(alarms, [at(1, 21, 59, 59), at(1, 22), at(1, 22, 0, 1)]) == [[], [0], []])
    #expect(
      due(alarms, [at(1, 21, 59, 59), at(1, 22, 0, 1), at(2, 21, 59), at(2, 22)]) == [[], [0], [], [0]])
    // Alarms before the first poll are not due.
    #expect(due(alarms, [at(1, 22), at(1, 22, 0, 1), at(1, 23)]) == [[], [], []])
    var clock = AlarmClock()
    _ = clock.due(alarms, at: at(1, 21))
    #expect(clock.due(alarms, at: at(1, 22, 0, 7)) == [AlarmClock.Due(index: 0, late: 7)])
  }

  @Test func `midnight belongs to the day that begins, and days of the week count from Monday`() {
    #expect(AlarmClock.weekday(of: 0) == 3 && AlarmClock.weekday(of: -1) == 2)
    #expect((at(1, 0) / 86_400..<at(9, 0) / 86_400).map(AlarmClock.weekday) == [6, 0, 1, 2, 3, 4, 5, 6])
    let alarms = [alarm(0, days: [0]), alarm(23, 59, 59, days: [6]), alarm(12, days: [1, 3])]
    #expect(due(alarms, [at(1, 23, 59, 58), at(2, 0, 0, 1)]) == [[], [1, 0]])
    let noons = (1...8).flatMap { [at($0, 11, 59), at($0, 12)] }
    #expect(due([alarms[2]], noons).enumerated().filter { !$1.isEmpty }.map { $0.offset / 2 + 1 } == [3, 5])
  }

  @Test
  func `several alarms are due in the order of their times, and those of one time in the order of the file`()
  {
    let alarms = [alarm(22, 0, 2), alarm(22, 0, 1), alarm(22, 0, 1, "other"), alarm(21)]
    #expect(due(alarms, [at(1, 22), at(1, 22, 0, 5)]) == [[], [1, 2, 0]])
  }

  @Test func `after a clock was set forward, or a machine slept, alarms of the last three hours are due`() {
    let alarms = [alarm(20), alarm(21, 30), alarm(22)]
    #expect(due(alarms, [at(1, 19), at(1, 22)]) == [[], [0, 1, 2]])
    #expect(due(alarms, [at(1, 19), at(1, 23)]) == [[], [0, 1, 2]])
    #expect(due(alarms, [at(1, 19), at(1, 23, 0, 1)]) == [[], [1, 2]])
    // Over midnight, and over years, without a delay.
    #expect(due([alarm(23, 30), alarm(0, 30)], [at(1, 20), at(2, 1)]) == [[], [0, 1]])
    #expect(due(alarms, [0, at(1, 22, 30)]) == [[], [0, 1, 2]])
  }

  /// The alarms that are due after an earlier run had a mark.
  private func due(_ alarms: [ShowAlarm], since mark: Int, _ polls: [Int]) -> [[AlarmClock.Due]] {
    var clock = AlarmClock()
    clock.resume(from: mark)
    return polls.map { clock.due(alarms, at: $0) }
  }

  @Test func `of alarms missed longer ago only the newest scene or cue is due`() {
    let alarms = [alarm(20), alarm(21, 30), alarm(22), messageAlarm(23)]
    let look = AlarmClock.Due(index: 2, late: 11 * 3600)
    #expect(due(alarms, since: at(1, 19), [at(2, 9), at(2, 10)]) == [[look], []])
    // A newer scene replaces it, and an alarm without a look does not.
    #expect(due(alarms, since: at(1, 19), [at(2, 0)]).map { $0.map(\.late) } == [[9000, 7200, 3600]])
    let both = [AlarmClock.Due(index: 2, late: 12_600), AlarmClock.Due(index: 3, late: 9000)]
    #expect(due(alarms, since: at(1, 19), [at(2, 1, 30)]) == [both])
    #expect(both.map(\.isLookAlone) == [true, false])
    // An alarm of a day of the week counts for a week.
    let sundays = [alarm(22, days: [6])]
    #expect(due(sundays, since: at(1, 19), [at(8, 21, 59)]).map(\.count) == [1])
    #expect(due(sundays, since: at(1, 22), [at(8, 21, 59)]).map(\.count) == [0])
    #expect(due([messageAlarm(22)], since: at(1, 19), [at(2, 9)]) == [[]])
  }

  @Test func `after a restart no alarm is due twice, and missed ones are due`() {
    let alarms = [alarm(22), alarm(23)]
    var clock = AlarmClock()
    _ = clock.due(alarms, at: at(1, 21))
    #expect(clock.mark == at(1, 21))
    _ = clock.due(alarms, at: at(1, 21, 30))
    #expect(clock.mark == at(1, 21))
    #expect(clock.due(alarms, at: at(1, 22, 0, 1)).count == 1)
    #expect(clock.mark == at(1, 22, 0, 1))
    func dueAlarms(since mark: Int, _ polls: [Int]) -> [[Int]] {
      due(alarms, since: mark, polls).map { $0.map(\.index) }
    }
    #expect(dueAlarms(since: at(1, 22, 0, 1), [at(1, 22, 5), at(1, 23)]) == [[], [1]])
    #expect(dueAlarms(since: at(1, 21), [at(1, 22, 5), at(1, 22, 6)]) == [[0], []])
    // A clock that was set back meanwhile makes no alarm due twice on a day.
    let polls = [at(1, 21, 55), at(1, 22), at(1, 23), at(2, 22)]
    #expect(dueAlarms(since: at(1, 22, 0, 1), polls) == [[], [], [1], [0]])
    // On another day the alarm is due again: a mark in the future by years delays nothing, and is ignored.
    #expect(dueAlarms(since: at(900, 12), polls) == [[], [0], [1], [0]])
    clock.resume(from: at(900, 12))
    _ = clock.due(alarms, at: at(1, 12))
    #expect(clock.mark == at(1, 12))
    // Without alarms there is no mark.
    _ = clock.due([], at: at(1, 13))
    #expect(clock.mark == nil)
  }

  @Test func `a clock that is set back makes no alarm due twice on a day`() {
    let alarms = [alarm(22), alarm(21, 50)]
    let polls = [
      at(1, 21, 45), at(1, 22, 5), at(1, 21, 40), at(1, 22, 5), at(1, 22, 6), at(2, 21, 59), at(2, 22),
    ]
    #expect(due(alarms, polls) == [[], [1, 0], [], [], [], [1], [0]])
    // Back and forth over midnight, again and again: each day's alarm once.
    var clock = AlarmClock()
    var count = 0
    for turn in 0..<100 {
      count += clock.due(alarms, at: at(1 + turn % 2, turn % 2 == 0 ? 21 : 22, 30)).count
    }
    #expect(count == 2)
    // Set back before an alarm that was not due yet: it is due at its time.
    #expect(due([alarm(12)], [at(1, 11), at(1, 9), at(1, 11, 59), at(1, 12)]) == [[], [], [], [0]])
  }

  /// The local time of a zone at a moment in UTC.
  private func local(_ zone: TimeZone, _ moment: Int) -> Int {
    moment + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment)))
  }

  /// How often each alarm is due during a day or two, polled about every quarter of a second.
  private func counts(_ alarms: [ShowAlarm], _ zone: TimeZone, from: Int, hours: Int) -> [Int] {
    var clock = AlarmClock()
    var counts = alarms.map { _ in 0 }
    for moment in from..<from + hours * 3600 {
      for due in clock.due(alarms, at: local(zone, moment)) { counts[due.index] += 1 }
    }
    return counts
  }

  @Test func `where summer time begins, alarms in the skipped hour are due at its start, once`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    // 2027-03-28 01:00 UTC: 02:00 becomes 03:00.
    let leap = 1_806_195_600
    #expect(local(berlin, leap) - local(berlin, leap - 1) == 3601)
    let alarms = [alarm(1, 59, 59), alarm(2), alarm(2, 30), alarm(3), alarm(12)]
    var clock = AlarmClock()
    _ = clock.due(alarms, at: local(berlin, leap - 2))
    #expect(clock.due(alarms, at: local(berlin, leap - 1)).map(\.index) == [0])
    #expect(clock.due(alarms, at: local(berlin, leap)).map(\.index) == [1, 2, 3])
    #expect(counts(alarms, berlin, from: leap - 3 * 3600, hours: 24) == [1, 1, 1, 1, 1])
  }

  @Test func `where summer time ends, alarms in the repeated hour are due once`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    // 2026-10-25 01:00 UTC: 03:00 becomes 02:00.
    let back = 1_792_890_000
    #expect(local(berlin, back) - local(berlin, back - 1) == -3599)
    let alarms = [alarm(1, 59, 59), alarm(2), alarm(2, 30), alarm(3), alarm(12)]
    #expect(counts(alarms, berlin, from: back - 4 * 3600, hours: 24) == [1, 1, 1, 1, 1])
  }

  @Test func `the local time is that of the system`() {
    for moment in [0, 1_792_890_000, 1_806_195_600] {
      #expect(WallClock.local(at: moment) == local(TimeZone.current, moment))
    }
    let (before, now, after) = (
      Int(Date().timeIntervalSince1970), WallClock.local, Int(Date().timeIntervalSince1970)
    )
    #expect((local(TimeZone.current, before)...local(TimeZone.current, after)).contains(now))
  }
}
