import Dispatch
import Glibc
import Graphs
import Hosts
import Synchronization
import System

/// The state file of a show. Written at most once a second, always as a whole. [control]
///
/// Only a file of this show is overwritten, and it is locked while the show runs. A dispatch queue writes it, because a
/// disk may be slow. Two writes never run at once.
final class StateFile: Sendable {
  /// The show whose state it keeps.
  let owner: ShowIdentity
  private let path: String
  private let queue = DispatchQueue(label: "state")
  private let isWriting = Atomic<Bool>(false)
  private struct Written {
    /// The state that was written last, or is being written; nil: none, or the write failed.
    var state: ShowState?
    /// The earliest time of the next write, in s of the monotonic clock.
    var next = 0.0
    /// The reason of a failed write, until that is reported.
    var failure: String?
    /// The reason why the last write failed; nil: it did not.
    var error: String?
    var hasFailed = false
    /// When the current write began, in s of the monotonic clock; and whether its delay was reported.
    var began: Double?
    var hasReportedStuck = false
  }
  private let written = Locked(Written())
  private struct Hold {
    /// Whether the file at the path belongs to this show; false: there was none.
    var isOurs = false
    /// nil: there is no file, or its file system has no locks.
    var lock: FileLock?
    /// The file's stamp at the last read or write.
    var stamp: [Int]?
    /// Whether this run keeps no state.
    var isGivenUp = false
  }
  private let hold = Locked(Hold())

  init(_ path: String, of owner: ShowIdentity = ShowIdentity()) { (self.path, self.owner) = (path, owner) }

  /// The least interval between two writes, in s.
  static let pause = 1.0

  /// What is at the path.
  enum Finding {
    /// No file, or an empty one.
    case none
    case ours(ShowState)
    /// A state of another show, or an invalid one; it was renamed.
    case aside(Diagnostic, name: String)
    /// A file that another run has locked; its state, if it is of this show. This run keeps no state.
    case taken(ShowState?)
    /// A file that holds no state; it stays as it is. This run keeps no state.
    case foreign(Diagnostic)
    /// A device or a pipe, which keeps nothing.
    case device
  }

  /// Locks the file for this show if possible. Returns what was found.
  func claim() -> Finding {
    hold.withLock { $0 = Hold() }
    var status = stat()
    guard stat(path, &status) == 0 else { return .none }
    if status.st_mode & S_IFMT == S_IFDIR {
      return giveUp(.foreign(Diagnostic("unreadable-state", "\(path) is a folder", at: nil)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return giveUp(.device) }
    var lock: FileLock?
    do throws(FileLock.Refusal) { lock = try FileLock(path) } catch {
      if error == .taken {
        let found = try? read().get()
        return giveUp(.taken(found.flatMap { owner.owns($0) ? $0 : nil }))
      }
    }
    let stamp = RegularFile.stamp(path)
    let fault: Diagnostic
    switch read() {
    case .success(.none): return .none
    case .success(.some(let state)):
      if owner.owns(state) {
        hold.withLock { $0 = Hold(isOurs: true, lock: lock, stamp: stamp) }
        return .ours(state)
      }
      fault = Diagnostic("other-state", "\(path) is of \(DisplayedText.safe(state.graph))", at: nil)
    case .failure(let found): fault = found
    }
    // An empty file has no stamp, and nothing to lose.
    if stamp == nil {
      hold.withLock { $0 = Hold(isOurs: true, lock: lock, stamp: nil) }
      return .none
    }
    if ["foreign-file", "unreadable-state"].contains(fault.code) { return giveUp(.foreign(fault)) }
    do throws(Errno) { return .aside(fault, name: try WholeFile.moveAside(path)) } catch {
      return giveUp(.foreign(fault))
    }
  }

  /// Lets this run keep no state.
  private func giveUp(_ finding: Finding) -> Finding {
    hold.withLock { $0 = Hold(isGivenUp: true) }
    return finding
  }

  /// The state in the file; nil: there is no file. Fails where the file cannot be read.
  func read() -> Result<ShowState?, Diagnostic> {
    do throws(RegularFile.Refusal) {
      let bytes = try RegularFile.bytes(of: path, most: RecordFile.most)
      return RecordFile.record(ShowState.self, version: ShowState.version, of: bytes, called: path).map {
        .some($0)
      }
    } catch {
      if error == .system(Errno(ENOENT)) { return .success(nil) }
      return .failure(Diagnostic("unreadable-state", "\(path) cannot be read", at: nil))
    }
  }

  /// Begins to write the state if it has changed and the interval is over. `time` in s of the monotonic clock.
  func update(_ state: @autoclosure () -> ShowState, at time: Double) {
    guard written.withLock({ time >= $0.next }), !isWriting.load(ordering: .acquiring),
      !hold.withLock({ $0.isGivenUp })
    else { return }
    let state = state()
    let isNew = written.withLock { written in
      written.next = time + Self.pause
      defer { written.state = state }
      return written.state != state
    }
    guard isNew, !isWriting.exchange(true, ordering: .acquiring) else { return }
    queue.async { [self] in
      write(state)
      isWriting.store(false, ordering: .releasing)
    }
  }

  /// The result of the last write.
  enum Ending {
    case kept, failed
    /// The write has not ended in time, but the disk may still take it.
    case late
    /// The disk has not taken it within `BackgroundWriter.stallTimeout`.
    case stuck
  }

  /// Begins to write a state at once; the closure that it returns waits for the write, at most `seconds`. If the disk
  /// hangs, the previous state remains. The last write unlocks the file.
  func close(_ state: ShowState, isLast: Bool = false) -> (_ seconds: Double) -> Ending {
    let done = DispatchSemaphore(value: 0)
    // `update` compares with it: a show that goes back to an earlier state has to be written again.
    written.withLock { $0.state = state }
    queue.async { [self] in
      write(state)
      if isLast { hold.withLock { $0 = Hold(isGivenUp: true) } }
      done.signal()
    }
    return { [self] in
      guard done.wait(timeout: .now() + $0) == .success else { return stuck == nil ? .late : .stuck }
      return written.withLock { $0.error == nil } ? .kept : .failed
    }
  }

  private func write(_ state: ShowState) {
    written.withLock { $0.began = MonotonicClock.seconds }
    defer { written.withLock { ($0.began, $0.hasReportedStuck) = (nil, false) } }
    var failure: String?
    if hold.withLock({ $0.isOurs && $0.stamp != RegularFile.stamp(path) }) { failure = claimAnew() }
    if failure == nil, !hold.withLock({ $0.isGivenUp }) {
      let bytes = Array(RecordFile.text(state, version: ShowState.version).utf8)
      do throws(Errno) {
        do throws(Errno) { try put(bytes) } catch {
          // Another process has made a file there since the show began.
          guard error == Errno(EEXIST) else { throw error }
          failure = claimAnew()
          if failure == nil { try put(bytes) }
        }
      } catch {
        failure = error.text
      }
    }
    let isGivenUp = hold.withLock { $0.isGivenUp }
    written.withLock { [failure] written in
      if let failure, !written.hasFailed { written.failure = failure }
      written.hasFailed = failure != nil || isGivenUp
      written.error = failure
      if written.hasFailed { written.state = nil }
    }
  }

  /// Claims the path again. Returns the reason if no state can be kept any more.
  private func claimAnew() -> String? {
    switch claim() {
    case .none, .ours, .aside: nil
    case .taken: "another run has taken it"
    case .foreign(let fault): "\(fault.message); it is left as it is"
    case .device: "it is no file any more"
    }
  }

  /// Writes a new file, locks it, and moves it to the path.
  private func put(_ bytes: [UInt8]) throws(Errno) {
    let file = try WholeFile(path)
    let lock = try? FileLock(file)
    try file.write(bytes)
    try file.keep(replacing: hold.withLock { $0.isOurs })
    hold.withLock { $0 = Hold(isOurs: true, lock: lock, stamp: RegularFile.stamp(path)) }
  }

  /// A new fault in a sentence, reported once until a write succeeds.
  func takeMessage() -> String? {
    if let stuck {
      let isNew = written.withLock { written in
        defer { written.hasReportedStuck = true }
        return !written.hasReportedStuck
      }
      return isNew ? stuck : nil
    }
    return written.withLock { written in
      defer { written.failure = nil }
      return written.failure.map(failure)
    }
  }

  /// The current fault. [any]
  var fault: String? { stuck ?? written.withLock(\.error).map(failure) }

  private func failure(_ reason: String) -> String { "the state is not kept: \(path): \(reason)" }

  /// A sentence, if the current write takes too long.
  private var stuck: String? {
    guard let began = written.withLock(\.began) else { return nil }
    let idle = MonotonicClock.seconds - began
    guard idle >= BackgroundWriter.stallTimeout else { return nil }
    return "the state is not kept: \(path) has taken nothing for \(Int(idle)) s"
  }
}
