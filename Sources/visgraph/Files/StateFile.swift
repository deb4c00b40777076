import Dispatch
import Glibc
import Graphs
import Hosts
import Synchronization
import System

/// The file that keeps a show's state, written at most once a second and never torn. [control]
///
/// Nothing is written over that is not this show's state, and the file is locked for as long as the show runs. Written on a
/// queue of the system, as a disk may take its time; a write that still goes on holds the next one off.
final class StateFile: Sendable {
  /// Whose state it keeps.
  let owner: ShowIdentity
  private let path: String
  private let queue = DispatchQueue(label: "state")
  private let isWriting = Atomic<Bool>(false)
  private struct Written {
    var state: ShowState?
    var next = 0.0
    /// Why it could not be written, until that is reported.
    var failure: String?
    /// Why the last try failed.
    var error: String?
    var hasFailed = false
    /// Since when it is being written, in seconds of the monotonic clock, and whether that it takes long was reported.
    var began: Double?
    var hasToldStuck = false
  }
  private let written = Locked(Written())
  /// How the file is held.
  private struct Hold {
    /// Whether what lies at the path is this show's; else nothing did.
    var isOurs = false
    /// nil where nothing lies there, or the file system has no locks.
    var lock: FileLock?
    /// What it was like when it was read or written last.
    var stamp: [Int]?
    /// Whether no state is kept in this run.
    var isGivenUp = false
  }
  private let hold = Locked(Hold())

  init(_ path: String, of owner: ShowIdentity = ShowIdentity()) { (self.path, self.owner) = (path, owner) }

  /// Between two writes, in seconds.
  static let pause = 1.0

  /// What lies at the path.
  enum Finding {
    /// Nothing, or nothing in it.
    case none
    /// The state of this show.
    case ours(ShowState)
    /// A state that this show cannot begin with, out of the way under another name.
    case aside(Diagnostic, name: String)
    /// The state of a show that runs; of this one, if it can be read. No state is kept.
    case taken(ShowState?)
    /// Something else, which stays as it is. No state is kept.
    case foreign(Diagnostic)
    /// A device, a pipe or the like, which keeps nothing.
    case device
  }

  /// Takes the file for this show, if it can be that, and says what it found.
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
    // There is nothing to lose in an empty file.
    if stamp == nil {
      hold.withLock { $0 = Hold(isOurs: true, lock: lock, stamp: nil) }
      return .none
    }
    if ["foreign-file", "unreadable-state"].contains(fault.code) { return giveUp(.foreign(fault)) }
    do throws(Errno) { return .aside(fault, name: try WholeFile.moveAside(path)) } catch {
      return giveUp(.foreign(fault))
    }
  }

  private func giveUp(_ finding: Finding) -> Finding {
    hold.withLock { $0 = Hold(isGivenUp: true) }
    return finding
  }

  /// What the file holds; nil where there is none. What cannot be read is left aside: why, in a sentence.
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

  /// Writes how things stand when that is new and the time has come, in seconds of a clock that only goes forward.
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

  /// What has become of the last state.
  enum Ending {
    case kept, failed, late
    /// The disk has hung for longer than that.
    case stuck
  }

  /// Begins to write a state at once; what comes back waits for that, at most so many seconds. A disk that hangs keeps the
  /// one before. The file is free for others after the last one.
  func close(_ state: ShowState, isLast: Bool = false) -> (_ seconds: Double) -> Ending {
    let done = DispatchSemaphore(value: 0)
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
    defer { written.withLock { ($0.began, $0.hasToldStuck) = (nil, false) } }
    var failure: String?
    if hold.withLock({ $0.isOurs && $0.stamp != RegularFile.stamp(path) }) { failure = claimAnew() }
    if failure == nil, !hold.withLock({ $0.isGivenUp }) {
      let bytes = Array(RecordFile.text(state, version: ShowState.version).utf8)
      do throws(Errno) {
        do throws(Errno) { try put(bytes) } catch {
          // Something has come to lie there since the show began.
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

  /// Looks once more at what lies at the path; why no state is kept any more, if that is so.
  private func claimAnew() -> String? {
    switch claim() {
    case .none, .ours, .aside: nil
    case .taken: "another run has taken it"
    case .foreign(let fault): "\(fault.message); it is left as it is"
    case .device: "it is no file any more"
    }
  }

  /// Writes a file that is locked before it takes its path.
  private func put(_ bytes: [UInt8]) throws(Errno) {
    let file = try WholeFile(path)
    let lock = try? FileLock(file)
    try file.write(bytes)
    try file.keep(replacing: hold.withLock { $0.isOurs })
    hold.withLock { $0 = Hold(isOurs: true, lock: lock, stamp: RegularFile.stamp(path)) }
  }

  /// What has gone wrong since the last call, in a sentence; once until it goes well again.
  func takeMessage() -> String? {
    if let stuck {
      let isNew = written.withLock { written in
        defer { written.hasToldStuck = true }
        return !written.hasToldStuck
      }
      return isNew ? stuck : nil
    }
    return written.withLock { written in
      defer { written.failure = nil }
      return written.failure.map(failure)
    }
  }

  /// What is wrong now. [any]
  var fault: String? { stuck ?? written.withLock(\.error).map(failure) }

  private func failure(_ reason: String) -> String { "the state is not kept: \(path): \(reason)" }

  /// That the disk has taken nothing for long.
  private var stuck: String? {
    guard let began = written.withLock(\.began) else { return nil }
    let idle = MonotonicClock.seconds - began
    guard idle >= BackgroundWriter.patience else { return nil }
    return "the state is not kept: \(path) has taken nothing for \(Int(idle)) s"
  }
}
