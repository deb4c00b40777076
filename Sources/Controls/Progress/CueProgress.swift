public import Graphs
import System

/// The position of a show in its cues. [any]
public final class CueProgress: Sendable {
  /// A cue as a user knows it.
  public struct Name: Equatable, Sendable {
    /// Its number, by which it is gone to.
    public let number: CueNumber
    /// Its label; empty: none.
    public let label: String

    init(_ cue: ShowCue) { self.init(number: cue.number, label: cue.label) }

    /// Makes a name; for tests.
    package init(number: CueNumber, label: String) { (self.number, self.label) = (number, label) }

    /// Number and label, for a line of text.
    public var text: String { label.isEmpty ? "\(number)" : "\(number) \(label)" }
  }

  /// The position, as it is reported.
  public struct Fact: Equatable, Sendable {
    /// The cue that was gone to last; nil: none yet.
    public var cue: Name?
    /// The cue that comes next; nil: none.
    public var next: Name?
    /// Seconds until the next cue comes by itself; nil: it waits for a go.
    public var left: Double?

    /// Makes a position; for tests.
    package init(cue: Name?, next: Name?, left: Double?) {
      (self.cue, self.next, self.left) = (cue, next, left)
    }
  }

  private struct State {
    /// The number of the last cue; stays where the graph no longer has that cue.
    var place: CueNumber?
    var cue: Name?
    var next: Name?
    var hasCues = false
    /// When the follow-on comes, in seconds of the frame clock; nil: it does not.
    var due: Double?
    /// The follow-on that the cue declares.
    var followOn: ShowCue.FollowOn?
  }

  private let fades: SettingFades
  private let state = Locked(State())

  /// The most follow-ons that are carried out one after another: a chain of cues that follow after 0 s has no more.
  public static let mostAtOnce = Limits.cues

  /// At no cue; `fades` have the clock.
  init(_ fades: SettingFades) { self.fades = fades }

  /// The position; nil: the graph has no cues.
  public var now: Fact? {
    let clock = fades.clock
    return state.withLock { state in
      state.hasCues
        ? Fact(cue: state.cue, next: state.next, left: state.due.map { max(0, $0 - clock) }) : nil
    }
  }

  // MARK: - [control]

  /// The follow-on whose time has come, which it takes out; nil: none.
  public func takeDue() -> ShowCommand? {
    let clock = fades.clock
    return state.withLock { state in
      // 1 µs early counts as due, as with fades.
      guard let due = state.due, clock >= due - 1e-6 else { return nil }
      state.due = nil
      return .cue(.followOn(at: due))
    }
  }

  /// Takes a choice and returns the cue to go to. `stop` cancels the follow-on and returns nil, as does a follow-on
  /// after the last cue. Throws for a number that no cue has, for `go` at the last cue and for `back` at the first.
  func take(_ choice: CueChoice, in graph: CheckedGraph) throws(ControlError) -> ShowCue? {
    let place = state.withLock { $0.place }
    switch choice {
    case .go:
      guard let cue = graph.cue(after: place) else { throw .cue(.last, known: graph.cues.map(\.number)) }
      return cue
    case .back:
      guard let cue = graph.cue(before: place) else {
        throw .cue(.first, known: graph.cues.map(\.number))
      }
      return cue
    case .number(let number):
      guard let cue = graph.cue(number) else { throw .cue(.unknown(number), known: graph.cues.map(\.number)) }
      return cue
    case .followOn: return graph.cue(after: place)
    case .stop:
      hold()
      return nil
    }
  }

  /// The show went to a cue, whose fades take `seconds`: starts the time of its follow-on.
  func begin(_ cue: ShowCue, _ choice: CueChoice, seconds: Double, in graph: CheckedGraph) {
    var start = fades.clock
    // A follow-on counts from the time at which it was due, so that a chain of them adds no delays.
    if case .followOn(let due) = choice { start = due }
    let due: Double? =
      switch (choice, cue.followOn) {
      case (.back, _), (_, nil): nil
      case (_, .begin(let after)): start + after
      case (_, .end(let after)): start + seconds + after
      }
    set(cue.number, due: graph.cue(after: cue.number) == nil ? nil : due, in: graph)
  }

  /// Puts the show at a cue of a graph that was read again or loaded, or at none. What the cue does is not repeated;
  /// its follow-on starts anew if `follows`.
  public func restore(at number: CueNumber?, follows: Bool, in graph: CheckedGraph) {
    set(number, due: nil, in: graph)
    guard follows, let cue = number.flatMap(graph.cue) else { return }
    begin(cue, .number(cue.number), seconds: 0, in: graph)
  }

  /// The graph was read again: the show stays at its cue. If the time of the follow-on has changed, it comes at the
  /// latest that time from now; no cue comes at once because a file was written.
  public func renew(in graph: CheckedGraph) {
    let clock = fades.clock
    let (number, old) = state.withLock { ($0.place, (due: $0.due, followOn: $0.followOn)) }
    let followOn = number.flatMap(graph.cue)?.followOn
    var due = followOn != nil && graph.cue(after: number) != nil ? old.due : nil
    if let seconds = followOn?.seconds, followOn != old.followOn {
      due = due.map { min($0, clock + seconds) }
    }
    set(number, due: due, in: graph)
  }

  /// Puts the show at the cue at which another machine is, or at none. `left`: the seconds until its follow-on; nil:
  /// none comes.
  public func adopt(at number: CueNumber?, left: Double?, in graph: CheckedGraph) {
    set(number, due: left.map { fades.clock + $0 }, in: graph)
  }

  private func hold() {
    state.withLock { $0.due = nil }
    fades.scheduleWakeUp(at: nil)
  }

  private func set(_ number: CueNumber?, due: Double?, in graph: CheckedGraph) {
    state.withLock { state in
      state.place = number
      let cue = number.flatMap(graph.cue)
      state.cue = cue.map(Name.init)
      state.followOn = cue?.followOn
      state.next = graph.cue(after: number).map(Name.init)
      state.hasCues = !graph.cues.isEmpty
      state.due = due
    }
    fades.scheduleWakeUp(at: due)
  }
}
