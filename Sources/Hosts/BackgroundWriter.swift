import Glibc
import Synchronization
import System

/// Writes rows to a file on a thread of its own, within a quarter of a second: neither a slow disk nor a reader that does
/// not read delays a light or the end. So much waits at most; rows for which there is no room are left out whole, and
/// counted.
package final class BackgroundWriter: @unchecked Sendable {
  /// How much waits for the file at most, in bytes.
  package static let most = 16 << 20
  /// How long after an error it tries again, in seconds.
  private static let pause = 1.0
  /// After how long in which nothing was taken that is reported, in seconds: no disk that works takes so long.
  package static let patience = 5.0

  /// How the writing goes.
  package struct Status: Equatable {
    /// Why the file takes nothing at the moment; 0: it does, or only is not read.
    package var error: Int32 = 0
    /// Rows that were left out.
    package var leftOut = 0
    /// Bytes that wait.
    package var waiting = 0
    /// For how long nothing has been taken of them, in seconds.
    package var idle = 0.0

    /// Nothing written, nothing lost.
    package init() {}

    /// Whether the file takes nothing and gives no reason, as a disk that hangs, or a pipe that nobody reads.
    package var isStuck: Bool { error == 0 && idle >= BackgroundWriter.patience }

    /// What is wrong with the file of a path that holds `content`, such as "levels": that it takes nothing, and what is lost;
    /// nil where all is well. `missing` is so many rows, as a clause.
    package func fault(of path: String, _ content: String, missing: (Int) -> String) -> String? {
      let rest = leftOut > 0 ? "; \(missing(leftOut))" : ""
      if error != 0 { return "\(path): \(Errno(error).text); \(content) wait for room\(rest)" }
      if isStuck { return "\(path) has taken nothing for \(Int(idle)) s; \(content) wait\(rest)" }
      return leftOut > 0 ? "\(path): \(missing(leftOut))" : nil
    }
  }

  /// What there is to report of the writing of a file while it goes on. [one]
  package struct News {
    /// Between two lines, in seconds.
    private static let pause = 10.0
    /// What was reported last, and when the next may be reported.
    private var reported = Status()
    private var next = 0.0

    /// Nothing reported yet.
    package init() {}

    /// Where a file takes nothing, rows are left out, or it goes on: a line, at most one in ten seconds.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - content: what it holds, such as "levels".
    ///   - missing: so many rows, as a clause.
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
  private let rows = Locked<[UInt8]>([])
  private let status = Locked(Status())
  /// When the file took something last, or what waits began to, in nanoseconds of the monotonic clock.
  private let moved = Atomic<UInt64>(0)
  private let isClosing = Atomic<Bool>(false)
  /// What has not been written may stay behind.
  private let isHurried = Atomic<Bool>(false)
  private let bell = Semaphore()
  private let ended = Semaphore()
  /// Those of the thread: what it writes, and how far it is.
  private var taken: [UInt8] = []
  private var place = 0

  /// Takes over a descriptor, and closes it where there is no thread.
  package init(_ descriptor: Int32, most: Int = BackgroundWriter.most) throws(Errno) {
    self.descriptor = descriptor
    self.most = most
    // A pipe that nobody reads must not hold the thread; files and devices do not mind.
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

  /// How the writing goes. [any]
  package var now: Status {
    var status = status.withLock { $0 }
    let (moved, now) = (moved.load(ordering: .relaxed), MonotonicClock.now)
    if status.waiting > 0, now > moved { status.idle = Double(now - moved) * 1e-9 }
    return status
  }

  /// Takes a row, or says that there is no room for it; never waits for the file. [frame]
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

  /// Has it write what is left and close, without waiting for that. [any]
  package func end() {
    isClosing.store(true, ordering: .releasing)
    bell.post()
  }

  /// Writes what is left and closes, within so long where the time is limited, else as long as the file goes on taking
  /// something; says how it went. A disk that has hung keeps the thread and the file. [any], also while another closes.
  package func close(within seconds: Double? = nil) -> Status {
    end()
    var hasEnded = ended.wait(seconds: seconds ?? 0)
    while seconds == nil, !hasEnded, !now.isStuck { hasEnded = ended.wait(seconds: 0.2) }
    if !hasEnded {
      isHurried.store(true, ordering: .releasing)
      bell.post()
      hasEnded = ended.wait(seconds: 0.15)
    }
    var status = now
    if hasEnded {
      // For the next who asks.
      ended.post()
    } else if status.waiting > 0 {
      // What the thread holds is one row at least.
      status.leftOut += 1 + rows.withLock { $0.count { $0 == UInt8(ascii: "\n") } }
    }
    return status
  }

  // MARK: - On its thread

  private func work() {
    while true {
      let isLast = isClosing.load(ordering: .acquiring)
      if place == taken.count { take() }
      let pause = write()
      if isHurried.load(ordering: .acquiring) || isLast && now.error != 0 { break }
      if let pause {
        _ = bell.wait(seconds: pause)
      } else if isLast {
        if now.waiting == 0 { break }
      } else {
        _ = bell.wait(seconds: 0.25)
      }
    }
    count()
    if Glibc.close(descriptor) != 0 { fail(Errno()) }
  }

  /// What is left behind is left out; a row that is cut counts as one.
  private func count() {
    let rest = taken[place...] + rows.withLock { $0 }
    status.withLock { $0.leftOut += rest.count { $0 == UInt8(ascii: "\n") } }
  }

  private func take() {
    taken = rows.withLock { rows in
      defer { rows = [] }
      return rows
    }
    place = 0
  }

  /// Writes as much of what it has as the file takes; gives the seconds after which to try again, nil when all is written.
  private func write() -> Double? {
    while place < taken.count {
      switch taken[place...].withUnsafeBytes({ Descriptor.writeSome($0, to: descriptor) }) {
      case .success(let count):
        place += count
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
