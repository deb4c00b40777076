import CRealtime
import Realtime
import Synchronization

/// Settings that were changed while a plan runs, on their way into the callback: a slot for each op, in which the newest
/// settings wait for the start of a frame. However many come in between, the callback takes one.
struct SettingSlots: ~Copyable {
  private let slots: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
  private let count: Int
  private let isFilled = Atomic<Bool>(false)

  /// Empty slots for so many ops. [control]
  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: max(1, count))
    for op in 0..<count { (slots + op).initialize(to: Atomic(nil)) }
  }

  deinit { slots.deallocate() }

  /// Lays settings into the slot of an op. True when those that lay there were never taken: nobody reads them. False
  /// when they were taken, or there were none: then nobody reads any more what was taken before them. [control]
  borrowing func put(_ settings: UnsafeRawPointer, for op: Int) -> Bool {
    let unseen = (slots + op).pointee.exchange(settings, ordering: .acquiringAndReleasing)
    isFilled.store(true, ordering: .releasing)
    return unseen != nil
  }

  /// Lets the ops have what is new. To be called between frames, while none of them runs. [audio]
  @_noLocks
  borrowing func take(into ops: UnsafeMutablePointer<vg_op>) {
    if !isFilled.load(ordering: .relaxed) { return }
    _ = isFilled.exchange(false, ordering: .acquiringAndReleasing)
    var op = 0
    while op < count {
      if (slots + op).pointee.load(ordering: .relaxed) != nil,
        let settings = (slots + op).pointee.exchange(nil, ordering: .acquiring)
      {
        ops[op].settings = settings
      }
      op &+= 1
    }
  }
}
