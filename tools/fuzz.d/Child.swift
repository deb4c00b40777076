import Glibc

/// A child process, and its end.
struct Child {
  let id: pid_t

  /// How a process ended.
  struct End {
    /// The exit code; nil if a signal ended it.
    var code: Int32?
    /// The signal.
    var signal: Int32?
    /// CPU time in seconds.
    var processor = 0.0
    /// The largest memory, in bytes.
    var memory = 0
    /// Seconds in which it was runnable and waited for a processor that ran other processes.
    var waiting = 0.0

    var words: String { signal.map { "signal \($0)" } ?? "exit code \(code ?? -1)" }
  }

  /// Starts a program; its output goes to the file `output`.
  init?(_ arguments: [String], output: String) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let texts = arguments.map { strdup($0) }
    defer { for text in texts { free(text) } }
    // A backtrace of every crash would take longer than the crash.
    let environment = [
      strdup("SWIFT_BACKTRACE=enable=no"), strdup("LANG=C.UTF-8"), strdup("PATH=/usr/bin:/bin"),
    ]
    defer { for text in environment { free(text) } }
    var id: pid_t = 0
    guard posix_spawn(&id, arguments[0], &actions, nil, texts + [nil], environment + [nil]) == 0 else {
      return nil
    }
    self.id = id
  }

  /// How it ended; nil while it runs.
  func end() -> End? {
    // First without reaping: the kernel's count of its waits disappears with the process.
    var information = siginfo_t()
    guard waitid(P_PID, UInt32(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
    var end = End()
    let schedule = lines(of: "/proc/\(id)/schedstat").first?.split(separator: " ").map(String.init) ?? []
    if schedule.count > 1 { end.waiting = (Double(schedule[1]) ?? 0) / 1e9 }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(id, &status, WNOHANG, &usage) == id else { return nil }
    let signal = status & 0x7F
    if signal == 0 { end.code = status >> 8 & 0xFF } else { end.signal = signal }
    let time = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    end.processor = Double(time) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    end.memory = usage.ru_maxrss << 10
    return end
  }

  /// Waits for its end, at most `seconds`. Then kills it and returns nil.
  func end(within seconds: Double) -> End? {
    let deadline = nanoseconds(CLOCK_MONOTONIC) + Int(seconds * 1e9)
    while true {
      if let end = end() { return end }
      if nanoseconds(CLOCK_MONOTONIC) > deadline {
        kill()
        return nil
      }
      usleep(500)
    }
  }

  /// Kills it and waits for its end.
  func kill() {
    Glibc.kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }

  /// CPU time so far, in nanoseconds.
  var processor: Int {
    var clock = clockid_t()
    return clock_getcpuclockid(id, &clock) == 0 ? nanoseconds(clock) : 0
  }
}
