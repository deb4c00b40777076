import CRealtime
import Engine
import Realtime

/// Passes on the host's buffers without a copy, unless they have samples that are not finite. [audio]
struct JackInputBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  /// By channel: whether its port was connected in this frame.
  private let isConnected: UnsafeMutablePointer<Bool>

  init(channels: Int) {
    isConnected = .allocate(capacity: max(1, channels))
    isConnected.initialize(repeating: false, count: max(1, channels))
  }

  deinit { isConnected.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let home = cycle.home(io, channel)
      if let samples = cycle.port(io.pointee.inputs[Int(channel)]) {
        isConnected[Int(channel)] = true
        let bad = vg_count_not_finite(samples, cycle.count)
        if bad == 0 {
          cycle.setOutput(io, channel, to: samples)
        } else {
          cycle.counters.pointee.notFinite.add(UInt64(bad))
          vg_copy_finite(home, samples, cycle.count)
          cycle.setOutput(io, channel, to: home)
        }
      } else {
        vg_clear(home, cycle.count)
        cycle.setOutput(io, channel, to: home)
      }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.outputCount) {
      frame.pointee.sources[Int(io.pointee.firstSource) &+ channel] = isConnected[channel] ? 1 : 0
      isConnected[channel] = false
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(JackInputBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(JackInputBlock.self, $0, $1) } }
}
