import Synchronization

/// Whether a file of levels, a page or a subscriber to the status reads levels that no wire takes. Levels that only
/// viewers need, such as a spectrum, are not computed otherwise. [any]
public final class LevelDemand: Sendable {
  /// How long a reading counts, in nanoseconds: longer than the time between two readings.
  private static let readingDuration: UInt64 = 2_000_000_000
  private let isConstant: Bool
  /// Until when the last reading counts, in nanoseconds of the monotonic clock.
  private let end = Atomic<UInt64>(0)

  /// - Parameter isConstant: whether levels are always read, as where all are written to a file.
  public init(isConstant: Bool = true) { self.isConstant = isConstant }

  /// Notes that a viewer reads levels, at a time of the monotonic clock in nanoseconds.
  public func noteReading(at now: UInt64) { end.store(now &+ Self.readingDuration, ordering: .relaxed) }

  /// Whether a viewer has read levels within the last 2 s before a time of the monotonic clock in nanoseconds.
  public func isWanted(at now: UInt64) -> Bool { isConstant || now < end.load(ordering: .relaxed) }
}
