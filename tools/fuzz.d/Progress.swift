import Glibc

/// The progress of a worker for its watch: numbers in shared memory, which survive the worker's crash.
struct Progress {
  /// The place of a number.
  enum Slot: Int {
    /// The present mutant; -1 before the first and after the last.
    case current
    /// CPU time of the worker and wall-clock time at the start of the mutant, in nanoseconds.
    case began, beganWall
    /// 1 while it is a graph and runs.
    case isRunning
    /// The number of mutants with each `Trial.Outcome`.
    case refused, checked, ran
    /// The longest check and run so far, in nanoseconds of CPU time, and their mutants.
    case slowest, slowestNumber, slowestRun, slowestRunNumber
    /// The largest memory, in bytes, and its mutant.
    case memory, memoryNumber
  }

  private let numbers: UnsafeMutablePointer<Int>

  /// Opens the memory; `path` is a file of the run's own folder.
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
