import CRealtime
import Engine
import Realtime

/// Copies samples to the host's buffers. Samples that are not finite become 0, so that none reaches a loudspeaker.
/// [audio]
struct JackOutputBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      if let port = cycle.port(io.pointee.outputs[Int(channel)]) {
        vg_copy_finite(port, cycle.input(io, channel), cycle.count)
      }
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(JackOutputBlock.self, $0, $1) } }
}
