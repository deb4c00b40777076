import Synchronization

/// Lets the packets of a show out, or holds them because another machine sends the same. A show has one gate for all
/// its graphs. [any]
public final class OutputGate: Sendable {
  /// How much lower the priority of a spare is, in protocols with priorities.
  public static let step = 10

  /// Whether the show is the spare of another one. A spare always sends in protocols with priorities, at a lower one.
  public let isSpare: Bool
  private let held: Atomic<Bool>
  /// How often the gate was opened.
  private let openings = Atomic<Int>(0)

  /// An open gate by default.
  public init(isSpare: Bool = false, isHeld: Bool = false) {
    self.isSpare = isSpare
    held = Atomic(isHeld)
  }

  /// Whether packets are held.
  public var isHeld: Bool { held.load(ordering: .acquiring) }

  /// How often it was opened. After each opening, all current values should be sent.
  public var timesOpened: Int { openings.load(ordering: .relaxed) }

  /// Holds packets from now on.
  public func hold() { held.store(true, ordering: .releasing) }

  /// Lets packets out from now on. Returns whether they were held.
  @discardableResult
  public func open() -> Bool {
    guard held.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    openings.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  /// Whether a packet may be sent. `hasPriority`: receivers choose a sender by the priorities of the protocol.
  public func passes(hasPriority: Bool) -> Bool { !isHeld || hasPriority && isSpare }

  /// The priority to send with, where the graph states `priority`; at least 0.
  public func priority(_ priority: Int) -> Int { isSpare ? max(0, priority - Self.step) : priority }
}
