import CJack
import CRealtime
import Glibc

/// Starts a thread of its own for `body`. [any]
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(
    Box {
      vg_jack_name_thread(name)
      body()
    })
  var thread = pthread_t()
  let failed = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, box.toOpaque())
  guard failed == 0 else {
    // No thread to be had: better late than never.
    box.takeRetainedValue().body()
    return
  }
  pthread_detach(thread)
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
