import CRealtime
import Engine
import Realtime

/// Adds every n-th channel, in a fixed order. [audio]
struct MixBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// The factor of each output channel.
    let factors: UnsafePointer<Float>
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let width = io.pointee.outputCount
    var channel: UInt32 = 0
    while channel < width {
      let output = cycle.output(io, channel)
      let factor = settings.pointee.factors[Int(channel)]
      vg_scale(output, cycle.input(io, channel), factor, cycle.count)
      var part = channel &+ width
      while part < io.pointee.inputCount {
        vg_add_scaled(output, cycle.input(io, part), factor, cycle.count)
        part &+= width
      }
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(MixBlock.self, $0, $1) } }
}
