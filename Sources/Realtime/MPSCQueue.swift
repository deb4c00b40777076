import Synchronization

/// A lock-free queue of many producers and one consumer (MPSC), for items of 32 bits on their way into the audio
/// callback. Each push has a ticket, a number from 0 on; items come in the order of tickets. No thread ever waits.
///
/// Ticket t uses slot t mod `capacity` in lap t ÷ `capacity`. A slot holds item and lap in one atomic word, so an item
/// is written as a whole or not at all: a thread that is suspended within `push` blocks neither producers nor the
/// consumer.
public struct MPSCQueue: ~Copyable {
  /// The most items that can wait.
  public static var capacity: Int { @inlinable @inline(__always) @_noLocks get { 1024 } }

  /// The lap in the upper 32 bits, the item in the lower; item 0: the slot is free in that lap.
  private let slots: UnsafeMutablePointer<Atomic<UInt64>>
  /// The next ticket: the number of items pushed so far, but for some that are being pushed.
  private let given = Atomic<Int>(0)
  /// Items with lower tickets are stale: the consumer drops them.
  private let stale = Atomic<Int>(0)
  /// Items taken so far. [audio] only.
  private let taken: UnsafeMutablePointer<Int>
  /// Number of items that found no free slot.
  public let lost = Counter()

  /// Makes an empty queue. [control]
  public init() {
    slots = .allocate(capacity: Self.capacity)
    for i in 0..<Self.capacity { (slots + i).initialize(to: Atomic(0)) }
    taken = .allocate(capacity: 1)
    taken.initialize(to: 0)
  }

  deinit {
    slots.deallocate()
    taken.deallocate()
  }

  /// Pushes an item, which must not be 0. Returns false without a free slot, and counts the item in `lost`. [any]
  @discardableResult
  public borrowing func push(_ item: UInt32) -> Bool {
    precondition(item != 0)
    while true {
      let ticket = given.load(ordering: .acquiring)
      let lap = UInt64(ticket / Self.capacity)
      let (isOurs, found) = slots[ticket % Self.capacity].compareExchange(
        expected: lap << 32, desired: lap << 32 | UInt64(item), successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if !isOurs, found >> 32 < lap {
        // The slot still has an item of the previous lap: the queue is full, unless the ticket is outdated.
        guard given.load(ordering: .acquiring) == ticket else { continue }
        lost.add(1)
        return false
      }
      // The slot is taken, by this call or by a producer that has not advanced `given` yet.
      _ = given.compareExchange(expected: ticket, desired: ticket + 1, ordering: .acquiringAndReleasing)
      if isOurs { return true }
    }
  }

  /// Makes all waiting items stale. [one]
  public borrowing func forget() { stale.store(given.load(ordering: .acquiring), ordering: .releasing) }

  /// The oldest waiting item; 0 if there is none. [audio]
  @_noLocks
  public borrowing func peek() -> UInt32 {
    var item = first()
    while item != 0, taken.pointee < stale.load(ordering: .acquiring) {
      drop()
      item = first()
    }
    return item
  }

  /// Removes the item that `peek` has returned. [audio]
  @_noLocks
  public borrowing func drop() {
    let ticket = taken.pointee
    let lap = UInt64(ticket / Self.capacity) &+ 1
    slots[ticket % Self.capacity].store(lap << 32, ordering: .releasing)
    taken.pointee = ticket &+ 1
  }

  /// The item in the oldest slot, stale or not; 0 if there is none.
  @_noLocks @inline(__always)
  private borrowing func first() -> UInt32 {
    let ticket = taken.pointee
    let word = slots[ticket % Self.capacity].load(ordering: .acquiring)
    return word >> 32 == UInt64(ticket / Self.capacity) ? UInt32(truncatingIfNeeded: word) : 0
  }
}
