import Glibc
import Graphs

/// Tries one mutant after another in a process of its own. When a condition does not hold it writes the complaint and
/// exits.
struct Worker {
  /// The exit code of a complaint.
  static let complains: Int32 = 70
  /// The limit of memory, in bytes.
  static let memory = 256 << 20

  let trial: any MutantTrial
  let progress: Progress

  /// Tries the mutants of a range.
  func work(_ range: Range<Int>, _ mutation: some MutantSource) {
    for number in range { attempt(number, mutation.mutant(number)) }
    progress[.current] = -1
  }

  /// Tries one mutant.
  func attempt(_ number: Int, _ bytes: [UInt8]) {
    let began = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    var checked = 0
    progress[.began] = began
    progress[.beganWall] = nanoseconds(CLOCK_MONOTONIC)
    progress[.isRunning] = 0
    progress[.current] = number
    do {
      let outcome = try trial.outcome(of: bytes) {
        checked = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        progress[.began] = checked
        progress[.beganWall] = nanoseconds(CLOCK_MONOTONIC)
        progress[.isRunning] = 1
      }
      let slot: Progress.Slot =
        switch outcome {
        case .refused: .refused
        case .checked: .checked
        case .ran: .ran
        }
      progress[slot] += 1
    } catch let complaint as Trial.Complaint {
      die(complaint.words)
    } catch {
      die("thrown: \(error)")
    }
    let ended = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    if checked == 0 { checked = ended }
    keepMost(checked - began, .slowest, .slowestNumber, number)
    keepMost(ended - checked, .slowestRun, .slowestRunNumber, number)
    keepMost(Self.mostMemory, .memory, .memoryNumber, number)
    if checked - began > 1_000_000_000 { die("slow: checking took \((checked - began) / 1_000_000) ms") }
    if Self.mostMemory > Self.memory { die("memory: \(Self.mostMemory >> 20) MB") }
  }

  private func keepMost(_ value: Int, _ slot: Progress.Slot, _ numberSlot: Progress.Slot, _ number: Int) {
    guard value > progress[slot] else { return }
    progress[slot] = value
    progress[numberSlot] = number
  }

  private func die(_ words: String) -> Never {
    say("complaint: \(words)", to: 2)
    exit(Self.complains)
  }

  private static var mostMemory: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss << 10
  }

  /// Limits this process's memory, so that an exploding mutant does not exhaust the machine's.
  static func limitMemory() {
    var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
