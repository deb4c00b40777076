import Glibc

/// A program that was started, in a session of its own: the terminal's Ctrl-C is for us. Any thread
///
/// Started by hand, because the libraries that start processes hand on three descriptors only.
package struct ChildProcess: Sendable {
  /// How it ended.
  package enum Ending: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  private let process: pid_t

  /// Starts `command`, looked for on the PATH. `descriptors` says what it gets under which number: our descriptor by its
  /// number there, and ours are above all of these. Of 0, 1 and 2 those that are not named lead nowhere; nothing else is
  /// handed on that is closed at the start of a program. It begins with all signals as the system has them, none held back.
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
    // When we are gone it may still want to say something, and has its work to end.
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

  /// Microseconds that it has worked; nil once it is gone.
  package var processorTime: Int? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return Int(time.nanoseconds / 1000)
  }

  /// Ends it at once, with all that it has started: they are a session of their own.
  package func kill() {
    Glibc.kill(-process, SIGKILL)
    Glibc.kill(process, SIGKILL)
  }

  /// How it ended; nil while it runs. To be asked until it has ended, and not again.
  package func ending() -> Ending? { wait(WNOHANG) }

  /// Waits for its end.
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
