import Synchronization
import System

/// What the transport of a sound server says, and what is said to it: shared by a host and the players that follow.
/// [any]
///
/// Owned by the show; plans and hosts hold it as long as they live.
public final class HostTransport: @unchecked Sendable {
  /// What a leader asks of the server's transport.
  public enum Request: Equatable, Sendable {
    /// Roll.
    case start
    /// Stand still.
    case stop
    /// Go to a place, in samples.
    case locate(Int64)
  }

  /// What the audio callback reads and writes.
  public let shared: UnsafeMutablePointer<HostTransportShared>
  private let leader = Callback<Request>()
  /// Whether it was asked last to roll or to stand, and how many cycles had been noted by then.
  private let asked = Locked<(rolls: Bool, notes: UInt32)?>(nil)
  /// A server takes up what it is asked at the end of a cycle, so that the second one after it shows it; one to spare.
  private static let cycles: UInt32 = 3

  /// A transport that no server has.
  public init() {
    shared = .allocate(capacity: 1)
    shared.initialize(to: HostTransportShared())
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// What takes what leaders ask; nil: there is no server to be led.
  public var lead: (@Sendable (Request) -> Void)? { leader.current }

  /// Sets what takes what leaders ask, for a host that has a transport.
  public func setLead(_ lead: (@Sendable (Request) -> Void)?) { leader.set(lead) }

  /// Asks the server for something, where anybody leads it.
  public func ask(_ request: Request) {
    guard let lead else { return }
    let notes = shared.pointee.notes.load(ordering: .acquiring)
    switch request {
    case .start: asked.withLock { $0 = (true, notes) }
    case .stop: asked.withLock { $0 = (false, notes) }
    case .locate: break
    }
    lead(request)
  }

  /// Whether it rolls, or will as soon as everybody is ready; what was asked for counts before the server shows it.
  public var rolls: Bool {
    let notes = shared.pointee.notes.load(ordering: .acquiring)
    if let asked = asked.withLock({ $0 }), notes &- asked.notes < Self.cycles { return asked.rolls }
    let state = shared.pointee.state.load(ordering: .acquiring)
    return state == HostTransportShared.State.rolling.rawValue
      || state == HostTransportShared.State.starting.rawValue
  }
}

/// What passes between a host's callback and the players that follow its transport. [audio]
public struct HostTransportShared: ~Copyable {
  /// How many players may follow.
  public static var capacity: Int { 8 }

  /// Whether the transport stands, starts or rolls.
  public enum State: UInt32, Sendable {
    /// There is no transport.
    case none
    /// It stands.
    case stopped
    /// It waits for followers to be ready.
    case starting
    /// It rolls.
    case rolling
  }

  /// A `State`, of the running cycle; the host's callback writes it before the plan runs.
  public let state = Atomic<UInt32>(0)
  /// How often the state was noted, once a cycle; the host's callback counts it.
  public let notes = Atomic<UInt32>(0)
  /// The transport's place at the first sample of the running cycle, in samples; the host's callback writes it.
  public let sample = Atomic<Int64>(0)
  /// The place that followers should be ready for, in samples; the host writes it when the server locates.
  public let wanted = Atomic<Int64>(0)
  /// How many ask for bars and beats. [any]
  public let listeners = Atomic<Int>(0)
  /// Bars and beats at the first sample of the running cycle, as bits of doubles; the host's callback writes them, and
  /// what its plan runs reads them.
  private let beats = Atomic<UInt64>(0)
  private let barBeats = Atomic<UInt64>(0)
  private let beatsPerBar = Atomic<UInt64>(0)
  private let tempo = Atomic<UInt64>(0)
  private let ticksPerBeat = Atomic<UInt64>(0)
  /// For each follower the place that it is ready for; `unused` where there is none.
  public let ready: UnsafeMutablePointer<Atomic<Int64>>

  /// What `ready` holds where nobody follows.
  public static var unused: Int64 { .min }

  init() {
    ready = .allocate(capacity: Self.capacity)
    for i in 0..<Self.capacity { (ready + i).initialize(to: Atomic(Self.unused)) }
  }

  deinit { ready.deallocate() }

  /// Whether anybody follows. [audio] or [jack]
  public var isFollowed: Bool {
    @_noLocks borrowing get {
      var i = 0
      while i < Self.capacity {
        if ready[i].load(ordering: .acquiring) != Self.unused { return true }
        i &+= 1
      }
      return false
    }
  }

  /// Says where the transport is in the cycle that begins, and in what state. Until it rolls, and for a player that begins to
  /// follow, that is also the place to be ready for. [audio]
  @_noLocks
  public borrowing func note(_ newState: State, at place: Int64) {
    let old = state.load(ordering: .relaxed)
    sample.store(place, ordering: .relaxed)
    if newState != .rolling || old == State.none.rawValue { wanted.store(place, ordering: .relaxed) }
    state.store(newState.rawValue, ordering: .releasing)
    notes.store(notes.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Bars and beats of the running cycle. [audio]
  public var time: TransportTime {
    @_noLocks borrowing get {
      TransportTime(
        beats: Double(bitPattern: beats.load(ordering: .relaxed)),
        barBeats: Double(bitPattern: barBeats.load(ordering: .relaxed)),
        beatsPerBar: Double(bitPattern: beatsPerBar.load(ordering: .relaxed)),
        tempo: Double(bitPattern: tempo.load(ordering: .relaxed)),
        ticksPerBeat: Double(bitPattern: ticksPerBeat.load(ordering: .relaxed)))
    }
  }

  /// Says bars and beats of the cycle that begins. [audio]
  @_noLocks
  public borrowing func note(_ time: TransportTime) {
    beats.store(time.beats.bitPattern, ordering: .relaxed)
    barBeats.store(time.barBeats.bitPattern, ordering: .relaxed)
    beatsPerBar.store(time.beatsPerBar.bitPattern, ordering: .relaxed)
    tempo.store(time.tempo.bitPattern, ordering: .relaxed)
    ticksPerBeat.store(time.ticksPerBeat.bitPattern, ordering: .relaxed)
  }

  /// Says that there is no transport, or that nobody asks for it. [audio]
  @_noLocks
  public borrowing func noteNone() {
    guard state.load(ordering: .relaxed) != State.none.rawValue else { return }
    state.store(State.none.rawValue, ordering: .releasing)
  }

  /// Whether everybody who follows is ready to roll from a place. [audio]
  @_noLocks
  public borrowing func isReady(for sample: Int64) -> Bool {
    var i = 0
    while i < Self.capacity {
      let place = ready[i].load(ordering: .acquiring)
      if place != Self.unused && place != sample { return false }
      i &+= 1
    }
    return true
  }

  /// Takes a place among the followers, not ready for anything; nil when all are taken. [any]
  public borrowing func follow() -> Int? {
    for i in 0..<Self.capacity {
      let (taken, _) = ready[i].compareExchange(
        expected: Self.unused, desired: -1, ordering: .acquiringAndReleasing)
      if taken { return i }
    }
    return nil
  }

  /// Gives a place among the followers back. [any]
  public borrowing func leave(_ place: Int) { ready[place].store(Self.unused, ordering: .releasing) }
}

/// Bars and beats of a transport. [any]
@frozen
public struct TransportTime: BitwiseCopyable, Sendable {
  /// Beats since the first bar began.
  public var beats: Double
  /// Beats since this bar began.
  public var barBeats: Double
  /// Beats in a bar; 0 where nobody keeps the time.
  public var beatsPerBar: Double
  /// Beats a minute; 0 where nobody keeps the time.
  public var tempo: Double
  /// In how many ticks a beat is counted, which is how exact the beats are; 0 where nobody keeps the time.
  public var ticksPerBeat: Double

  /// States a time; nobody keeps it where nothing is said.
  @_noLocks
  public init(
    beats: Double = 0, barBeats: Double = 0, beatsPerBar: Double = 0, tempo: Double = 0,
    ticksPerBeat: Double = 0
  ) {
    self.beats = beats
    self.barBeats = barBeats
    self.beatsPerBar = beatsPerBar
    self.tempo = tempo
    self.ticksPerBeat = ticksPerBeat
  }
}
