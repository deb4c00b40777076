import Synchronization

/// Whether what a show sends to others leaves, or is held because another machine sends the same: one for the whole show,
/// whatever graphs it runs. [any]
public final class OutputGate: Sendable {
  /// By how much the priority of a spare is lower, where a protocol has priorities.
  public static let step = 10

  /// Whether the show is the spare of another one: what has a priority then leaves all the time, by a lower one.
  public let isSpare: Bool
  private let held: Atomic<Bool>
  private let openings = Atomic<Int>(0)

  /// Open, unless something else is said.
  public init(isSpare: Bool = false, isHeld: Bool = false) {
    self.isSpare = isSpare
    held = Atomic(isHeld)
  }

  /// Whether what goes out is held.
  public var isHeld: Bool { held.load(ordering: .acquiring) }

  /// How often it was opened: each time all that is current should be sent.
  public var timesOpened: Int { openings.load(ordering: .relaxed) }

  /// Holds all that follows.
  public func hold() { held.store(true, ordering: .releasing) }

  /// Lets out all that follows; says whether it was held.
  @discardableResult
  public func open() -> Bool {
    guard held.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    openings.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  /// Whether a packet may leave, of a protocol by whose priorities receivers choose or of one that has none.
  public func passes(hasPriority: Bool) -> Bool { !isHeld || hasPriority && isSpare }

  /// The priority by which something is sent whose graph says another, 0 at the least.
  public func priority(_ priority: Int) -> Int { isSpare ? max(0, priority - Self.step) : priority }
}
