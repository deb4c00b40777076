extension Locked {
  /// Runs `body` with the value as soon as the lock is free. Returns nil if it is not free within `seconds`. For the
  /// end of a show, which must not wait for a lock that is never released. Any thread but the audio callback's
  package func withLock<Result>(within seconds: Double, _ body: (inout Value) -> Result) -> Result? {
    let deadline = Deadline.after(seconds: seconds)
    while true {
      if let result = withLockSoon(body) { return result }
      if deadline.isOver { return nil }
      MonotonicClock.sleep(seconds: 0.0002)
    }
  }
}
