import Glibc
import Playback
import Synchronization
import System
import Tables

/// Measures many files on all processors, into a table with a row for each file. [control]
///
/// Each row is written at once to a rows file beside the table. So a later run continues from these rows, however this
/// one ended. When all rows exist, the table is written in the order of the list, and replaces an existing one as a
/// whole.
struct MeasureJob {
  let measure: FileMeasure
  let items: [MeasureList.Item]
  /// The path of the table.
  let output: String
  let format: TableFormat
  /// The number of files that are measured at the same time.
  let jobs: Int
  /// Whether existing rows are discarded.
  let restarts: Bool

  struct Summary {
    var rows = 0
    /// Rows of an earlier run.
    var known = 0
    /// Rows with a fault.
    var faults = 0
  }

  /// How many times the program may have ended while it measured a file, before the file is skipped.
  private static let mostEnds = 3

  /// The name of the table in a database.
  static let tableName = "levels"

  /// The path of the rows file.
  private var rowsPath: String { output + ".rows" }

  /// State that the measuring threads share.
  private final class Shared: Sendable {
    /// The index of the next file to measure.
    let next = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    /// Why rows cannot be written any more; nil: they can.
    let failure = Locked<String?>(nil)
    let hasFailed = Atomic<Bool>(false)
  }

  /// The number of processors.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Measures the files without a row, and writes the table.
  func run() throws -> Summary {
    let stop = try StopSignals()
    let rows = try openRows()
    let open = items.filter { $0.fault == nil }
    let keyed = open.map { (item: $0, key: RowsFile.Key(name: $0.path, version: $0.state)) }
    let missing = keyed.filter { !rows.has($0.key) }
    try measure(missing, into: rows, stop)
    if stop.isAsked {
      let done = keyed.count { rows.has($0.key) }
      throw RunError(
        description:
          "stopped: \(done) of \(NumberFormat.count(keyed.count, "file")) have a row; the same command goes on"
      )
    }
    var summary = try write(rows)
    summary.known = keyed.count - missing.count
    return summary
  }

  private func openRows() throws -> RowsFile {
    let isThere = [output, rowsPath].map { access($0.systemPath, F_OK) == 0 }
    if isThere[0], !isThere[1], !restarts {
      throw RunError(
        description:
          "\(output) is there, and no \(rowsPath) to go on from; --force measures all files again and writes over it"
      )
    }
    do throws(RowsFile.Fault) {
      return try RowsFile(
        rowsPath, columns: measure.columns, identity: measure.graph.identity, restarts: restarts)
    } catch {
      throw fault(error)
    }
  }

  private func fault(_ fault: RowsFile.Fault) -> RunError {
    switch fault {
    case .taken: RunError(description: "\(rowsPath): another visgraph is measuring into it")
    case .other(let what):
      RunError(
        description:
          "\(rowsPath) holds \(what); name another output, or --force measures all files again and writes over it"
      )
    case .system(let reason): RunError(description: "\(rowsPath): \(reason)")
    }
  }

  /// Measures the files on `jobs` threads, and adds their rows.
  private func measure(
    _ missing: [(item: MeasureList.Item, key: RowsFile.Key)], into rows: RowsFile, _ stop: StopSignals
  ) throws {
    let shared = Shared()
    let measure = self.measure
    let jobs = self.jobs
    let work: @Sendable () -> Void = {
      let isCancelled = { stop.isAsked || shared.hasFailed.load(ordering: .relaxed) }
      while !isCancelled() {
        let number = shared.next.add(1, ordering: .relaxed).oldValue
        guard number < missing.count else { return }
        let (item, key) = missing[number]
        do throws(RowsFile.Fault) {
          let hasEndedUs = try rows.noteAttempt(key) >= Self.mostEnds
          guard
            let row = hasEndedUs
              ? measure.row(endedBy: item.path) : measure.row(of: item.path, isCancelled: isCancelled)
          else { return try rows.withdrawAttempt(key) }
          try rows.add(row, of: key)
        } catch {
          shared.failure.withLock { $0 = fault(error).description }
          shared.hasFailed.store(true, ordering: .relaxed)
        }
        shared.done.add(1, ordering: .relaxed)
      }
    }
    // Signals are left to the thread that waits for them.
    let options = Thread.Options(blockedSignals: .allButFaults)
    var threads = [try Thread.required("measure", as: options, CommandContext.inherited(work))]
    for _ in 1..<max(1, min(jobs, missing.count)) {
      // If the system refuses a thread, fewer threads measure.
      guard let thread = try? Thread("measure", as: options, CommandContext.inherited(work)) else { break }
      threads.append(thread)
    }
    let progress = Progress(isShown: CommandContext.current.hasTerminal)
    for thread in threads {
      while !thread.join(within: 0.1) {
        progress.show(Int64(shared.done.load(ordering: .relaxed)), of: Int64(missing.count))
      }
    }
    progress.clear()
    if let failure = shared.failure.withLock({ $0 }) { throw RunError(description: failure) }
  }

  /// Writes the table with all rows, in the order of the list.
  private func write(_ rows: RowsFile) throws -> Summary {
    var summary = Summary()
    do {
      let file = try WholeFile(output)
      var waiting: [UInt8] = []
      func flush() throws {
        if let failure = waiting.withUnsafeBytes({ Descriptor.write($0, to: file.descriptor) }) {
          throw failure
        }
        waiting.removeAll(keepingCapacity: true)
      }
      let columns = measure.columns
      let table = try format.writer(of: columns, called: Self.tableName) { bytes in
        waiting += bytes
        if waiting.count >= 1 << 20 { try flush() }
      }
      for item in items {
        guard let row = try row(item, rows, columns.count) else { continue }
        try table.add(row)
        summary.rows += 1
        if row[columns.count - 2] != .missing { summary.faults += 1 }
      }
      try table.finish()
      try flush()
      if fdatasync(file.descriptor) != 0 { throw Errno() }
      try file.keep()
    } catch let error as Errno {
      throw RunError(description: "\(output): \(error.text)")
    }
    return summary
  }

  private func row(_ item: MeasureList.Item, _ rows: RowsFile, _ count: Int) throws -> [TableValue]? {
    guard let fault = item.fault else {
      do throws(RowsFile.Fault) { return try rows.row(of: item.path) } catch { throw self.fault(error) }
    }
    return [.text(item.path)] + Array(repeating: .missing, count: count - 3)
      + [.text(fault.code.rawValue), .text(fault.message)]
  }
}
