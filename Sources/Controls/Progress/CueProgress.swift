public import Graphs
import System

/// Where a show is in its cues. [any]
public final class CueProgress: Sendable {
  /// A cue as people know it.
  public struct Name: Equatable, Sendable {
    /// Its number, by which it is gone to.
    public let number: CueNumber
    /// What it is called; empty: nothing.
    public let label: String

    init(_ cue: ShowCue) { self.init(number: cue.number, label: cue.label) }

    /// Puts both together.
    package init(number: CueNumber, label: String) { (self.number, self.label) = (number, label) }

    /// Both, for a line of text.
    public var text: String { label.isEmpty ? "\(number)" : "\(number) \(label)" }
  }

  /// How it stands.
  public struct Fact: Equatable, Sendable {
    /// The cue that was gone to last; nil: none yet.
    public var cue: Name?
    /// The one that comes next; nil: none.
    public var next: Name?
    /// In how many seconds that comes by itself; nil: it waits for a go.
    public var left: Double?

    /// Puts them together.
    package init(cue: Name?, next: Name?, left: Double?) {
      (self.cue, self.next, self.left) = (cue, next, left)
    }
  }

  private struct State {
    /// Where the show is, also where the graph has no such cue any more.
    var place: CueNumber?
    var cue: Name?
    var next: Name?
    var hasCues = false
    /// When the next one comes by itself, on the clock of frames.
    var due: Double?
    /// What the cue says of that.
    var followOn: ShowCue.FollowOn?
  }

  private let fades: Fades
  private let state = Locked(State())

  /// The most cues that follow each other at once.
  public static let mostAtOnce = Limits.cues

  /// In no cue; the time is that of fades.
  init(_ fades: Fades) { self.fades = fades }

  /// How it stands; nil where the graph has no cues.
  public var now: Fact? {
    let clock = fades.clock
    return state.withLock { state in
      state.hasCues
        ? Fact(cue: state.cue, next: state.next, left: state.due.map { max(0, $0 - clock) }) : nil
    }
  }

  // MARK: - [control]

  /// The follow-on whose time has come, which then waits no more; nil: none.
  public func takeDue() -> ShowCommand? {
    let clock = fades.clock
    return state.withLock { state in
      // A hair before its time too, as fades are.
      guard let due = state.due, clock >= due - 1e-6 else { return nil }
      state.due = nil
      return .cue(.followOn(at: due))
    }
  }

  /// The cue that is meant, to be gone to; nil where none is. Throws where there is no such cue.
  func cue(_ choice: CueChoice, in graph: CheckedGraph) throws(ControlError) -> ShowCue? {
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

  /// A cue was gone to as it was asked for; what it has done takes so many seconds.
  func begin(_ cue: ShowCue, _ choice: CueChoice, seconds: Double, in graph: CheckedGraph) {
    var begin = fades.clock
    // What follows on does so from where it was due, so that a chain of them keeps its time.
    if case .followOn(let due) = choice { begin = due }
    let due: Double? =
      switch (choice, cue.followOn) {
      case (.back, _), (_, nil): nil
      case (_, .begin(let after)): begin + after
      case (_, .end(let after)): begin + seconds + after
      }
    place(at: cue.number, due: graph.cue(after: cue.number) == nil ? nil : due, in: graph)
  }

  /// The graph was read again, or another one runs, in which the show is at a cue, or at none. What the cue has done is
  /// there already; its follow-on begins anew where `follows` says so.
  public func place(at number: CueNumber?, follows: Bool, in graph: CheckedGraph) {
    place(at: number, due: nil, in: graph)
    guard follows, let cue = number.flatMap(graph.cue) else { return }
    begin(cue, .number(cue.number), seconds: 0, in: graph)
  }

  /// The graph was read again: the show stays where it is. What follows on by another time than before comes no later than
  /// by that time from now; no cue comes at once because a file was written.
  public func renew(in graph: CheckedGraph) {
    let clock = fades.clock
    let (number, old) = state.withLock { ($0.place, (due: $0.due, followOn: $0.followOn)) }
    let followOn = number.flatMap(graph.cue)?.followOn
    var due = followOn != nil && graph.cue(after: number) != nil ? old.due : nil
    if let seconds = followOn?.seconds, followOn != old.followOn {
      due = due.map { min($0, clock + seconds) }
    }
    place(at: number, due: due, in: graph)
  }

  /// The show is at a cue, or at none, as another machine has it: the next comes by itself in so many seconds, nil: not by
  /// itself.
  public func place(at number: CueNumber?, left: Double?, in graph: CheckedGraph) {
    place(at: number, due: left.map { fades.clock + $0 }, in: graph)
  }

  private func hold() {
    state.withLock { $0.due = nil }
    fades.ring(at: nil)
  }

  private func place(at number: CueNumber?, due: Double?, in graph: CheckedGraph) {
    state.withLock { state in
      state.place = number
      let cue = number.flatMap(graph.cue)
      state.cue = cue.map(Name.init)
      state.followOn = cue?.followOn
      state.next = graph.cue(after: number).map(Name.init)
      state.hasCues = !graph.cues.isEmpty
      state.due = due
    }
    fades.ring(at: due)
  }
}
