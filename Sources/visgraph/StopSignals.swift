import Dispatch
import Glibc
import OSC
import Synchronization

/// SIGINT and SIGTERM ask to stop, SIGHUP to reload; nothing happens in the handler itself. [control]
final class StopSignals: Sendable {
  private let asked = Atomic<Bool>(false)
  private let reload = Atomic<Bool>(false)
  private let bell: WakePipe
  /// Only kept; nothing touches them after `init`.
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  /// Listens from now on; `onStop` is called once, on another thread.
  init(onStop: @escaping @Sendable () -> Void = {}) {
    // A process that has no two descriptors left at its start cannot show anything.
    guard let bell = WakePipe() else {
      fatalError("no descriptors left: \(String(cString: strerror(errno)))")
    }
    self.bell = bell
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        if number == SIGHUP {
          reload.store(true, ordering: .relaxed)
        } else if !asked.exchange(true, ordering: .relaxed) {
          onStop()
        }
        bell.ring()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Whether somebody wants an end.
  var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// Asks for an end.
  func stop() {
    asked.store(true, ordering: .relaxed)
    bell.ring()
  }

  /// Whether a reload was asked for since the last call.
  func takeReload() -> Bool { reload.exchange(false, ordering: .relaxed) }

  /// Wakes who waits.
  func wake() { bell.ring() }

  /// Waits for something to happen, at most `seconds`.
  func wait(seconds: Double) { bell.wait(seconds: seconds) }

  /// Becomes readable when something happens; for who waits for other things besides.
  var descriptor: Int32 { bell.descriptor }

  /// Forgets what has happened so far, before it is looked for.
  func forgetBell() { bell.drain() }
}
