import CRealtime
import Realtime

/// One section per channel. [audio]
struct FilterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// One per channel.
    let sections: UnsafePointer<vg_section>
  }

  private let states: UnsafeMutablePointer<vg_section_state>

  init(channels: Int) {
    states = .allocate(capacity: max(1, channels))
    states.initialize(repeating: vg_section_state(s1: 0, s2: 0), count: max(1, channels))
  }

  deinit { states.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      vg_filter(
        states + Int(channel), settings.pointee.sections + Int(channel), cycle.output(io, channel),
        cycle.input(io, channel), cycle.count)
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(FilterBlock.self, $0, $1) } }
}
