import CRealtime
import Engine
import Realtime

/// A volume indicator for each channel: the highest reading of the frame, behind the peaks of all channels. [audio]
struct NeedleBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let states: UnsafeMutablePointer<vg_needle_state>
  private let peaks: UnsafeMutablePointer<Float>
  private let law: UnsafeMutablePointer<vg_needle_law>

  /// A damping of 0.81 and 13.5 rad/s: 99 % after 0.3 s, then 1.3 % too far (IEC 60268-17: 1 to 1.5 %).
  init(channels: Int, rate: Int) {
    let (damping, speed, step) = (0.81, 13.5, 1 / Double(rate))
    states = .allocate(capacity: max(1, channels))
    states.initialize(repeating: vg_needle_state(), count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: 0, count: max(1, channels))
    law = .allocate(capacity: 1)
    law.initialize(
      to: vg_needle_law(
        spring: speed * speed * step, damping: 2 * damping * speed * step, step: step, scale: Double.pi / 2))
  }

  deinit {
    states.deallocate()
    peaks.deallocate()
    law.deallocate()
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      vg_needle(
        states + Int(channel), law, cycle.input(io, channel), UInt32(truncatingIfNeeded: cycle.count),
        peaks + Int(channel))
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    let channels = Int(io.pointee.inputCount)
    var channel = 0
    while channel < channels {
      let value = Int(io.pointee.firstValue) &+ channel
      frame.pointee.sums[value] = 0
      frame.pointee.sums[value &+ channels] = 0
      frame.pointee.peaks[value] = peaks[channel]
      frame.pointee.peaks[value &+ channels] = Float(states[channel].top)
      peaks[channel] = 0
      states[channel].top = 0
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(NeedleBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(NeedleBlock.self, $0, $1) } }
}
