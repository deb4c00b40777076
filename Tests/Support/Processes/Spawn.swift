public import Glibc

/// The target of a file descriptor in a started program.
public enum SpawnedDescriptor {
  /// A file that this process has open.
  case ours(Int32)
  /// A file by its path, opened with these flags.
  case path(String, Int32)
  /// None: the descriptor is closed.
  case closed
}

/// Variables of this process's environment that a program inherits, as `NAME=VALUE`.
public func inherited(_ names: [String] = ["PATH", "HOME", "TMPDIR"]) -> [String] {
  names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
}

/// Starts a program, found by PATH. Descriptors 0, 1 and 2 lead to /dev/null unless named. The program ignores and
/// blocks no signal, whatever the thread of the test does. In a new session the first terminal that the program opens
/// becomes its controlling terminal.
public func spawn(
  _ command: [String], _ descriptors: [Int32: SpawnedDescriptor] = [:], environment: [String],
  inNewSession: Bool = false
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for number in Set(0...2).union(descriptors.keys).sorted() {
    switch descriptors[number] ?? .path("/dev/null", O_RDWR) {
    case .ours(let file): posix_spawn_file_actions_adddup2(&actions, file, number)
    case .path(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
    case .closed: posix_spawn_file_actions_addclose(&actions, number)
    }
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  // POSIX_SPAWN_SETSID, which Swift's module of the C library lacks.
  let newSession: Int16 = inNewSession ? 0x80 : 0
  posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  let words = command.map { strdup($0) } + [nil]
  let variables = environment.map { strdup($0) } + [nil]
  defer { for text in words + variables { free(text) } }
  var process: pid_t = 0
  let failure = posix_spawnp(&process, command[0], &actions, &attributes, words, variables)
  guard failure == 0 else {
    throw Child.Failure(description: "\(command[0]): \(String(cString: strerror(failure)))")
  }
  return process
}

/// The exit code of a child, or minus the signal that ended it. Nil while it runs, unless `waits`.
public func ending(of process: pid_t, waits: Bool = true) -> Int32? {
  var status: Int32 = 0
  var found: pid_t
  repeat { found = waitpid(process, &status, waits ? 0 : WNOHANG) } while found < 0 && errno == EINTR
  guard found == process else { return nil }
  let signal = status & 0x7f
  return signal == 0 ? status >> 8 & 0xff : -signal
}

/// A pipe, as its end for reading and its end for writing. Programs do not inherit it (close-on-exec).
func makePipe() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw Child.Failure(description: "no pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
