import CRealtime
import Engine
import Realtime

/// Sums left², right² and left × right of every pair of channels over the frame. `StereoFrame` reads them as three values
/// of a pair, in this order. [audio]
struct StereoBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let sums: UnsafeMutablePointer<vg_products>

  init(pairs: Int) {
    sums = .allocate(capacity: max(1, pairs))
    sums.initialize(repeating: vg_products(), count: max(1, pairs))
  }

  deinit { sums.deallocate() }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var pair: UInt32 = 0
    while pair < io.pointee.inputCount / 2 {
      vg_add_products(
        sums + Int(pair), cycle.input(io, 2 &* pair), cycle.input(io, 2 &* pair &+ 1),
        UInt32(truncatingIfNeeded: cycle.count))
      pair &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var pair = 0
    while pair < Int(io.pointee.inputCount / 2) {
      let value = Int(io.pointee.firstValue) &+ 3 &* pair
      frame.pointee.sums[value] = sums[pair].left
      frame.pointee.sums[value &+ 1] = sums[pair].right
      frame.pointee.sums[value &+ 2] = sums[pair].product
      // No node reads these peaks, but a record is memory of older frames, so every claimed value is written.
      frame.pointee.peaks[value] = 0
      frame.pointee.peaks[value &+ 1] = 0
      frame.pointee.peaks[value &+ 2] = 0
      sums[pair] = vg_products()
      pair &+= 1
    }
  }

  static var processing: vg_process { { runBlock(StereoBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(StereoBlock.self, $0, $1) } }
}
