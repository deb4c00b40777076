import CRealtime
import Glibc
import Realtime
import Synchronization
import System

/// Settings that were changed while a plan runs, on their way into the callback: a slot for each op, in which the newest
/// settings wait for the start of a frame. However many come in between, the callback takes one.
struct SettingSlots: ~Copyable {
  private let slots: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
  private let count: Int
  private let isFilled = Atomic<Bool>(false)
  private let isTaking = Atomic<Bool>(false)

  /// Empty slots for so many ops. [control]
  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: max(1, count))
    for op in 0..<count { (slots + op).initialize(to: Atomic(nil)) }
  }

  deinit { slots.deallocate() }

  /// Keeps the callback from taking anything until `open`, so that all that is put in between acts in one frame. [control]
  borrowing func close() {
    isFilled.store(false, ordering: .sequentiallyConsistent)
    // A callback that is taking has a few slots more to look at.
    let deadline = Deadline.after(seconds: 0.01)
    while isTaking.load(ordering: .sequentiallyConsistent), !deadline.isOver { usleep(20) }
  }

  /// Lets the callback take what was put. [control]
  borrowing func open() { isFilled.store(true, ordering: .sequentiallyConsistent) }

  /// Lays settings into the slot of an op, between `close` and `open`. True when those that lay there were never taken:
  /// nobody reads them. False when they were taken, or there were none: then nobody reads any more what was taken before
  /// them. [control]
  borrowing func put(_ settings: UnsafeRawPointer, for op: Int) -> Bool {
    (slots + op).pointee.exchange(settings, ordering: .acquiringAndReleasing) != nil
  }

  /// Lets the ops have what is new. To be called between frames, while none of them runs. [audio]
  @_noLocks
  borrowing func take(into ops: UnsafeMutablePointer<vg_op>) {
    if !isFilled.load(ordering: .relaxed) { return }
    isTaking.store(true, ordering: .sequentiallyConsistent)
    defer { isTaking.store(false, ordering: .sequentiallyConsistent) }
    if !isFilled.exchange(false, ordering: .sequentiallyConsistent) { return }
    var op = 0
    while op < count {
      // Given back with a release: who finds the slot empty may free what the op has read until now.
      if (slots + op).pointee.load(ordering: .relaxed) != nil,
        let settings = (slots + op).pointee.exchange(nil, ordering: .acquiringAndReleasing)
      {
        ops[op].settings = settings
      }
      op &+= 1
    }
  }
}
