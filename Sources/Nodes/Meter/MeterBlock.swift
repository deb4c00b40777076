import CRealtime
import Engine
import Realtime

/// Peak and sum of squares of every channel. The lanes are summed in a fixed order, so that the result does not
/// depend on the processor. [audio]
struct MeterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let lanes: UnsafeMutablePointer<vg_lanes>

  init(channels: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<vg_lanes>.stride * max(1, channels), alignment: 64)
    lanes = memory.bindMemory(to: vg_lanes.self, capacity: max(1, channels))
    lanes.initialize(repeating: vg_lanes(), count: max(1, channels))
  }

  deinit { lanes.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      let bad = vg_meter(
        lanes + Int(channel), cycle.input(io, channel), UInt32(truncatingIfNeeded: cycle.count),
        cycle.position)
      if bad > 0 { cycle.counters.pointee.notFinite.add(UInt64(bad)) }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.inputCount) {
      let value = Int(io.pointee.firstValue) &+ channel
      frame.pointee.sums[value] = vg_meter_finish(lanes + channel, frame.pointee.peaks + value)
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(MeterBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(MeterBlock.self, $0, $1) } }
}
