import Dispatch
import System

/// Writes lines to stderr on a thread of its own: whoever tells something never waits for somebody to read it. So much
/// waits at most; once it is full lines are left out until all has been written, and then it is told how many.
final class NoteWriter: Sendable {
  /// How much waits at most, in bytes.
  static let most = 65_536

  private let queue = DispatchQueue(label: "log")
  private let writing = DispatchGroup()
  private let state = Locked((waiting: 0, leftOut: 0))

  /// Takes lines, each with its end. [any]
  func add(_ text: String) {
    let size = text.utf8.count
    let fits = state.withLock { state in
      guard state.leftOut == 0, state.waiting == 0 || state.waiting + size <= Self.most else {
        state.leftOut += 1
        return false
      }
      state.waiting += size
      return true
    }
    guard fits else { return }
    queue.async(group: writing) { [self] in
      write(text, to: 2)
      let leftOut = state.withLock { state in
        state.waiting -= size
        defer { if state.waiting == 0 { state.leftOut = 0 } }
        return state.waiting == 0 ? state.leftOut : 0
      }
      if leftOut > 0 {
        write("visgraph: \(Figures.count(leftOut, "line")) left out here: nobody read them\n", to: 2)
      }
    }
  }

  /// Waits until all is written, at most so long.
  func flush(within seconds: Double) { _ = writing.wait(timeout: .now() + seconds) }
}
