import System

/// A bounded queue from one thread to others, first in, first out. The producer waits while it is full. [any]
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isClosed = false
    var isAbandoned = false
  }

  private let room: Int
  private let state = Monitor(State())

  /// Makes a queue for at most `room` elements.
  init(room: Int) { self.room = room }

  /// Adds an element; waits while the queue is full. Drops it after `abandon`.
  func add(_ element: Element) {
    _ = state.wait(for: { $0.waiting.count < room || $0.isAbandoned }) { state in
      if !state.isAbandoned { state.waiting.append(element) }
    }
  }

  /// Removes the next element; waits while there is none. Nil after `close` and the last element, or after `abandon`.
  func take() -> Element? {
    state.wait(for: { !$0.waiting.isEmpty || $0.isClosed || $0.isAbandoned }) { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    } ?? nil
  }

  /// Ends the queue for the producer, which must call `add` no more: an element added later would still be taken.
  func close() { state.withLock { $0.isClosed = true } }

  /// Ends the queue for consumers: drops the waiting elements, and makes `add` return at once.
  func abandon() {
    state.withLock { state in
      state.isAbandoned = true
      state.waiting = []
    }
  }
}
