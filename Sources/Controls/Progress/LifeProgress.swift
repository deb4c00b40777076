public import Graphs
import System

/// The state of a show's life, as it is reported. [any]
public final class LifeProgress: Sendable {
  /// The state and the counts.
  public struct Fact: Equatable, Sendable {
    /// The state of the show.
    public var state = LifeCycle.State.launching
    /// How often each event has happened since the start; events that never have are missing.
    public var counts: [LifeEvent: Int] = [:]
  }

  private let fact = Locked(Fact())

  /// Has not begun.
  init() {}

  /// Takes the state and the newest events. [control]
  public func take(_ state: LifeCycle.State, _ events: [LifeEvent]) {
    fact.withLock { fact in
      fact.state = state
      for event in events { fact.counts[event, default: 0] += 1 }
    }
  }

  /// The present state and counts.
  public var now: Fact { fact.withLock { $0 } }
}
