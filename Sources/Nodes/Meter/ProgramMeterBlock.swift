import CRealtime
import Engine
import Realtime

/// A peak program meter or a volume indicator per channel. In the record, the highest readings of the frame follow
/// the peaks of all channels. [audio]
struct ProgramMeterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let states: UnsafeMutablePointer<vg_program_meter_state>
  private let peaks: UnsafeMutablePointer<Float>
  private let law: UnsafeMutablePointer<vg_program_meter_law>

  init(channels: Int, _ law: vg_program_meter_law) {
    states = .allocate(capacity: max(1, channels))
    states.initialize(repeating: vg_program_meter_state(), count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: 0, count: max(1, channels))
    self.law = .allocate(capacity: 1)
    self.law.initialize(to: law)
  }

  deinit {
    states.deallocate()
    peaks.deallocate()
    law.deallocate()
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let channels = io.pointee.inputCount
    let count = UInt32(truncatingIfNeeded: cycle.count)
    var channel: UInt32 = 0
    while channel &+ 1 < channels {
      vg_program_meter_pair(
        states + Int(channel), law, cycle.input(io, channel), cycle.input(io, channel &+ 1), count,
        peaks + Int(channel))
      channel &+= 2
    }
    if channel < channels {
      vg_program_meter(states + Int(channel), law, cycle.input(io, channel), count, peaks + Int(channel))
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

  static var processing: vg_process { { runBlock(ProgramMeterBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(ProgramMeterBlock.self, $0, $1) } }
}
