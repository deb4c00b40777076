import Glibc

/// A bounded run: a number of mutants of a seed, with as many workers as processors.
struct Run {
  let count: Int
  let seed: UInt64
  let folder: String
  /// The arguments of the workers.
  let subject: Subject

  /// Runs. Returns whether no fault was found.
  func run(_ mutation: some MutantSource) -> Bool {
    let began = nanoseconds(CLOCK_MONOTONIC)
    let lanes = max(1, min(16, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    var watches = (0..<lanes).compactMap { lane in
      Watch(
        count * lane / lanes..<count * (lane + 1) / lanes, seed: seed, folder: folder, lane: lane,
        kind: subject.rawValue)
    }
    guard watches.count == lanes else {
      say("fuzz: cannot write to \(folder)", to: 2)
      return false
    }
    say("seed \(seed): \(count) mutants of \(mutation.words), \(lanes) workers")
    var isWorking = [Bool](repeating: true, count: lanes)
    var reported = began
    while isWorking.contains(true), watches.reduce(0, { $0 + $1.finds.count }) < 50 {
      for lane in watches.indices where isWorking[lane] { isWorking[lane] = watches[lane].look() }
      usleep(5000)
      let now = nanoseconds(CLOCK_MONOTONIC)
      if now - reported > 15_000_000_000 {
        reported = now
        say("  \(total(watches, .refused) + total(watches, .checked) + total(watches, .ran)) done")
      }
    }
    for watch in watches { watch.end() }
    report(watches, seconds: Double(nanoseconds(CLOCK_MONOTONIC) - began) / 1e9)
    let finds = watches.flatMap(\.finds)
    for find in finds.prefix(20) { keep(find, mutation) }
    return finds.isEmpty
  }

  private func total(_ watches: [Watch], _ slot: Progress.Slot) -> Int {
    watches.reduce(0) { $0 + $1.progress[slot] }
  }

  private func report(_ watches: [Watch], seconds: Double) {
    func most(_ slot: Progress.Slot, _ number: Progress.Slot) -> (Int, Int) {
      watches.map { ($0.progress[slot], $0.progress[number]) }.max { $0.0 < $1.0 } ?? (0, 0)
    }
    func milliseconds(_ value: Int) -> String { "\(Double(value / 10_000) / 100) ms" }
    let (ran, checked, refused) = (total(watches, .ran), total(watches, .checked), total(watches, .refused))
    let (slow, slowest) = most(.slowest, .slowestNumber)
    let (slowRun, slowestRun) = most(.slowestRun, .slowestRunNumber)
    let (memory, heaviest) = most(.memory, .memoryNumber)
    say(
      """
      \(ran + checked + refused) mutants in \(Int(seconds.rounded())) s: \(refused) refused with faults, \
      \(ran) ran, \(checked) checked but not run (too wide, or a file that need not be there)
      slowest check \(milliseconds(slow)) (mutant \(slowest)), slowest run \(milliseconds(slowRun)) \
      (mutant \(slowestRun)), most memory of a worker \(memory >> 20) MB (mutant \(heaviest))
      finds: \(watches.reduce(0) { $0 + $1.finds.count })
      """)
  }

  private var ending: String { subject.ending }

  /// Writes a find into the folder, and the smallest input that shows the same fault.
  private func keep(_ find: Watch.Find, _ mutation: some MutantSource) {
    guard find.number >= 0 else { return say("  \(find.words)") }
    let bytes = mutation.mutant(find.number)
    let name = "\(folder)/seed-\(seed)-mutant-\(find.number)"
    write(bytes, to: "\(name)\(ending)")
    let small = Reduction(folder: folder, words: find.words, command: "try" + subject.rawValue).smallest(
      of: bytes)
    if let small { write(small, to: "\(name).small\(ending)") }
    let size = small.map { "\($0.count) bytes show it" } ?? "not by itself"
    say("  mutant \(find.number): \(find.words) (\(size)): \(name)\(ending)")
  }
}

extension Watch {
  /// Ends the worker, if there is one.
  func end() { worker?.kill() }
}
