import System

/// Starts a thread of its own for `body`. [any]
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
  do throws(Errno) {
    _ = try Thread(name, body)
  } catch {
    // No thread to be had: better late than never.
    body()
  }
}

/// Runs `body` on a thread of its own and waits for it. False when it takes longer than `seconds`; then it goes on
/// alone. [any]
func finishes(within seconds: Double, _ body: @escaping @Sendable () -> Void) -> Bool {
  let done = Semaphore()
  startThread(named: "jack helper") {
    body()
    done.post()
  }
  return done.wait(seconds: seconds)
}
