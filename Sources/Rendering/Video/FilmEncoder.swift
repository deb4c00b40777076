import Glibc
import Synchronization
import System

/// The program that packs pictures and sound: a child with one pipe for each.
///
/// Started by hand, because the libraries that start processes hand on three descriptors only, and the sound needs a
/// fourth. The encoders stay in a program of their own also for the sake of their licences.
final class FilmEncoder: @unchecked Sendable {
  private let process: pid_t
  private let log: FilmThread
  private let said: Said
  private let patience: FilmPatience

  /// The last of what a child says, however much it is.
  private final class Said: Sendable {
    let bytes = Locked<[UInt8]>([])
  }

  /// How it ended.
  enum Ending: Equatable {
    case code(Int32)
    case signal(Int32)
    /// It did nothing any more, and we ended it.
    case still
  }

  /// Starts `command`, looked for on the PATH, with `pictures` as descriptor 0 and `sound` as descriptor 3. What
  /// it says is kept, with `listensToResults` also its results. Once `patience` is at its end it is ended. Throws the
  /// system's `errno`.
  init(
    _ command: [String], pictures: Int32, sound: Int32?, listensToResults: Bool = false,
    patience: FilmPatience
  ) throws(Errno) {
    let notes = try FilmPipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pictures, 0)
    if listensToResults {
      posix_spawn_file_actions_adddup2(&actions, notes.writing, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, notes.writing, 2)
    if let sound { posix_spawn_file_actions_adddup2(&actions, sound, 3) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    // When we are gone it may still want to say something, and has the film's end to write.
    sigdelset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // A session of its own: the terminal's Ctrl-C is for us; it ends when its pipes do.
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | newSession))
    let words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, command[0], &actions, &attributes, words, environ)
    close(notes.writing)
    guard failure == 0 else {
      close(notes.reading)
      throw Errno(number: failure)
    }
    let said = Said()
    let reading = notes.reading
    guard let log = FilmThread({ Self.read(reading, into: said) }) else {
      close(reading)
      kill(process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      throw Errno(number: EAGAIN)
    }
    self.process = process
    self.patience = patience
    self.said = said
    self.log = log
  }

  private static func read(_ descriptor: Int32, into said: Said) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      said.bytes.withLock { $0 = ($0 + bytes[..<count]).suffix(16384) }
    }
    close(descriptor)
  }

  /// The processor time that a child had spent when somebody last looked.
  private final class Spent: Sendable {
    let microseconds = Atomic<Int>(-1)
  }

  /// A watch on it: whether it has said something and done nothing since this watch was last asked. Any thread
  ///
  /// When ffmpeg gives up with one of its pipes open, it waits for that pipe's end before it ends itself, and we would
  /// wait for it to read the other. Each pipe has a watch of its own: two that ask at the same moment would else take
  /// each other's look for a second without work.
  func watch() -> @Sendable () -> Bool {
    let (spent, said, process, patience) = (Spent(), said, process, patience)
    return {
      let now = Self.worked(process)
      if patience.isOver(worked: now) { return true }
      guard said.bytes.withLock({ !$0.isEmpty }) else { return false }
      guard let now else { return true }
      return spent.microseconds.exchange(now, ordering: .relaxed) == now
    }
  }

  /// Microseconds that a program has worked; nil once it is gone.
  private static func worked(_ process: pid_t) -> Int? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }

  /// Ends it at once, with all that it has started: they are a session of their own.
  func end() {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
  }

  /// Waits for its end; gives how it ended and the last lines it said.
  func wait() -> (ending: Ending, lines: [String]) {
    var status: Int32 = 0
    var isStill = false
    var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    while true {
      let found = waitpid(process, &status, isStill ? 0 : WNOHANG)
      if found == process || found < 0 && errno != EINTR { break }
      if found == 0, patience.isOver(worked: Self.worked(process)) {
        isStill = true
        end()
      } else if found == 0 {
        nanosleep(&pause, nil)
        pause.tv_nsec = min(20_000_000, pause.tv_nsec * 2)
      }
    }
    log.join()
    let lines = String(decoding: said.bytes.withLock { $0 }, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(
        String.init)
    let signal = status & 0x7f
    if isStill { return (.still, lines) }
    return (signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal), lines)
  }
}

/// What a call of the system said.
struct Errno: Error {
  let number: Int32
}

/// A pipe that no other child gets. Its descriptors are above 9, so that a child's are never among them.
struct FilmPipe {
  let reading: Int32
  let writing: Int32

  /// `room` is how many bytes it should hold, where the system allows it: then its two ends seldom wait for each other.
  init(room: Int32? = nil) throws(Errno) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Errno(number: errno) }
    defer { for end in ends { close(end) } }
    reading = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
    writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    guard reading >= 0, writing >= 0 else {
      let number = errno
      for end in [reading, writing] where end >= 0 { close(end) }
      throw Errno(number: number)
    }
    let setRoom: Int32 = 1031
    if let room { _ = fcntl(writing, setRoom, room) }
  }
}
