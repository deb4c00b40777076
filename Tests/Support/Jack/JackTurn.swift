import Glibc

/// The right to use JACK on this machine, held by one test of any process at a time: the library keeps one table of
/// ports per process, the machine has room for eight servers, and names of clients clash across them.
public final class JackTurn: Sendable {
  private let file: Int32

  /// Waits until it is ours.
  public init() {
    file = open("/tmp/visgraph-jack.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    precondition(file >= 0, "cannot open /tmp/visgraph-jack.lock")
    while flock(file, LOCK_EX) != 0 {}
  }

  deinit { close(file) }

  /// False under ThreadSanitizer, which ends the process when libjack cancels a thread in the middle of a call, and where
  /// other servers of this machine leave no place for those of tests.
  public static var isPossible: Bool { dlsym(nil, "__tsan_init") == nil && JackRegistry.room >= 2 }

  /// A name for a client that no other process has.
  public static func clientName(_ name: String) -> String { "\(name)-\(getpid())" }
}
