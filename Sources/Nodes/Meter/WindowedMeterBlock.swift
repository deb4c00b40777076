import CRealtime
import Engine
import Glibc
import Realtime

/// The peak of the frame, and a mean square with an exponential window. [audio]
struct WindowedMeterBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// The coefficient of the one-pole filter on the squares.
    let coefficient: Double
  }

  private let means: UnsafeMutablePointer<Double>
  private let peaks: UnsafeMutablePointer<Float>

  init(channels: Int) {
    means = .allocate(capacity: max(1, channels))
    means.initialize(repeating: 0, count: max(1, channels))
    peaks = .allocate(capacity: max(1, channels))
    peaks.initialize(repeating: 0, count: max(1, channels))
  }

  deinit {
    means.deallocate()
    peaks.deallocate()
  }

  /// 1 − e^(−1/(seconds × sampleRate)): the mean reaches 63 % of a step after `seconds`.
  static func coefficient(seconds: Double, sampleRate: Int) -> Double {
    -expm1(-1 / (seconds * Double(sampleRate)))
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    var channel: UInt32 = 0
    while channel < io.pointee.inputCount {
      let bad = vg_mean_square(
        means + Int(channel), peaks + Int(channel), cycle.input(io, channel),
        UInt32(truncatingIfNeeded: cycle.count), settings.pointee.coefficient)
      if bad > 0 { cycle.counters.pointee.notFinite.add(UInt64(bad)) }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.inputCount) {
      let value = Int(io.pointee.firstValue) &+ channel
      // The record has sums of squares, which the meter divides by the length.
      frame.pointee.sums[value] = means[channel] * Double(frame.pointee.length)
      frame.pointee.peaks[value] = peaks[channel]
      peaks[channel] = 0
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(WindowedMeterBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(WindowedMeterBlock.self, $0, $1) } }
}
