import Glibc

/// The right to use JACK on this machine, held by one test of any process at a time. libjack keeps one table of ports
/// for each process, the machine has room for eight servers, and client names of two tests would clash.
public final class JackTurn: Sendable {
  private let file: Int32

  /// Waits for the turn and takes it.
  public init() {
    file = open("/tmp/visgraph-jack.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    precondition(file >= 0, "cannot open /tmp/visgraph-jack.lock")
    while flock(file, LOCK_EX) != 0 {}
  }

  deinit { close(file) }

  /// False under ThreadSanitizer, which ends the process when libjack cancels a thread during a call, and if other
  /// servers of this machine leave no registry entry free for tests.
  public static var isPossible: Bool { dlsym(nil, "__tsan_init") == nil && JackRegistry.room >= 2 }

  /// A client name that no other process uses.
  public static func clientName(_ name: String) -> String { "\(name)-\(getpid())" }
}
