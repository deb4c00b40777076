import Glibc

/// What a worker tells its watch while it works: numbers in memory that both see, whatever happens to the worker.
struct Progress {
  /// A number by its place.
  enum Slot: Int {
    /// The mutant being tried; -1 before the first and after the last.
    case current
    /// Processor time of the worker when it began, and wall time, in nanoseconds.
    case began, beganWall
    /// 1 when it is a graph and runs.
    case isRunning
    /// How many came to what, by `Trial.Outcome`.
    case refused, checked, ran
    /// The longest check and run so far, in nanoseconds of processor time, and which they were.
    case slowest, slowestNumber, slowestRun, slowestRunNumber
    /// The most memory, in bytes, and which mutant it was reached at.
    case memory, memoryNumber
  }

  private let numbers: UnsafeMutablePointer<Int>

  /// Opens it; `path` is a file of the run's own folder.
  init?(path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard ftruncate(file, 4096) == 0,
      let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { return nil }
    numbers = memory.bindMemory(to: Int.self, capacity: 512)
  }

  subscript(slot: Slot) -> Int {
    get { numbers[slot.rawValue] }
    nonmutating set { numbers[slot.rawValue] = newValue }
  }

  func clear() {
    numbers.update(repeating: 0, count: 512)
    self[.current] = -1
  }
}

/// Nanoseconds of a clock.
func nanoseconds(_ clock: clockid_t) -> Int {
  var time = timespec()
  return clock_gettime(clock, &time) == 0 ? time.tv_sec * 1_000_000_000 + time.tv_nsec : 0
}
