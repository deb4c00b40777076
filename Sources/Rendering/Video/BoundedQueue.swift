import System

/// What one thread has made and another will write, in order; who makes more than there is room for waits.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isClosed = false
    var isBroken = false
  }

  private let room: Int
  private let state = Monitor(State())

  /// A queue with room for so many.
  init(room: Int) { self.room = room }

  /// Adds one, as soon as there is room; once the reader has left it is dropped.
  func add(_ element: Element) {
    _ = state.wait(for: { $0.waiting.count < room || $0.isBroken }) { state in
      if !state.isBroken { state.waiting.append(element) }
    }
  }

  /// The next one, as soon as there is one; nil at the end.
  func take() -> Element? {
    state.wait(for: { !$0.waiting.isEmpty || $0.isClosed || $0.isBroken }) { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    } ?? nil
  }

  /// No more will come.
  func close() { state.withLock { $0.isClosed = true } }

  /// Nobody will take any more: drops what waits, and lets go who waits for room.
  func abandon() {
    state.withLock { state in
      state.isBroken = true
      state.waiting = []
    }
  }
}
