import Glibc

/// What one thread has made and another will write, in order; who makes more than there is room for waits.
final class FilmQueue<Element: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let room: Int
  private var waiting: [Element] = []
  private var isClosed = false
  private var isBroken = false

  /// A queue with room for so many.
  init(room: Int) {
    self.room = room
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed.initialize(to: pthread_cond_t())
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Adds one, as soon as there is room; once nobody takes any more it is dropped.
  func add(_ element: Element) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.count >= room && !isBroken { pthread_cond_wait(changed, mutex) }
    guard !isBroken else { return }
    waiting.append(element)
    pthread_cond_broadcast(changed)
  }

  /// The next one, as soon as there is one; nil at the end.
  func take() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty && !isClosed && !isBroken { pthread_cond_wait(changed, mutex) }
    guard !waiting.isEmpty else { return nil }
    defer { pthread_cond_broadcast(changed) }
    return waiting.removeFirst()
  }

  /// No more will come.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Nobody will take any more: drops what waits, and lets go who waits for room.
  func abandon() {
    pthread_mutex_lock(mutex)
    isBroken = true
    waiting = []
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
