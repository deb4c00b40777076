import Synchronization
import System

/// The transport of a sound server, and requests to it: shared by a host and the players that follow it. [any]
///
/// The show owns it; plans and hosts keep it alive.
public final class HostTransport: @unchecked Sendable {
  /// A request to the server, of a player that leads the transport.
  public enum Request: Equatable, Sendable {
    /// Starts.
    case start
    /// Stops.
    case stop
    /// Seeks to a place in samples.
    case locate(Int64)
  }

  /// The part that the audio callback accesses.
  public let shared: UnsafeMutablePointer<HostTransportShared>
  private let leader = Callback<Request>()
  /// The last request to start or to stop, and the value of `notes` at its moment.
  private let asked = Locked<(rolls: Bool, notes: UInt32)?>(nil)
  /// Cycles after a request in which the request counts, and not the state of the server. A server handles a request at
  /// the end of a cycle, and the second cycle after that shows the result; one cycle is a reserve.
  private static let cycles: UInt32 = 3

  /// Makes a transport without a server.
  public init() {
    shared = .allocate(capacity: 1)
    shared.initialize(to: HostTransportShared())
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// The handler of requests; nil without a server that takes them.
  public var lead: (@Sendable (Request) -> Void)? { leader.current }

  /// Sets the handler of requests, for a host that has a transport.
  public func setLead(_ lead: (@Sendable (Request) -> Void)?) { leader.set(lead) }

  /// Sends a request to the server, if there is a handler.
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

  /// Whether the transport rolls, or will roll when all followers are ready. A request counts at once, before the
  /// server shows its result.
  public var rolls: Bool {
    let notes = shared.pointee.notes.load(ordering: .acquiring)
    if let asked = asked.withLock({ $0 }), notes &- asked.notes < Self.cycles { return asked.rolls }
    let state = shared.pointee.state.load(ordering: .acquiring)
    return state == HostTransportShared.State.rolling.rawValue
      || state == HostTransportShared.State.starting.rawValue
  }
}

/// The state that a host's callback shares with the players that follow its transport. [audio]
public struct HostTransportShared: ~Copyable {
  /// The most players that can follow.
  public static var capacity: Int { 8 }

  /// The state of a transport.
  public enum State: UInt32, Sendable {
    /// There is no transport.
    case none
    /// The transport is stopped.
    case stopped
    /// The transport waits for followers that are not ready.
    case starting
    /// The transport rolls.
    case rolling
  }

  /// The `State` in the running cycle; the host's callback writes it before the plan runs.
  public let state = Atomic<UInt32>(0)
  /// Number of cycles in which the state was written; the host's callback counts them.
  public let notes = Atomic<UInt32>(0)
  /// Number of times that the transport began to roll; the host's callback counts them.
  public let starts = Atomic<UInt32>(0)
  /// The transport's place in samples at the first sample of the running cycle; the host's callback writes it.
  public let sample = Atomic<Int64>(0)
  /// The place in samples from which followers should be ready to roll; the host writes it when the server locates.
  public let wanted = Atomic<Int64>(0)
  /// Number of readers of bars and beats. [any]
  public let listeners = Atomic<Int>(0)
  /// Bars and beats at the first sample of the running cycle, as bits of doubles; the host's callback writes them, and
  /// its plan reads them.
  private let beats = Atomic<UInt64>(0)
  private let barBeats = Atomic<UInt64>(0)
  private let beatsPerBar = Atomic<UInt64>(0)
  private let tempo = Atomic<UInt64>(0)
  private let ticksPerBeat = Atomic<UInt64>(0)
  /// For each follower the place from which it is ready to roll, −1 before it is ready; `unused` in a free slot.
  public let ready: UnsafeMutablePointer<Atomic<Int64>>

  /// The value of `ready` for a free slot.
  public static var unused: Int64 { .min }

  init() {
    ready = .allocate(capacity: Self.capacity)
    for i in 0..<Self.capacity { (ready + i).initialize(to: Atomic(Self.unused)) }
  }

  deinit { ready.deallocate() }

  /// Whether there are followers. [audio] or [jack]
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

  /// Writes place and state of the transport for the cycle that begins. While the transport does not roll, and when it
  /// appears, the place becomes `wanted` as well. Where it begins to roll, followers leave the place for which they
  /// were ready. [audio]
  @_noLocks
  public borrowing func note(_ newState: State, at place: Int64) {
    let old = state.load(ordering: .relaxed)
    sample.store(place, ordering: .relaxed)
    if newState != .rolling || old == State.none.rawValue { wanted.store(place, ordering: .relaxed) }
    // Before `starts`, so that a thread that reads the new count also reads that the transport rolls.
    state.store(newState.rawValue, ordering: .releasing)
    if newState == .rolling && old != State.rolling.rawValue {
      starts.store(starts.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      withdraw()
    }
    notes.store(notes.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Makes all followers not ready. [audio]
  @_noLocks
  private borrowing func withdraw() {
    var i = 0
    while i < Self.capacity {
      let old = ready[i].load(ordering: .relaxed)
      // An exchange, because the follower may free its slot at this time.
      if old != Self.unused {
        _ = ready[i].compareExchange(expected: old, desired: -1, ordering: .acquiringAndReleasing).exchanged
      }
      i &+= 1
    }
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

  /// Writes bars and beats of the cycle that begins. [audio]
  @_noLocks
  public borrowing func note(_ time: TransportTime) {
    beats.store(time.beats.bitPattern, ordering: .relaxed)
    barBeats.store(time.barBeats.bitPattern, ordering: .relaxed)
    beatsPerBar.store(time.beatsPerBar.bitPattern, ordering: .relaxed)
    tempo.store(time.tempo.bitPattern, ordering: .relaxed)
    ticksPerBeat.store(time.ticksPerBeat.bitPattern, ordering: .relaxed)
  }

  /// Sets the state to `none`: there is no transport, or it is not needed. [audio]
  @_noLocks
  public borrowing func noteNone() {
    guard state.load(ordering: .relaxed) != State.none.rawValue else { return }
    state.store(State.none.rawValue, ordering: .releasing)
  }

  /// Whether all followers are ready to roll from a place. [audio]
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

  /// Takes a slot for a follower, which is not ready yet. Returns its index; nil if all are taken. [any]
  public borrowing func follow() -> Int? {
    for i in 0..<Self.capacity {
      let (taken, _) = ready[i].compareExchange(
        expected: Self.unused, desired: -1, ordering: .acquiringAndReleasing)
      if taken { return i }
    }
    return nil
  }

  /// Frees the slot of a follower. [any]
  public borrowing func leave(_ place: Int) { ready[place].store(Self.unused, ordering: .releasing) }
}

/// Bars and beats of a transport. [any]
@frozen
public struct TransportTime: BitwiseCopyable, Sendable {
  /// Beats since the first bar began.
  public var beats: Double
  /// Beats since this bar began.
  public var barBeats: Double
  /// Beats per bar; 0 without a timebase master.
  public var beatsPerBar: Double
  /// Tempo in beats per minute; 0 without a timebase master.
  public var tempo: Double
  /// Ticks per beat, the resolution of beats; 0 without a timebase master.
  public var ticksPerBeat: Double

  /// Makes a time; by default that of a server without a timebase master.
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
