import CRealtime
import Realtime

/// Signals that have no state: each sample follows from its place on the timeline. [audio]
struct ToneBlock: ~Copyable, Block {
  struct Tone: BitwiseCopyable {
    let shape: UInt8
    /// Linear, 1 is full scale.
    let level: Float
    /// The part of a period that a sample takes, in units of 2⁻⁶⁴.
    let turn: UInt64
    let seed: UInt64
  }
  struct Settings: BitwiseCopyable {
    /// One per channel.
    let tones: UnsafePointer<Tone>
  }

  static var silence: UInt8 { 0 }
  static var sine: UInt8 { 1 }
  static var white: UInt8 { 2 }
  static var pink: UInt8 { 3 }
  static var impulses: UInt8 { 4 }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let output = cycle.output(io, channel)
      let tone = settings.pointee.tones[Int(channel)]
      if tone.shape == 1 {
        vg_sine(output, cycle.sample, tone.turn, tone.level, cycle.count)
      } else if tone.shape == 2 {
        vg_white(output, cycle.sample, tone.seed, tone.level, cycle.count)
      } else if tone.shape == 3 {
        vg_pink(output, cycle.sample, tone.seed, tone.level, cycle.count)
      } else if tone.shape == 4 {
        vg_impulses(output, cycle.sample, tone.turn, tone.level, cycle.count)
      } else {
        vg_clear(output, cycle.count)
      }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    frame.pointee.sources[Int(io.pointee.firstSource)] = 1
  }

  static var processing: vg_process { { runBlock(ToneBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(ToneBlock.self, $0, $1) } }
}
