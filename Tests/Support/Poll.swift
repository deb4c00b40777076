import Glibc

/// Asks again and again until `condition` holds. False when it does not within `seconds`: a test says so, and never
/// sleeps on the chance that something has happened meanwhile.
public func poll(within seconds: Double = 5, until condition: () throws -> Bool) rethrows -> Bool {
  let end = now() + seconds
  while try !condition() {
    if now() > end { return false }
    usleep(2000)
  }
  return true
}

/// Looks at `condition` for `seconds`: true when it held all the time. For what must not happen.
public func stays(for seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
  try !poll(within: seconds) { try !condition() }
}

/// Seconds of the monotonic clock.
public func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
