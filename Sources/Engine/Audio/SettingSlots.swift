import CRealtime
import Glibc
import Realtime
import Synchronization
import System

/// Settings that change while a plan runs, on their way into the callback. Each op has a slot for its newest
/// settings, which take effect at the start of a frame. Where several arrive within a frame, the callback takes the
/// last one.
struct SettingSlots: ~Copyable {
  private let slots: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
  private let count: Int
  /// Whether the callback may take settings.
  private let isFilled = Atomic<Bool>(false)
  /// Whether the callback is taking settings.
  private let isTaking = Atomic<Bool>(false)

  /// Makes an empty slot for each of `count` ops. [control]
  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: max(1, count))
    for op in 0..<count { (slots + op).initialize(to: Atomic(nil)) }
  }

  deinit { slots.deallocate() }

  /// Keeps the callback from taking settings until `open`, so that all settings put in between take effect in one
  /// frame. [control]
  borrowing func close() {
    isFilled.store(false, ordering: .sequentiallyConsistent)
    // A callback that is taking settings finishes within a few slots.
    let deadline = Deadline.after(seconds: 0.01)
    while isTaking.load(ordering: .sequentiallyConsistent), !deadline.isOver { usleep(20) }
  }

  /// Lets the callback take the settings. [control]
  borrowing func open() { isFilled.store(true, ordering: .sequentiallyConsistent) }

  /// Puts settings into the slot of an op, between `close` and `open`. Returns true if the settings that were in the
  /// slot were never taken: they may be freed. Returns false if they were taken, or if there were none: then those
  /// that the op used before them may be freed. [control]
  borrowing func put(_ settings: UnsafeRawPointer, for op: Int) -> Bool {
    (slots + op).pointee.exchange(settings, ordering: .acquiringAndReleasing) != nil
  }

  /// Gives the ops their new settings. Call it between frames, while no op runs. [audio]
  @_noLocks
  borrowing func take(into ops: UnsafeMutablePointer<vg_op>) {
    if !isFilled.load(ordering: .relaxed) { return }
    isTaking.store(true, ordering: .sequentiallyConsistent)
    defer { isTaking.store(false, ordering: .sequentiallyConsistent) }
    if !isFilled.exchange(false, ordering: .sequentiallyConsistent) { return }
    var op = 0
    while op < count {
      // Release: a thread that then finds the slot empty may free the settings that the op read before.
      if (slots + op).pointee.load(ordering: .relaxed) != nil,
        let settings = (slots + op).pointee.exchange(nil, ordering: .acquiringAndReleasing)
      {
        ops[op].settings = settings
      }
      op &+= 1
    }
  }
}
