import Glibc

/// The monotonic clock, which cannot be set, for durations and deadlines. Any thread; the audio callback reads it by
/// `vg_now` of CRealtime.
package enum MonotonicClock {
  /// Nanoseconds since a moment before this process.
  package static var now: UInt64 { timespec(of: CLOCK_MONOTONIC).nanoseconds }

  /// Seconds since that moment.
  package static var seconds: Double { Double(now) * 1e-9 }

  /// Sleeps until a time of this clock in ns. Signals do not end the sleep.
  package static func sleep(until moment: UInt64) {
    var moment = timespec(nanoseconds: moment)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
  }

  /// Sleeps for `seconds`. Signals do not end the sleep.
  package static func sleep(seconds: Double) { sleep(until: Deadline.after(seconds: seconds).time) }
}

/// The wall clock, which may be set at any moment: for times of day, and for times in files.
package enum WallClock {
  /// Seconds and nanoseconds since 1970, UTC.
  package static var now: timespec { timespec(of: CLOCK_REALTIME) }

  /// Seconds since 1970, UTC, rounded down.
  package static var second: Int { now.tv_sec }

  /// Local time in seconds since the beginning of 1970 in local time. A day has 86,400 s, and the value jumps when
  /// daylight saving time changes. The time zone is that of `TZ` or of the system, read at each call.
  package static var local: Int { local(at: second) }

  /// Local time of a moment in seconds since 1970, UTC.
  package static func local(at seconds: Int) -> Int {
    var (moment, parts) = (seconds, tm())
    tzset()
    guard localtime_r(&moment, &parts) != nil else { return seconds }
    return seconds + parts.tm_gmtoff
  }
}

/// A time of the monotonic clock at which a wait ends.
package struct Deadline: Equatable, Sendable {
  /// In nanoseconds of `MonotonicClock`.
  package let time: UInt64

  /// No timeout.
  package static let never = Deadline(time: .max)

  /// The deadline in `seconds` from now. Negative numbers and NaN give now; from 1e9 s (30 years) on it is `never`.
  package static func after(seconds: Double) -> Deadline {
    guard seconds > 0 else { return Deadline(time: MonotonicClock.now) }
    return seconds < 1e9 ? Deadline(time: MonotonicClock.now + UInt64(seconds * 1e9)) : .never
  }

  /// Whether it has passed.
  package var isOver: Bool { self != .never && MonotonicClock.now >= time }

  /// The time left in seconds, at least 0.
  package var seconds: Double {
    let now = MonotonicClock.now
    return self == .never ? .infinity : time > now ? Double(time - now) * 1e-9 : 0
  }

  /// The time left for `poll`: in ms, rounded up so that the deadline is over afterwards, at most an hour.
  package var milliseconds: Int32 { Int32((min(3600, seconds) * 1000).rounded(.up)) }
}

extension timespec {
  fileprivate init(of clock: clockid_t) {
    self.init()
    clock_gettime(clock, &self)
  }

  /// Makes a time of nanoseconds.
  package init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  /// The time in nanoseconds.
  package var nanoseconds: UInt64 { UInt64(tv_sec) * 1_000_000_000 + UInt64(tv_nsec) }
}
