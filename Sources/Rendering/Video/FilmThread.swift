import Glibc

/// A thread that writes. A reader that has gone is an error of `write` on it, and not the end of the process.
final class FilmThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()
  private var isThere: Bool

  /// Starts it; nil where the system has no thread left.
  init?(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    isThere =
      pthread_create(
        &thread, nil,
        { argument in
          var broken = sigset_t()
          sigemptyset(&broken)
          sigaddset(&broken, SIGPIPE)
          pthread_sigmask(SIG_BLOCK, &broken, nil)
          Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
          return nil
        }, body.toOpaque()) == 0
    guard isThere else {
      body.release()
      return nil
    }
  }

  /// Waits for its end.
  func join() {
    guard isThere else { return }
    isThere = false
    pthread_join(thread, nil)
  }
}
