import CRealtime
import Engine
import Realtime

/// Copies all channels into a tap, for analysis on the frame thread. [audio]
struct TapBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let tap: SampleTapWriter

  init(_ tap: SampleTapWriter) { self.tap = tap }

  /// Makes a tap for a reader that looks back over `samples`. It holds 2 s more, by which the reader may be late.
  /// [control]
  static func tap(channels: Int, lookingBack samples: Int, rate: Int) -> SampleTap {
    SampleTap(channels: channels, minimumCapacity: 2 * rate + samples + Cycle.longestSegment)
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    guard tap.begin(at: cycle.sample, cycle.count) else {
      cycle.counters.pointee.missedSamples.add(UInt64(cycle.count))
      return
    }
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      tap.write(channel: Int(channel), cycle.input(io, channel), count: cycle.count)
      channel &+= 1
    }
    tap.commit(cycle.count)
  }

  static var processing: vg_process { { runBlock(TapBlock.self, $0, $1) } }
}
