import Synchronization

/// Short orders on their way into the audio callback: any number of threads give them, the callback takes them, in the
/// order in which they were given. Nobody ever waits.
///
/// A place holds its order and the lap it belongs to in one word, so an order is there whole or not at all: a thread
/// that is held up amid `push` keeps nobody from giving or taking.
public struct FiringQueue: ~Copyable {
  /// How many orders can wait.
  public static var capacity: Int { @inlinable @inline(__always) @_noLocks get { 1024 } }

  /// Lap in the upper half, order in the lower; an order of 0 means that the place is free in that lap.
  private let places: UnsafeMutablePointer<Atomic<UInt64>>
  /// Orders given so far, or a few fewer.
  private let given = Atomic<Int>(0)
  /// Orders before this one are stale.
  private let stale = Atomic<Int>(0)
  /// Orders taken so far. [audio] only.
  private let taken: UnsafeMutablePointer<Int>
  /// Orders that found no place.
  public let lost = Counter()

  /// Makes an empty queue. [control]
  public init() {
    places = .allocate(capacity: Self.capacity)
    for i in 0..<Self.capacity { (places + i).initialize(to: Atomic(0)) }
    taken = .allocate(capacity: 1)
    taken.initialize(to: 0)
  }

  deinit {
    places.deallocate()
    taken.deallocate()
  }

  /// Gives an order, which is not 0. False when there is no place for it, and then it is counted as lost. [any]
  @discardableResult
  public borrowing func push(_ order: UInt32) -> Bool {
    precondition(order != 0)
    while true {
      let turn = given.load(ordering: .acquiring)
      let lap = UInt64(turn / Self.capacity)
      let (isOurs, found) = places[turn % Self.capacity].compareExchange(
        expected: lap << 32, desired: lap << 32 | UInt64(order), successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if !isOurs, found >> 32 < lap {
        // The order of the lap before still waits there. Unless the turn is an old one: then there may be places.
        guard given.load(ordering: .acquiring) == turn else { continue }
        lost.count(1)
        return false
      }
      // Ours, or that of somebody who has not come to counting it.
      _ = given.compareExchange(expected: turn, desired: turn + 1, ordering: .acquiringAndReleasing)
      if isOurs { return true }
    }
  }

  /// Makes all orders stale that wait now: the callback drops them. [one]
  public borrowing func forget() { stale.store(given.load(ordering: .acquiring), ordering: .releasing) }

  /// The oldest order that waits; 0 if there is none. [audio]
  @_noLocks
  public borrowing func peek() -> UInt32 {
    var order = first()
    while order != 0, taken.pointee < stale.load(ordering: .acquiring) {
      drop()
      order = first()
    }
    return order
  }

  /// Takes the order that `peek` gave. [audio]
  @_noLocks
  public borrowing func drop() {
    let turn = taken.pointee
    let lap = UInt64(turn / Self.capacity) &+ 1
    places[turn % Self.capacity].store(lap << 32, ordering: .releasing)
    taken.pointee = turn &+ 1
  }

  @_noLocks @inline(__always)
  private borrowing func first() -> UInt32 {
    let turn = taken.pointee
    let word = places[turn % Self.capacity].load(ordering: .acquiring)
    return word >> 32 == UInt64(turn / Self.capacity) ? UInt32(truncatingIfNeeded: word) : 0
  }
}
