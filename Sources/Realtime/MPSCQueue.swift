import Synchronization

/// A lock-free queue of many producers and one consumer (MPSC), for items of 32 bits on their way into the audio callback:
/// taken in the order in which they were given. Nobody ever waits.
///
/// A slot holds its item and the lap it belongs to in one word, so an item is there whole or not at all: a thread
/// that is held up amid `push` keeps nobody from giving or taking.
public struct MPSCQueue: ~Copyable {
  /// How many items can wait.
  public static var capacity: Int { @inlinable @inline(__always) @_noLocks get { 1024 } }

  /// Lap in the upper half, item in the lower; an item of 0 means that the slot is free in that lap.
  private let slots: UnsafeMutablePointer<Atomic<UInt64>>
  /// Items given so far, or a few fewer: the next ticket.
  private let given = Atomic<Int>(0)
  /// Items before this one are stale.
  private let stale = Atomic<Int>(0)
  /// Items taken so far. [audio] only.
  private let taken: UnsafeMutablePointer<Int>
  /// Items that found no slot.
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

  /// Gives an item, which is not 0. False when there is no slot for it, and then it is counted as lost. [any]
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
        // The item of the lap before still waits there. Unless the ticket is an old one: then there may be slots.
        guard given.load(ordering: .acquiring) == ticket else { continue }
        lost.count(1)
        return false
      }
      // Ours, or that of a writer that has not come to counting it.
      _ = given.compareExchange(expected: ticket, desired: ticket + 1, ordering: .acquiringAndReleasing)
      if isOurs { return true }
    }
  }

  /// Makes all items stale that wait now: the callback drops them. [one]
  public borrowing func forget() { stale.store(given.load(ordering: .acquiring), ordering: .releasing) }

  /// The oldest item that waits; 0 if there is none. [audio]
  @_noLocks
  public borrowing func peek() -> UInt32 {
    var item = first()
    while item != 0, taken.pointee < stale.load(ordering: .acquiring) {
      drop()
      item = first()
    }
    return item
  }

  /// Takes the item that `peek` gave. [audio]
  @_noLocks
  public borrowing func drop() {
    let ticket = taken.pointee
    let lap = UInt64(ticket / Self.capacity) &+ 1
    slots[ticket % Self.capacity].store(lap << 32, ordering: .releasing)
    taken.pointee = ticket &+ 1
  }

  @_noLocks @inline(__always)
  private borrowing func first() -> UInt32 {
    let ticket = taken.pointee
    let word = slots[ticket % Self.capacity].load(ordering: .acquiring)
    return word >> 32 == UInt64(ticket / Self.capacity) ? UInt32(truncatingIfNeeded: word) : 0
  }
}
