import Dispatch
import Glibc
import Graphs
import Synchronization
import System

/// The file that keeps a show's state, written at most once a second and never torn. [control]
///
/// Written on a queue of the system, as a disk may take its time; a write that still goes on holds the next one off.
final class StateFile: Sendable {
  private let path: String
  private let queue = DispatchQueue(label: "state")
  private let isWriting = Atomic<Bool>(false)
  private struct Written {
    var state: ShowState?
    var next = 0.0
    /// Why it could not be written, until that is told.
    var failure: Errno?
    var hasFailed = false
  }
  private let written = Locked(Written())

  init(_ path: String) { self.path = path }

  /// Between two writes, in seconds.
  static let pause = 1.0

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
    guard written.withLock({ time >= $0.next }), !isWriting.load(ordering: .acquiring) else { return }
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
  enum Ending { case kept, failed, late }

  /// Begins to write the last state; what comes back waits for that, at most so many seconds. A disk that hangs keeps the one
  /// before.
  func close(_ state: ShowState) -> (_ seconds: Double) -> Ending {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      write(state)
      done.signal()
    }
    return { [self] in
      guard done.wait(timeout: .now() + $0) == .success else { return .late }
      return written.withLock { $0.hasFailed } ? .failed : .kept
    }
  }

  private func write(_ state: ShowState) {
    do throws(Errno) {
      try WholeFile.write(Array(RecordFile.text(state, version: ShowState.version).utf8), to: path)
      written.withLock { $0.hasFailed = false }
    } catch {
      written.withLock { written in
        if !written.hasFailed { written.failure = error }
        (written.hasFailed, written.state) = (true, nil)
      }
    }
  }

  /// What has gone wrong since the last call, in a sentence; once until it goes well again.
  func takeMessage() -> String? {
    written.withLock { written in
      defer { written.failure = nil }
      return written.failure.map { "the state is not kept: \(path): \($0.text)" }
    }
  }
}
