import Synchronization
import System

/// The universes of an output as they went out last, for those who look on: slots are copied as packets leave, as long as
/// anybody looks. [frame] notes them, [any] looks
public final class UniverseGlance: Sendable {
  /// A universe as it went out last.
  public struct Universe: Sendable {
    /// Its number.
    public let number: Int
    /// Its slots, 0 before the first packet that left while anybody looked.
    public let slots: [UInt8]
  }

  /// How long a look counts, in nanoseconds: longer than from any look to the next.
  private static let patience: UInt64 = 2_000_000_000
  /// The id of the node that sends them.
  public let id: String
  private let numbers: [Int]
  private let end = Atomic<UInt64>(0)
  private let shown: Locked<[[UInt8]]>

  /// Universes of a node, by their numbers, with so many slots each. [control]
  public init(id: String, _ universes: [(number: Int, slots: Int)]) {
    self.id = id
    numbers = universes.map(\.number)
    shown = Locked(universes.map { Array(repeating: 0, count: $0.slots) })
  }

  /// The universe of an index goes out with these slots; the holder of the lock is not waited for. [frame]
  public func note(_ index: Int, _ slots: UnsafeBufferPointer<UInt8>) {
    guard end.load(ordering: .relaxed) > 0, MonotonicClock.now < end.load(ordering: .relaxed) else { return }
    _ = shown.withLockSoon { shown in
      for slot in slots.indices { shown[index][slot] = slots[slot] }
    }
  }

  /// The universes as they stand, at a time of the monotonic clock in nanoseconds; they are kept up for 2 s more. [any]
  public func look(at now: UInt64) -> [Universe] {
    end.store(now &+ Self.patience, ordering: .relaxed)
    return shown.withLock { zip(numbers, $0).map { Universe(number: $0, slots: $1) } }
  }
}
