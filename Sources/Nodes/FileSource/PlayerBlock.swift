import CRealtime
import Engine
import Playback
import Realtime

/// Plays the samples that a player's thread has decoded, with a gain that is smoothed over one frame. [audio]
struct PlayerBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// A factor on all samples, besides the player's volume.
    let gain: Float
  }

  private var reader: CrossfadeReader
  /// The gain at the beginning and at the end of the current frame.
  private var from: Float = 1
  private var to: Float = 1
  private var isFirstFrame = true

  init(
    _ buffer: CrossfadeBuffer, follows transport: UnsafeMutablePointer<HostTransportShared>?,
    commands: UnsafeMutablePointer<CommandGateShared>?
  ) {
    reader = CrossfadeReader(buffer, follows: transport, commands: commands)
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if cycle.position == 0 {
      let goal = settings.pointee.gain
      from = isFirstFrame ? goal : to
      to = goal
      isFirstFrame = false
    }
    reader.render(io, cycle)
    if from != 1 || to != 1 { scale(io, cycle) }
  }

  /// Multiplies the outputs by the gain, which ramps over the frame.
  @inline(never) @_noLocks
  private func scale(_ io: IO, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.outputCount {
      let output = cycle.output(io, channel)
      if from == to {
        vg_scale(output, output, to, cycle.count)
      } else {
        vg_ramp(output, output, 1, from, to, cycle.position, cycle.length, cycle.count)
      }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    let (isSounding, endings) = reader.finish()
    frame.pointee.sources[Int(io.pointee.firstSource)] = isSounding ? 1 : 0
    frame.pointee.sums[Int(io.pointee.firstValue)] = Double(endings)
  }

  static var processing: vg_process { { runBlock(PlayerBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(PlayerBlock.self, $0, $1) } }
}
