import CRealtime
import Engine
import Playback
import Realtime

/// Plays what a player's thread has prepared. [audio]
struct PlayerBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private var reader: CrossfadeReader

  init(
    _ buffer: CrossfadeBuffer, follows transport: UnsafeMutablePointer<HostTransportShared>?,
    commands: UnsafeMutablePointer<CommandGateShared>?
  ) {
    reader = CrossfadeReader(buffer, follows: transport, commands: commands)
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    reader.render(io, cycle)
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
