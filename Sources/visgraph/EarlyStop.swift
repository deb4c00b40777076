import Dispatch
import Glibc
import Synchronization

/// What a signal stops while the show is still being opened.
final class EarlyStop: Sendable {
  private let held = Mutex<(@Sendable () -> Void)?>(nil)
  /// Whether the show is open: from then on the control thread sees to the end.
  let isOver = Atomic<Bool>(false)
  var action: (@Sendable () -> Void)? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
  /// Stops it. A sound server or a disk that hangs may keep the control thread for ever; nothing has been sent yet, so
  /// the process then ends without it.
  func stop() {
    action?()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.7) { [self] in
      if !isOver.load(ordering: .acquiring) { _exit(0) }
    }
  }
}
