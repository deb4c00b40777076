import CRealtime
public import Realtime
import Synchronization

/// The callback's end of a `CrossfadeBuffer`: crossfades from side to side, and fades in and out. [audio]
///
/// What the player's thread prepares in time is sample-exact: outside of fades, samples are copied bit for bit, and
/// tracks begin and end without a fade. The crossfade buffer must outlive it.
public struct CrossfadeReader: ~Copyable {
  let shared: UnsafeMutablePointer<CrossfadeShared>
  let sides: UnsafeMutablePointer<CrossfadeSideShared>
  let firstRing: SampleRingReader
  let secondRing: SampleRingReader
  let channels: Int
  let enough: Int
  let transport: UnsafeMutablePointer<HostTransportShared>?
  /// The command gate; nil: commands act at once.
  let commands: UnsafeMutablePointer<CommandGateShared>?
  /// The settings at the last opening of the gate.
  var gated = GatedPlayerSettings()
  // Stored, because the @_noLocks check cannot see the code that computes an enumeration's raw value.
  let noTransport = HostTransportShared.State.none.rawValue
  let rolling = HostTransportShared.State.rolling.rawValue
  let fade: FadeTable
  let scratch: UnsafeMutablePointer<Float>

  /// The side that is heard, and its fade-in in samples, 0…`fade.length`; −1: none.
  var current = -1
  var rise = 0
  /// Direction of its last fade: 1 in, −1 out. A fade always runs to its end, because reversing it in the middle could
  /// be audible.
  var riseStep = 0
  /// The side before it, while it fades out; −1: none. `fall`: what is left of that fade, in samples.
  var outgoing = -1
  var fall = 0
  /// Fade of the whole sound for play and pause, in samples, 0…`fade.length`.
  var gate = 0
  var gateStep = 0
  /// Whether the disk is late (underrun).
  var starves = false
  /// Whether the end of the current side has been reached and counted.
  var isOver = false

  var volume = GainSmoother()
  var left = GainSmoother()
  var right = GainSmoother()
  var lastVolumeBefore: UInt64 = 0
  var lastBalance = UInt64(Float(1).bitPattern) << 32 | UInt64(Float(1).bitPattern)

  var sounded = false
  var endings: UInt32 = 0

  /// Makes the callback's end of a buffer. With `transport` it starts, stops and seeks as that does; with `commands`
  /// it takes settings only when that gate opens. [control]
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
    // Settings from before the first cycle hold at once, without a fade.
    gated = currentSettings
    takeGains()
    rest(0)
  }

  deinit {
    fade.free()
    scratch.deallocate()
  }

  /// Writes every output channel of a segment; channels that the buffer does not have become silent.
  @_noLocks
  public mutating func render(_ io: IO, _ cycle: Cycle) {
    if shared.pointee.isFresh.load(ordering: .relaxed) {
      shared.pointee.isFresh.store(false, ordering: .relaxed)
      gate = 0
    }
    if let commands, commands.pointee.isOpen { gated = currentSettings }
    var at = 0
    while at < cycle.count { at &+= piece(at, io, cycle) }
    shared.pointee.sample.store(cycle.sample &+ Int64(cycle.count), ordering: .relaxed)
    shared.pointee.sounds.store(gate > 0 && (current >= 0 || outgoing >= 0) && !isOver, ordering: .releasing)
  }

  /// Whether it has sounded since the last call, and how many sides have been played to their end.
  @_noLocks
  public mutating func finish() -> (isSounding: Bool, endings: UInt32) {
    let reported = (sounded, endings)
    sounded = false
    endings = 0
    return reported
  }

  // MARK: - Pieces

  /// Renders from sample `at` of the segment up to the next change of any fade. Returns the number of samples.
  @_noLocks
  mutating func piece(_ at: Int, _ io: IO, _ cycle: Cycle) -> Int {
    let wasSilent = isSilent
    handOver(cycle.sample &+ Int64(at))
    takeGains()
    var count = cycle.count &- at
    let opens = wantsSound(at, cycle, &count)
    // Nothing fades out of silence, not even a side that has just been taken.
    if !opens && wasSilent { gate = 0 }
    if opens && !isOver { sounded = true }
    guard current >= 0 || outgoing >= 0, !isOver || outgoing >= 0 else {
      // No side: the next one has a fade of its own.
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

  /// Shortens a piece to the samples that both sides have without a change. Returns the direction of the current
  /// side's fade.
  @_noLocks
  mutating func limit(_ count: inout Int, _ cycle: Cycle) -> Int {
    count = min(count, nextGain)
    if outgoing >= 0 {
      let there = ring(outgoing).available
      // It has ended, or is not filled any more.
      if there <= 0 { fall = 0 }
      if fall > 0 { count = min(count, min(fall, there)) }
    }
    guard current >= 0, !isOver else { return 0 }
    let ring = ring(current)
    if let end = ring.end {
      if end == ring.position {
        // The end was published after its last sample had been read.
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
        // Keeps enough for a fade-in that has begun and the fade-out after it.
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

  /// Whether the current side delivers samples; otherwise it has faded out and waits.
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
      cycle.counters.pointee.missingSamples.add(UInt64(count))
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

  /// Counts the end of the current side.
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
