import CRealtime
import Engine
import Realtime

/// One state-variable filter (SVF) per channel; its coefficients are smoothed from the beginning of a frame on.
/// [audio]
struct FilterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// The coefficients to reach, for each channel.
    let goals: UnsafePointer<vg_filter_goal>
  }

  private let states: UnsafeMutablePointer<vg_filter_state>

  init(channels: Int) {
    states = .allocate(capacity: max(1, channels))
    states.initialize(repeating: vg_filter_state(), count: max(1, channels))
  }

  deinit { states.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let (state, goal) = (states + Int(channel), settings.pointee.goals + Int(channel))
      if cycle.position == 0 { vg_filter_begin(state, goal, cycle.length) }
      vg_filter(
        state, goal, cycle.output(io, channel), cycle.input(io, channel), cycle.position, cycle.length,
        Int(cycle.count))
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(FilterBlock.self, $0, $1) } }
}
