import Glibc
import Testing

/// Asks again and again until `condition` holds. False when it does not within `seconds`, many times over: a test says so,
/// and never sleeps on the chance that something has happened meanwhile. The limit is there so that a test ends; one that
/// a busy machine could reach would say nothing.
public func poll(within seconds: Double = 5, until condition: () throws -> Bool) rethrows -> Bool {
  // Less than a second is the pace of a client that asks again, and no limit.
  let begin = now()
  let end = begin + (seconds < 1 ? seconds : max(30, 4 * seconds))
  while try !condition() {
    let time = now()
    if time > end { return false }
    // A long wait may last a twentieth of that longer: many tests that look at once leave nothing for what
    // they wait for.
    usleep(UInt32(min(max((time - begin) / 20, 0.002), 0.02) * 1e6))
  }
  return true
}

/// Looks at `condition` for `seconds`: true when it held all the time. For what must not happen.
public func stays(for seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = now() + seconds
  while now() < end {
    if try !condition() { return false }
    usleep(2000)
  }
  return try condition()
}

/// Tries again, some times, until `body` gives nil: what it found last. For what a machine that is too busy may spoil now
/// and then, and a fault each time.
public func lastOf<Finding>(_ tries: Int = 6, _ body: () throws -> Finding?) rethrows -> Finding? {
  var found: Finding?
  for _ in 0..<tries {
    found = try body()
    if found == nil { return nil }
  }
  return found
}

/// The shortest that `body` takes in some tries, in seconds; it gives what it measured. For what has to be quick: a busy
/// machine makes some of them long, a fault all of them.
public func shortest(of tries: Int = 5, below limit: Double, _ body: () throws -> Double) rethrows -> Double {
  var least = Double.infinity
  for _ in 0..<tries where least >= limit { least = min(least, try body()) }
  return least
}

/// Says of a test that nothing could be compared, as this machine was too busy all along: seen in the report, and no failure.
public func noteTooBusy(_ what: String) {
  withKnownIssue("this machine is too busy", isIntermittent: true) { Issue.record("\(what)") }
}

/// Seconds of the monotonic clock.
public func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
