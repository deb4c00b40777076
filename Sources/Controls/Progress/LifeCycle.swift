public import Graphs

/// The state machine of a show's life, fed with what is observed from time to time. [one]
///
/// A show is `launching` until its first frame has gone out, then `ready`; `active` as soon as something is heard,
/// `inactive` when nothing is, `background` when there is neither a sound server nor a viewer, and `ending` at the end.
public struct LifeCycle: Equatable, Sendable {
  /// The state of a show.
  public enum State: String, CaseIterable, Sendable {
    case launching, ready, active, inactive, background, ending
  }

  /// The state of the sound server.
  public enum Server: Equatable, Sendable {
    /// None is used: a timer runs the cycles.
    case none
    /// It has not been there yet.
    case waiting
    case running
    /// It has gone, or runs no cycles any more.
    case lost
  }

  /// What is observed at one moment.
  public struct Sight: Equatable, Sendable {
    /// In seconds of a clock that only goes forward.
    public var time: Double
    /// Whether the first frame has gone out.
    public var hasSentFrame = false
    /// The state of the sound server.
    public var server = Server.none
    /// Whether any file plays; nil: the graph has no player.
    public var isPlaying: Bool?
    /// Whether anything was heard since the last observation; nil: nothing in the graph measures that.
    public var hasSound: Bool?
    /// Whether a page or a terminal shows it.
    public var isWatched = false
    /// Whether the machine is short of memory.
    public var isMemoryLow = false
    /// Whether a disk that is written to is nearly full.
    public var isDiskFull = false
    /// Whether the show was asked to end.
    public var isEnding = false

    /// States the time alone.
    public init(time: Double) { self.time = time }

    fileprivate var isServed: Bool { server == .none || server == .running }
    /// Whether there is neither a running server nor a viewer.
    fileprivate var isUnattended: Bool { !isWatched && server != .running }
  }

  /// The present state.
  public private(set) var state = State.launching
  private var hasBegun = false
  private var hasLostServer = false
  private var isMemoryLow = false
  private var isDiskFull = false
  /// Whether silence was reported last; nil: neither silence nor sound was.
  private var isSilent: Bool?
  /// The time of the last observation, and since when nothing is heard, in seconds.
  private var (time, quietSince) = (-Double.infinity, 0.0)
  /// Since when the server is gone, also before that is reported; nil: it is there.
  private var goneSince: Double?

  /// Has not begun.
  public init() {}

  /// Takes an observation; returns the events, in order. `after`: seconds without sound until silence is reported.
  /// `settle`: seconds without server until its loss is reported.
  public mutating func take(_ sight: Sight, after: Double, settle: Double = 0) -> [LifeEvent] {
    guard state != .ending else { return [] }
    // A clock that goes back counts as standing still.
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
      // A short gap changes nothing.
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
      // Without a way to hear, there is no silence.
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

  /// The state to go to: active, inactive, or the present one.
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
