public import Graphs

/// In which state of its life a show is, and what happens to it, by what is seen of it from time to time. [one]
///
/// A show is `launching` until its first frame has gone out, then `ready`, `active` as soon as something is heard,
/// `inactive` when nothing is, `background` when there is neither sound nor viewer either, and `ending` for good.
public struct LifeCycle: Equatable, Sendable {
  /// Where a show is in its life.
  public enum State: String, CaseIterable, Sendable {
    case launching, ready, active, inactive, background, ending
  }

  /// Who could make sound of it.
  public enum Server: Equatable, Sendable {
    /// None is asked for: a timer runs the cycles.
    case none
    /// It has not come yet.
    case waiting
    case running
    /// It has gone, or runs no cycles any more.
    case lost
  }

  /// What is seen at one moment.
  public struct Sight: Equatable, Sendable {
    /// In seconds, of a clock that only goes forward.
    public var time: Double
    /// Whether the first frame has gone out.
    public var hasSentFrame = false
    /// Who could make sound of it.
    public var server = Server.none
    /// Whether any file plays; nil where the graph plays none.
    public var isPlaying: Bool?
    /// Whether anything was heard since the last look; nil where nothing measures that.
    public var hasSound: Bool?
    /// Whether a page or a terminal looks on.
    public var isWatched = false
    /// Whether the machine runs short of memory.
    public var isMemoryLow = false
    /// Whether a disk that is written to is nearly full.
    public var isDiskFull = false
    /// Whether it was asked to end.
    public var isEnding = false

    /// Nothing but the time.
    public init(time: Double) { self.time = time }

    fileprivate var isServed: Bool { server == .none || server == .running }
    /// Whether there is neither sound nor viewer.
    fileprivate var isUnattended: Bool { !isWatched && server != .running }
  }

  /// Where it is.
  public private(set) var state = State.launching
  private var hasBegun = false
  private var hasLostServer = false
  private var isMemoryLow = false
  private var isDiskFull = false
  /// Whether silence was reported last; nil: neither silence nor sound.
  private var isSilent: Bool?
  /// The time of the last look, and since when nothing is heard.
  private var (time, quietSince) = (-Double.infinity, 0.0)
  /// Since when the server is gone, whether or not that is a loss yet.
  private var goneSince: Double?

  /// One that has not begun.
  public init() {}

  /// Takes what is seen now; gives what happens, in order. `after` is how long nothing has to be heard until that is
  /// silence, `settle` how long the server has to be gone until that is a loss, in seconds.
  public mutating func take(_ sight: Sight, after: Double, settle: Double = 0) -> [LifeEvent] {
    guard state != .ending else { return [] }
    // Should a clock ever go back, no time has passed.
    time = max(time, sight.time)
    var events: [LifeEvent] = []
    if !hasBegun {
      hasBegun = true
      events.append(.launch)
    }
    if sight.isEnding {
      state = .ending
      return events + [.end]
    }
    note(sight.isMemoryLow, &isMemoryLow, .lowMemory, &events)
    note(sight.isDiskFull, &isDiskFull, .diskFull, &events)
    guard sight.hasSentFrame || state != .launching else { return events }
    if state == .launching {
      (state, quietSince) = (.ready, time)
      events.append(.ready)
    }
    goneSince = sight.server == .lost ? goneSince ?? time : nil
    if let goneSince, !hasLostServer, time - goneSince < settle {
      // What stands still for a moment changes nothing.
      quietSince = time
      return events
    }
    noteServer(sight, &events)
    noteSound(sight, after: after, &events)
    go(to: wanted(sight), sight, &events)
    return events
  }

  private func note(_ isNow: Bool, _ was: inout Bool, _ event: LifeEvent, _ events: inout [LifeEvent]) {
    if isNow && !was { events.append(event) }
    was = isNow
  }

  private mutating func noteServer(_ sight: Sight, _ events: inout [LifeEvent]) {
    switch sight.server {
    case .lost where !hasLostServer:
      hasLostServer = true
      events.append(.serverLost)
    case .running where hasLostServer:
      hasLostServer = false
      events.append(.serverBack)
    default: break
    }
  }

  private mutating func noteSound(_ sight: Sight, after: Double, _ events: inout [LifeEvent]) {
    guard sight.isServed, let hasSound = sight.hasSound else {
      // What cannot be heard is no silence.
      quietSince = time
      return
    }
    if hasSound {
      quietSince = time
      if isSilent != false { events.append(.sound) }
      isSilent = false
    } else if isSilent != true, time - quietSince >= after {
      isSilent = true
      events.append(.silence)
    }
  }

  /// Whether it should be active or inactive; or as it is.
  private func wanted(_ sight: Sight) -> State {
    guard sight.isServed else { return .inactive }
    switch sight.hasSound {
    case true?: return .active
    case nil: return sight.isPlaying ?? true ? .active : .inactive
    case false?:
      if sight.isPlaying == false || isSilent == true { return .inactive }
      return state == .background ? .inactive : state
    }
  }

  private mutating func go(to wanted: State, _ sight: Sight, _ events: inout [LifeEvent]) {
    if state == .background {
      if wanted == .inactive, sight.isUnattended { return }
      state = .inactive
      events.append(.foreground)
    }
    if wanted != state {
      state = wanted
      events.append(wanted == .active ? .active : .inactive)
    }
    if state == .inactive, sight.isUnattended {
      state = .background
      events.append(.background)
    }
  }
}
