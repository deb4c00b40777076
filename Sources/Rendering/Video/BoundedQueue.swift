import System

/// A bounded queue from one thread to others, in order. A producer waits while it is full.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isClosed = false
    var isBroken = false
  }

  private let room: Int
  private let state = Monitor(State())

  /// Makes a queue for at most `room` elements.
  init(room: Int) { self.room = room }

  /// Adds one, as soon as there is room; once the reader has left it is dropped.
  func add(_ element: Element) {
    _ = state.wait(for: { $0.waiting.count < room || $0.isBroken }) { state in
      if !state.isBroken { state.waiting.append(element) }
    }
  }

  /// Removes the next element, and waits for one; nil at the end.
  func take() -> Element? {
    state.wait(for: { !$0.waiting.isEmpty || $0.isClosed || $0.isBroken }) { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    } ?? nil
  }

  /// Ends the queue: no more elements will be added.
  func close() { state.withLock { $0.isClosed = true } }

  /// Ends the consumption: drops the waiting elements and wakes the producers.
  func abandon() {
    state.withLock { state in
      state.isBroken = true
      state.waiting = []
    }
  }
}
