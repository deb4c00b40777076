import Glibc

/// A child process in a session of its own, so that Ctrl-C in the terminal does not reach it. Any thread
///
/// It calls posix_spawn itself, because common libraries pass on only stdin, stdout and stderr.
package struct ChildProcess: Sendable {
  /// How the process ended: its exit status, or the signal that ended it.
  package enum Ending: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  private let process: pid_t

  /// Starts `command`, found on the PATH. `descriptors` maps descriptor numbers of the child to those of this process,
  /// which must be greater than all numbers of the child. Of 0, 1 and 2, those that are not in the map are /dev/null.
  /// The child also inherits descriptors without close-on-exec. In the child no signal is blocked, and all but SIGPIPE
  /// have their default action.
  package init(_ command: [String], descriptors: [Int32: Int32]) throws(Errno) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in Int32(0)...2 where descriptors[number] == nil {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    for (number, ours) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    // If this process ignores SIGPIPE, so does the child: it may have to finish its work after this process has ended,
    // and still write to it.
    sigdelset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which is behind _GNU_SOURCE.
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | newSession))
    let words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, command[0], &actions, &attributes, words, environ)
    guard failure == 0 else { throw Errno(failure) }
    self.process = process
  }

  /// The processor time that the process has used, in µs; nil after its end.
  package var processorTime: Int? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return Int(time.nanoseconds / 1000)
  }

  /// Kills the process and the processes that it has started, which belong to its session.
  package func kill() {
    Glibc.kill(-process, SIGKILL)
    Glibc.kill(process, SIGKILL)
  }

  /// How the process ended; nil while it runs. Must not be called again after it has returned an ending.
  package func ending() -> Ending? { wait(WNOHANG) }

  /// Waits until it ends.
  package func wait() -> Ending {
    while true { if let ending = wait(0) { return ending } }
  }

  private func wait(_ options: Int32) -> Ending? {
    var status: Int32 = 0
    let found = waitpid(process, &status, options)
    guard found == process || found < 0 && errno != EINTR else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal)
  }
}
