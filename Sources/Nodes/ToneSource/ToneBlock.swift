import CRealtime
import Engine
import Realtime

/// Generates signals as functions of the timeline, until a frequency changes: from then on the phase goes on from where
/// it was. Changes are smoothed over one frame: level and frequency linearly, with a continuous phase. Another kind of
/// signal fades out in one frame and in with the next. [audio]
struct ToneBlock: ~Copyable, Block {
  struct Tone: BitwiseCopyable {
    /// The kind of signal: `silence`, `sine` and so on.
    let shape: UInt8
    /// Linear; 1 is full scale.
    let level: Float
    /// The phase increment per sample, in units of 2⁻⁶⁴ periods.
    let increment: UInt64
    /// The seed of noise; 0 for other signals. Noise of another seed is another signal.
    let seed: UInt64
  }
  struct Settings: BitwiseCopyable {
    /// The tone of each channel.
    let tones: UnsafePointer<Tone>
  }

  /// The signal of a channel in the current frame.
  private struct Voice: BitwiseCopyable {
    var shape: UInt8 = 0
    var seed: UInt64 = 0
    /// The level at the beginning and at the end of the frame.
    var from: Float = 0
    var to: Float = 0
    /// The phase at sample 0 of a tone that has always had this increment.
    var offset: UInt64 = 0
    var increment: UInt64 = 0
    /// The increment at the end of the frame.
    var goal: UInt64 = 0
    /// The change of the increment per sample; 0: the frequency is steady.
    var step: Int64 = 0

    /// The phase `count` samples after the beginning of the frame at `sample`.
    @inline(__always) @_noLocks
    func phase(_ sample: Int64, _ count: Int64) -> UInt64 {
      let i = UInt64(bitPattern: count)
      // 1 + 2 + … + i steps.
      let steps = (i &* (i &+ 1) / 2) &* UInt64(bitPattern: step)
      return offset &+ UInt64(bitPattern: sample) &* increment &+ i &* increment &+ steps
    }
  }

  static var silence: UInt8 { 0 }
  static var sine: UInt8 { 1 }
  static var white: UInt8 { 2 }
  static var pink: UInt8 { 3 }
  static var impulses: UInt8 { 4 }

  private let voices: UnsafeMutablePointer<Voice>
  private var isFirstFrame = true
  /// The sample at which the current frame began.
  private var frame: Int64 = 0

  init(channels: Int) {
    voices = .allocate(capacity: max(1, channels))
    voices.initialize(repeating: Voice(), count: max(1, channels))
  }

  deinit { voices.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if cycle.position == 0 { beginFrame(io.pointee.outputCount, settings, cycle) }
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      render(voices[Int(channel)], cycle.output(io, channel), cycle)
      channel &+= 1
    }
  }

  // Not inlined, so that `process` saves no registers in a cycle in which no frame begins.
  @inline(never) @_noLocks
  private mutating func beginFrame(_ channels: UInt32, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel = 0
    while channel < Int(channels) {
      begin(voices + channel, settings.pointee.tones[channel], cycle)
      channel &+= 1
    }
    isFirstFrame = false
    frame = cycle.sample
  }

  /// Begins a frame for a channel: ramps of level and frequency to the new tone, or a fade to another kind of signal.
  @inline(__always) @_noLocks
  private func begin(_ voice: UnsafeMutablePointer<Voice>, _ tone: Tone, _ cycle: Cycle) {
    if voice.pointee.increment != voice.pointee.goal {
      // The glide ended with the frame before, at its goal but for the rounding of `step`. The phase goes on from there.
      let phase = voice.pointee.phase(frame, cycle.sample &- frame)
      voice.pointee.increment = voice.pointee.goal
      voice.pointee.step = 0
      voice.pointee.offset = phase &- UInt64(bitPattern: cycle.sample) &* voice.pointee.increment
    }
    voice.pointee.from = voice.pointee.to
    if voice.pointee.shape != tone.shape || voice.pointee.seed != tone.seed {
      let isSilent = voice.pointee.to == 0
      voice.pointee.to = 0
      guard isSilent else { return }
      voice.pointee.shape = tone.shape
      voice.pointee.seed = tone.seed
      voice.pointee.offset = 0
      voice.pointee.increment = tone.increment
      voice.pointee.goal = tone.increment
    }
    voice.pointee.to = tone.level
    if isFirstFrame { voice.pointee.from = tone.level }
    guard voice.pointee.increment != tone.increment else { return }
    voice.pointee.goal = tone.increment
    voice.pointee.step = Int64(bitPattern: tone.increment &- voice.pointee.increment) / Int64(cycle.length)
  }

  /// Writes the samples of a segment.
  @inline(__always) @_noLocks
  private func render(_ voice: Voice, _ output: UnsafeMutablePointer<Float>, _ cycle: Cycle) {
    let isSteady = voice.from == voice.to
    if voice.shape == Self.silence || isSteady && voice.to == 0 { return vg_clear(output, cycle.count) }
    let level = isSteady ? voice.to : 1
    let phase = voice.phase(frame, cycle.sample &- frame)
    let increment = voice.increment &+ UInt64(cycle.position) &* UInt64(bitPattern: voice.step)
    if voice.shape == Self.white {
      vg_white(output, cycle.sample, voice.seed, level, cycle.count)
    } else if voice.shape == Self.pink {
      vg_pink(output, cycle.sample, voice.seed, level, cycle.count)
    } else if voice.shape == Self.sine {
      if voice.step == 0 {
        vg_sine(output, phase, increment, level, cycle.count)
      } else {
        vg_sine_glide(output, phase, increment, voice.step, level, cycle.count)
      }
    } else if voice.step == 0 {
      vg_impulses(output, phase, increment, level, cycle.count)
    } else {
      vg_impulses_glide(output, phase, increment, voice.step, level, cycle.count)
    }
    if !isSteady {
      vg_ramp(output, output, 1, voice.from, voice.to, cycle.position, cycle.length, cycle.count)
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ end: FrameEnd) {
    // A tone source always sounds and is never idle: its `silence` is a sound of level 0.
    end.pointee.sources[Int(io.pointee.firstSource)] = 1
  }

  static var processing: vg_process { { runBlock(ToneBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(ToneBlock.self, $0, $1) } }
}
