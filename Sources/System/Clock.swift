import Glibc

/// The clock that nobody can set, for all that lasts or is due. Any thread; the audio callback reads the same one by
/// `vg_now` of CRealtime.
package enum MonotonicClock {
  /// Nanoseconds since a moment before this process.
  package static var now: UInt64 { timespec(of: CLOCK_MONOTONIC).nanoseconds }

  /// The same in seconds.
  package static var seconds: Double { Double(now) * 1e-9 }

  /// Waits until a moment, in nanoseconds, whatever signals come meanwhile.
  package static func sleep(until moment: UInt64) {
    var moment = timespec(nanoseconds: moment)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
  }

  /// Waits so long.
  package static func sleep(seconds: Double) { sleep(until: Deadline.after(seconds: seconds).time) }
}

/// The clock of the time of day, which may be set at any moment: for what people or files say of time.
package enum WallClock {
  /// Seconds and nanoseconds since 1970, UTC.
  package static var now: timespec { timespec(of: CLOCK_REALTIME) }

  /// Whole seconds since 1970, UTC.
  package static var second: Int { now.tv_sec }

  /// What the clocks of the place show, as seconds from the beginning of 1970 as they would show it: a day has 86,400 of them,
  /// and where clocks are put forward or back it jumps. Follows what `TZ` or the system says of the place by then.
  package static var local: Int { local(at: second) }

  /// The same for a moment, in seconds since 1970, UTC.
  package static func local(at seconds: Int) -> Int {
    var (moment, parts) = (seconds, tm())
    tzset()
    guard localtime_r(&moment, &parts) != nil else { return seconds }
    return seconds + parts.tm_gmtoff
  }
}

/// A moment of the monotonic clock at which a wait ends.
package struct Deadline: Equatable, Sendable {
  /// In nanoseconds of `MonotonicClock`.
  package let time: UInt64

  /// Waits without an end.
  package static let never = Deadline(time: .max)

  /// So long after now; at once for what is negative or no number, never beyond thirty years.
  package static func after(seconds: Double) -> Deadline {
    guard seconds > 0 else { return Deadline(time: MonotonicClock.now) }
    return seconds < 1e9 ? Deadline(time: MonotonicClock.now + UInt64(seconds * 1e9)) : .never
  }

  /// Whether it has passed.
  package var isOver: Bool { self != .never && MonotonicClock.now >= time }

  /// What is left, in seconds, at least 0.
  package var seconds: Double {
    let now = MonotonicClock.now
    return self == .never ? .infinity : time > now ? Double(time - now) * 1e-9 : 0
  }

  /// What is left as `poll` takes it: in milliseconds, rounded up so that it has passed afterwards, an hour at most.
  package var milliseconds: Int32 { Int32((min(3600, seconds) * 1000).rounded(.up)) }
}

extension timespec {
  fileprivate init(of clock: clockid_t) {
    self.init()
    clock_gettime(clock, &self)
  }

  /// A time in nanoseconds.
  package init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  /// The same as one number.
  package var nanoseconds: UInt64 { UInt64(tv_sec) * 1_000_000_000 + UInt64(tv_nsec) }
}
