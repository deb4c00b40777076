import Glibc
import Synchronization
import System

/// Writes rows to a file on a thread of its own (`levels file`), within 0.25 s. Neither a slow disk nor a reader that
/// does not read delays a frame or the end of the show. At most `most` bytes wait for the file. A row that does not
/// fit is dropped whole and counted.
package final class BackgroundWriter: @unchecked Sendable {
  /// The most bytes that wait for the file.
  package static let most = 16 << 20
  /// The pause after an error until the next try, in seconds.
  private static let pause = 1.0
  /// A file that takes no byte for this time, in seconds, counts as stuck: no disk that works takes so long.
  package static let stallTimeout = 5.0

  /// The state of the writing at one moment.
  package struct Status: Equatable {
    /// The error of the last write; 0: none. A pipe that is not read is no error.
    package var error: Int32 = 0
    /// Rows dropped so far.
    package var leftOut = 0
    /// Bytes that wait.
    package var waiting = 0
    /// Seconds since the file took a byte; 0 while none wait.
    package var idle = 0.0

    /// The state before the first row.
    package init() {}

    /// Whether the file takes no bytes and reports no error: a disk hangs, or a pipe is not read.
    package var isStuck: Bool { error == 0 && idle >= BackgroundWriter.stallTimeout }

    /// Whether rows are lost, or would be if the process ended now.
    package var losesData: Bool { error != 0 || leftOut > 0 || waiting > 0 }

    /// A sentence about the fault of the file at `path`, and about lost rows; nil: no fault. `content` names the rows,
    /// such as "levels"; `missing` makes a clause of a number of lost rows.
    package func fault(of path: String, _ content: String, missing: (Int) -> String) -> String? {
      let rest = leftOut > 0 ? "; \(missing(leftOut))" : ""
      if error != 0 { return "\(path): \(Errno(error).text); \(content) wait for room\(rest)" }
      if isStuck { return "\(path) has taken nothing for \(Int(idle)) s; \(content) wait\(rest)" }
      return leftOut > 0 ? "\(path): \(missing(leftOut))" : nil
    }
  }

  /// Selects the changes of a status that are reported while a file is written. [one]
  package struct News {
    /// The least time between two reports, in seconds.
    private static let pause = 10.0
    /// The status of the last report, and the earliest time of the next one, in seconds.
    private var reported = Status()
    private var next = 0.0

    /// Nothing reported yet.
    package init() {}

    /// Returns a report if the file has stopped taking rows, takes them again, or rows were dropped; at most one in 10
    /// s. Else nil.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - content: names the rows, such as "levels".
    ///   - missing: makes a clause of a number of lost rows.
    ///   - time: in seconds, of a clock that only goes forward.
    package mutating func take(
      _ now: Status, of path: String, _ content: String, at time: Double, missing: (Int) -> String
    ) -> String? {
      guard time >= next,
        now.error != reported.error || now.isStuck != reported.isStuck || now.leftOut > reported.leftOut
      else { return nil }
      let wasHeld = reported.error != 0 || reported.isStuck
      (reported, next) = (now, time + Self.pause)
      if now.error != 0 || now.isStuck { return now.fault(of: path, content, missing: missing) }
      let rest = now.leftOut > 0 ? "; \(missing(now.leftOut))" : ""
      return wasHeld ? "\(path) is written again\(rest)" : "\(path) is not read fast enough\(rest)"
    }
  }

  private let descriptor: Int32
  private let most: Int
  /// Queued rows that the thread has not taken yet.
  private let rows = Locked<[UInt8]>([])
  private let status = Locked(Status())
  /// When the file last took a byte, or the first byte began to wait, in nanoseconds of the monotonic clock.
  private let moved = Atomic<UInt64>(0)
  private let isClosing = Atomic<Bool>(false)
  /// Whether the thread is to end without writing the rest.
  private let isHurried = Atomic<Bool>(false)
  private let wakeUp = Semaphore()
  private let ended = Semaphore()
  /// The bytes that the thread is writing, and the index of the first unwritten one. Only the thread touches them.
  private var taken: [UInt8] = []
  private var firstUnwritten = 0

  /// Takes over a descriptor. Closes it where no thread can be started.
  package init(_ descriptor: Int32, most: Int = BackgroundWriter.most) throws(Errno) {
    self.descriptor = descriptor
    self.most = most
    // A pipe that is not read must not block the thread. On files and devices the flag has no effect.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    do throws(Errno) {
      _ = try Thread("levels file") { [self] in
        work()
        ended.post()
      }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// The state of the writing. [any]
  package var now: Status {
    var status = status.withLock { $0 }
    let (moved, now) = (moved.load(ordering: .relaxed), MonotonicClock.now)
    if status.waiting > 0, now > moved { status.idle = Double(now - moved) * 1e-9 }
    return status
  }

  /// Queues a row, and never waits for the file. Returns false, and counts the row as dropped, where it does not fit.
  /// [frame]
  @discardableResult
  package func add(_ row: [UInt8]) -> Bool {
    let fits = status.withLock { status in
      guard status.waiting + row.count <= most else {
        status.leftOut += 1
        return false
      }
      if status.waiting == 0 { moved.store(MonotonicClock.now, ordering: .relaxed) }
      status.waiting += row.count
      return true
    }
    if fits { rows.withLock { $0.append(contentsOf: row) } }
    return fits
  }

  /// Asks the thread to write the rest and to close the file, without waiting for it. [any]
  package func end() {
    isClosing.store(true, ordering: .releasing)
    wakeUp.post()
  }

  /// Writes the rest, closes the file and returns the final state. After `seconds` the rest is dropped; without
  /// `seconds` it waits until all is written or the file is stuck. A disk that hangs keeps the thread and the
  /// descriptor. [any], several at a time.
  package func close(within seconds: Double? = nil) -> Status {
    end()
    var hasEnded = ended.wait(seconds: seconds ?? 0)
    while seconds == nil, !hasEnded, !now.isStuck { hasEnded = ended.wait(seconds: 0.2) }
    if !hasEnded {
      isHurried.store(true, ordering: .releasing)
      wakeUp.post()
      hasEnded = ended.wait(seconds: 0.15)
    }
    var status = now
    if hasEnded {
      // Another thread may wait in `close`, too.
      ended.post()
    } else if status.waiting > 0 {
      // The thread holds one row at least.
      status.leftOut += 1 + rows.withLock { $0.count { $0 == UInt8(ascii: "\n") } }
    }
    return status
  }

  // MARK: - On its thread

  private func work() {
    while true {
      let isLast = isClosing.load(ordering: .acquiring)
      if firstUnwritten == taken.count { take() }
      let pause = write()
      if isHurried.load(ordering: .acquiring) || isLast && now.error != 0 { break }
      if let pause {
        _ = wakeUp.wait(seconds: pause)
      } else if isLast {
        if now.waiting == 0 { break }
      } else {
        _ = wakeUp.wait(seconds: 0.25)
      }
    }
    count()
    if Glibc.close(descriptor) != 0 { fail(Errno()) }
  }

  /// Counts the unwritten rows as dropped; a row that is cut counts as one.
  private func count() {
    let rest = taken[firstUnwritten...] + rows.withLock { $0 }
    status.withLock { $0.leftOut += rest.count { $0 == UInt8(ascii: "\n") } }
  }

  private func take() {
    taken = rows.withLock { rows in
      defer { rows = [] }
      return rows
    }
    firstUnwritten = 0
  }

  /// Writes until the file takes no more. Returns the seconds until the next try; nil: all is written.
  private func write() -> Double? {
    while firstUnwritten < taken.count {
      switch taken[firstUnwritten...].withUnsafeBytes({ Descriptor.writeSome($0, to: descriptor) }) {
      case .success(let count):
        firstUnwritten += count
        moved.store(MonotonicClock.now, ordering: .relaxed)
        status.withLock { status in
          status.waiting -= count
          status.error = 0
        }
      case .failure(Errno(EAGAIN)):
        if !Descriptor.waits(for: POLLOUT, on: descriptor, milliseconds: 50) { return 0 }
      case .failure(let error):
        fail(error)
        return Self.pause
      }
    }
    return nil
  }

  private func fail(_ error: Errno) { status.withLock { $0.error = error.number } }
}
