import Synchronization
import System

/// The universes of an output as they were last sent, for viewers. Slots are copied as packets are sent, but only
/// while a viewer looks. [frame] notes them, [any] looks
public final class UniverseGlance: Sendable {
  /// A universe as it was last sent.
  public struct Universe: Sendable {
    /// Its number.
    public let number: Int
    /// Its slots; 0 before the first packet that was sent while a viewer looked.
    public let slots: [UInt8]
  }

  /// How long slots are copied after a look, in nanoseconds: longer than the time between two looks.
  private static let lookDuration: UInt64 = 2_000_000_000
  /// The id of the node that sends them.
  public let id: String
  private let numbers: [Int]
  /// Until when slots are copied, in nanoseconds of the monotonic clock; 0: no viewer has looked yet.
  private let lookEnd = Atomic<UInt64>(0)
  private let shown: Locked<[[UInt8]]>

  /// The universes of a node, by number, each with its count of slots. [control]
  public init(id: String, _ universes: [(number: Int, slots: Int)]) {
    self.id = id
    numbers = universes.map(\.number)
    shown = Locked(universes.map { Array(repeating: 0, count: $0.slots) })
  }

  /// Notes the slots of the universe with index `index`. If a viewer holds the lock, they are not noted. [frame]
  public func note(_ index: Int, _ slots: UnsafeBufferPointer<UInt8>) {
    guard lookEnd.load(ordering: .relaxed) > 0, MonotonicClock.now < lookEnd.load(ordering: .relaxed) else {
      return
    }
    _ = shown.withLockSoon { shown in
      for slot in slots.indices { shown[index][slot] = slots[slot] }
    }
  }

  /// The universes as they are, at a time of the monotonic clock in nanoseconds; the copying goes on for 2 s more.
  /// [any]
  public func look(at now: UInt64) -> [Universe] {
    lookEnd.store(now &+ Self.lookDuration, ordering: .relaxed)
    return shown.withLock { zip(numbers, $0).map { Universe(number: $0, slots: $1) } }
  }
}
