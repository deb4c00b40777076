import CRealtime
public import Realtime
import Synchronization

/// The end of a `CrossfadeBuffer` that sounds: crossfades from side to side, and fades from silence to
/// sound and back. [audio]
///
/// What the player's thread prepares in time sounds exactly: away from ramps samples are copied bit for bit, and the
/// beginning and the end of a track have no ramp. The crossfade buffer must outlive it.
public struct CrossfadeReader: ~Copyable {
  let shared: UnsafeMutablePointer<CrossfadeShared>
  let sides: UnsafeMutablePointer<CrossfadeSideShared>
  let firstRing: SampleRingReader
  let secondRing: SampleRingReader
  let channels: Int
  let enough: Int
  let transport: UnsafeMutablePointer<HostTransportShared>?
  /// Where commands pass; nil where they act as they come.
  let commands: UnsafeMutablePointer<CommandGateShared>?
  /// What it was set to when commands passed last.
  var told = ToldPlayer()
  // An enumeration's raw value is computed by code that the callback's check cannot see.
  let noTransport = HostTransportShared.State.none.rawValue
  let rolling = HostTransportShared.State.rolling.rawValue
  let fade: FadeTable
  let scratch: UnsafeMutablePointer<Float>

  /// The side that is heard and how far it has risen; -1 where there is none.
  var current = -1
  var rise = 0
  /// Which way it went last: 1 up, -1 down. A ramp is left at its ends only, since a turn in the middle could be heard.
  var riseStep = 0
  /// The side that it follows, as long as that falls silent; -1 where there is none.
  var outgoing = -1
  var fall = 0
  /// How far the sound as a whole has risen: playing and pausing.
  var gate = 0
  var gateStep = 0
  /// Whether the disk is late.
  var starves = false
  /// Whether the end of the side has been counted.
  var isOver = false

  var volume = GainSmoother()
  var left = GainSmoother()
  var right = GainSmoother()
  var beforeTold: UInt64 = 0
  var balanceTold = UInt64(Float(1).bitPattern) << 32 | UInt64(Float(1).bitPattern)

  var sounded = false
  var endings: UInt32 = 0

  /// Takes the crossfade buffer's audio end; with `transport` it starts, stops and goes where that does, with `commands`
  /// it takes what it is set to where those pass. [control]
  public init(
    _ buffer: CrossfadeBuffer, follows transport: UnsafeMutablePointer<HostTransportShared>? = nil,
    commands: UnsafeMutablePointer<CommandGateShared>? = nil
  ) {
    self.commands = commands
    shared = buffer.shared
    sides = buffer.sideShared
    firstRing = buffer.sides[0].reader
    secondRing = buffer.sides[1].reader
    channels = buffer.channels
    enough = buffer.enough
    self.transport = transport
    fade = FadeTable(length: buffer.fade)
    scratch = .allocate(capacity: buffer.fade)
    scratch.initialize(repeating: 0, count: buffer.fade)
    // What was set before the first cycle is where it begins.
    told = toldNow
    takeGains()
    rest(0)
  }

  deinit {
    fade.free()
    scratch.deallocate()
  }

  /// Writes every output channel of a segment; channels that the crossfade buffer does not have are silent.
  @_noLocks
  public mutating func render(_ io: IO, _ cycle: Cycle) {
    if shared.pointee.isFresh.load(ordering: .relaxed) {
      shared.pointee.isFresh.store(false, ordering: .relaxed)
      gate = 0
    }
    if let commands, commands.pointee.isOpen { told = toldNow }
    var at = 0
    while at < cycle.count { at &+= piece(at, io, cycle) }
    shared.pointee.sample.store(cycle.sample &+ Int64(cycle.count), ordering: .relaxed)
    shared.pointee.sounds.store(gate > 0 && (current >= 0 || outgoing >= 0) && !isOver, ordering: .releasing)
  }

  /// What has happened since the last call: whether it sounded, and how many sides have been played to their end.
  @_noLocks
  public mutating func finish() -> (isSounding: Bool, endings: UInt32) {
    let reported = (sounded, endings)
    sounded = false
    endings = 0
    return reported
  }

  // MARK: - Pieces

  /// Renders from sample `at` of the segment as far as nothing changes its course; returns how many samples.
  @_noLocks
  mutating func piece(_ at: Int, _ io: IO, _ cycle: Cycle) -> Int {
    let wasSilent = isSilent
    handOver(cycle.sample &+ Int64(at))
    takeGains()
    var count = cycle.count &- at
    let opens = wantsSound(at, cycle, &count)
    // Out of silence nothing falls, also not what has just been taken.
    if !opens && wasSilent { gate = 0 }
    if opens && !isOver { sounded = true }
    guard current >= 0 || outgoing >= 0, !isOver || outgoing >= 0 else {
      // Nothing moves: what comes next has ramps of its own.
      gate = opens ? fade.length : 0
      rest(count)
      return silence(at, count, io, cycle)
    }
    if opens && gate == 0 && current >= 0 && rise == fade.length && isAtBeginning { gate = fade.length }
    if !opens && gate == 0 {
      rest(count)
      return silence(at, count, io, cycle)
    }
    sounded = true
    let isMidway = gate > 0 && gate < fade.length
    let step = isMidway ? gateStep : opens ? (gate == 0 ? 1 : 0) : -1
    gateStep = step
    if step > 0 { count = min(count, fade.length &- gate) }
    if step < 0 { count = min(count, gate) }
    let rising = limit(&count, cycle)
    play(at, count, io, cycle, rising: rising, step: step)
    advance(count, rising: rising, step: step, cycle)
    return count
  }

  /// Shortens a piece to what both sides hold on one course; returns which way the current one goes.
  @_noLocks
  mutating func limit(_ count: inout Int, _ cycle: Cycle) -> Int {
    count = min(count, nextGain)
    if outgoing >= 0 {
      let there = ring(outgoing).available
      // Its end, or nobody filled it any more.
      if there == 0 { fall = 0 }
      if fall > 0 { count = min(count, min(fall, there)) }
    }
    guard current >= 0, !isOver else { return 0 }
    let ring = ring(current)
    if let end = ring.end {
      if end == ring.position {
        // It was published after the last sample had been taken.
        self.end()
        return 0
      }
      starves = false
      count = min(count, Int(end &- ring.position))
    } else {
      let there = ring.available
      if starves {
        starves = there < enough
      } else if there < count &+ 2 &* fade.length {
        // Enough for a ramp that has begun, and for the one down.
        starves = true
        _ = shared.pointee.underruns.wrappingAdd(1, ordering: .relaxed)
      }
    }
    let toSplice = distanceToSplice
    if toSplice > 0 { count = Int(min(Int64(count), toSplice)) }
    let isWanted =
      sides[current].generation.load(ordering: .relaxed) >= leastGeneration
    let isMidway = rise > 0 && rise < fade.length
    let goesUp = isMidway ? riseStep > 0 : isWanted && !starves
    if rise == (goesUp ? fade.length : 0) { return 0 }
    riseStep = goesUp ? 1 : -1
    count = min(count, goesUp ? fade.length &- rise : rise)
    return riseStep
  }

  /// Whether the current side gives samples, or has fallen silent and waits.
  @_noLocks
  func isMoving(_ rising: Int) -> Bool { current >= 0 && !isOver && (rise > 0 || rising > 0) }

  @_noLocks
  mutating func play(
    _ at: Int, _ count: Int, _ io: IO, _ cycle: Cycle, rising: Int, step: Int
  ) {
    let isMoving = isMoving(rising)
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let output = cycle.output(io, channel) + at
      if isMoving && Int(channel) < channels {
        ring(current).read(channel: Int(channel), into: output, count: count)
        fade.apply(to: output, count, from: rise, step: rising)
      } else {
        vg_clear(output, count)
      }
      if outgoing >= 0 && fall > 0 && Int(channel) < channels {
        ring(outgoing).read(channel: Int(channel), into: scratch, count: count)
        fade.addFalling(scratch, to: output, count, from: fall)
      }
      fade.apply(to: output, count, from: gate, step: step)
      volume.apply(to: output, count)
      if channel == 0 { left.apply(to: output, count) }
      if channel == 1 { right.apply(to: output, count) }
      channel &+= 1
    }
  }

  @_noLocks
  mutating func advance(_ count: Int, rising: Int, step: Int, _ cycle: Cycle) {
    if isMoving(rising) {
      let ring = ring(current)
      ring.consume(count)
      if ring.isEnded { end() }
    } else if starves {
      _ = shared.pointee.missing.wrappingAdd(Int64(count), ordering: .relaxed)
      cycle.counters.pointee.missingSamples.count(UInt64(count))
    }
    if outgoing >= 0 && fall > 0 {
      ring(outgoing).consume(count)
      fall &-= count
    }
    rise &+= rising &* count
    gate &+= step &* count
    volume.advance(count)
    left.advance(count)
    right.advance(count)
  }

  /// The side has been played to its end.
  @_noLocks
  mutating func end() {
    isOver = true
    guard sides[current].generation.load(ordering: .relaxed) >= leastGeneration else { return }
    endings &+= 1
    _ = shared.pointee.endings.wrappingAdd(1, ordering: .releasing)
  }

  @_noLocks
  func silence(_ at: Int, _ count: Int, _ io: IO, _ cycle: Cycle) -> Int {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      vg_clear(cycle.output(io, channel) + at, count)
      channel &+= 1
    }
    return count
  }
}
