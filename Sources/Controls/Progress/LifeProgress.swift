public import Graphs
import System

/// In which state of its life a show is, for those who report it. [any]
public final class LifeProgress: Sendable {
  /// How it stands.
  public struct Fact: Equatable, Sendable {
    /// Where the show is in its life.
    public var state = LifeCycle.State.launching
    /// How often each thing has happened since the start; what never has is not there.
    public var counts: [LifeEvent: Int] = [:]
  }

  private let fact = Locked(Fact())

  /// A show that has not begun.
  init() {}

  /// It is in a state, and this has happened. [control]
  public func take(_ state: LifeCycle.State, _ events: [LifeEvent]) {
    fact.withLock { fact in
      fact.state = state
      for event in events { fact.counts[event, default: 0] += 1 }
    }
  }

  /// How it stands.
  public var now: Fact { fact.withLock { $0 } }
}
