import Glibc

/// Watches a worker on a part of the run. A crash or hang is a find, and a new worker goes on after it.
struct Watch {
  /// A mutant with a fault.
  struct Find {
    let number: Int
    let words: String
  }

  let seed: UInt64
  let folder: String
  let progress: Progress
  private var left: Range<Int>
  private(set) var worker: Child?
  private(set) var finds: [Find] = []

  private let lane: Int
  private let kind: String
  /// The number of mutants that one process tries, so that a leak shows, but does not accumulate without a limit.
  private static let perWorker = 5000

  /// Watches over `range`; `lane` distinguishes the files of several watches.
  init?(_ range: Range<Int>, seed: UInt64, folder: String, lane: Int, kind: String = "") {
    guard let progress = Progress(path: "\(folder)/progress-\(lane)") else { return nil }
    self.seed = seed
    self.folder = folder
    self.progress = progress
    self.lane = lane
    self.kind = kind
    left = range
    progress.clear()
  }

  private var output: String { "\(folder)/output-\(lane)" }

  /// Checks the worker. Returns whether any work is left.
  mutating func look() -> Bool {
    guard let worker else { return start() }
    if let end = worker.end() {
      self.worker = nil
      if progress[.current] < 0, end.code == 0 { return start() }
      found(lastLine ?? end.words)
      return start()
    }
    let number = progress[.current]
    guard number >= 0 else { return true }
    let (processor, wall) = (
      worker.processor - progress[.began], nanoseconds(CLOCK_MONOTONIC) - progress[.beganWall]
    )
    let allowed = progress[.isRunning] == 0 ? 1_000_000_000 : 5_000_000_000
    guard processor > allowed || wall > 20 * allowed, progress[.current] == number else { return true }
    worker.kill()
    self.worker = nil
    found("hang: \(progress[.isRunning] == 0 ? "checking" : "running") did not end")
    return start()
  }

  /// Starts a worker on the rest.
  private mutating func start() -> Bool {
    guard !left.isEmpty else { return false }
    let end = min(left.upperBound, left.lowerBound + Self.perWorker)
    progress[.current] = -1
    worker = Child(
      [program, "work" + kind, "\(seed)", "\(left.lowerBound)", "\(end)", "\(folder)/progress-\(lane)"],
      output: output)
    left = end..<left.upperBound
    return worker != nil
  }

  private mutating func found(_ words: String) {
    let number = progress[.current]
    guard number >= 0 else {
      finds.append(Find(number: -1, words: "a worker did not start: \(words)"))
      return
    }
    finds.append(Find(number: number, words: words))
    // The rest of the crashed worker's part comes first.
    left = (number + 1)..<left.upperBound
  }

  /// The last output of the worker.
  private var lastLine: String? {
    lines(of: output).last { $0.hasPrefix("complaint: ") || $0.contains("atal error") }
  }
}

/// The lines of a short file.
func lines(of path: String) -> [String] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
}

/// The path of this program.
let program: String = {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
  return String(decoding: bytes[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
}()
