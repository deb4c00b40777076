import Glibc
import Testing

/// Evaluates `condition` again and again until it holds. Returns false if it does not within `seconds`, multiplied for
/// a busy machine. Tests poll instead of sleeping. The timeout only makes a failing test end: a timeout that a busy
/// machine could reach would prove nothing. So of a round that takes longer than 5 s only 5 s count: a busy machine may
/// not run a process for a minute.
public func poll(within seconds: Double = 5, until condition: () throws -> Bool) rethrows -> Bool {
  // Below a second `seconds` is the retry interval of a client, and no timeout.
  let timeout = seconds < 1 ? seconds : max(120, 4 * seconds)
  var (last, waited) = (now(), 0.0)
  while try !condition() {
    let time = now()
    waited += min(time - last, 5)
    last = time
    if waited > timeout { return false }
    // The pause grows to a twentieth of the time waited so far: many tests that poll fast would leave no CPU time for
    // what they wait for.
    usleep(UInt32(min(max(waited / 20, 0.002), 0.02) * 1e6))
  }
  return true
}

/// Evaluates `condition` for `seconds`. True if it held all the time. For what must not happen.
public func stays(for seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = now() + seconds
  while now() < end {
    if try !condition() { return false }
    usleep(2000)
  }
  return try condition()
}

/// Tries `body` up to `tries` times, until it returns nil. Returns the last finding. For measurements that a busy
/// machine spoils in some tries, and a real fault in all.
public func lastOf<Finding>(_ tries: Int = 6, _ body: () throws -> Finding?) rethrows -> Finding? {
  var found: Finding?
  for _ in 0..<tries {
    found = try body()
    if found == nil { return nil }
  }
  return found
}

/// The shortest time in seconds, as returned by `body`, of several tries, until one is below `limit`. For what has to
/// be fast: a busy machine makes some tries slow, a fault all of them.
public func shortest(of tries: Int = 5, below limit: Double, _ body: () throws -> Double) rethrows -> Double {
  var least = Double.infinity
  for _ in 0..<tries where least >= limit { least = min(least, try body()) }
  return least
}

/// Notes for a test that it could compare nothing because the machine was too busy. The note is in the report of the
/// tests; the test does not fail.
public func noteTooBusy(_ what: String) {
  withKnownIssue("this machine is too busy", isIntermittent: true) { Issue.record("\(what)") }
}

/// Seconds of the monotonic clock.
public func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
