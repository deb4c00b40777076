import CRealtime
import Engine
import Metering
import Realtime

/// Applies the K-weighting to every channel, passes the mean square of every 10 ms to the frame thread, and measures
/// the true peak. [audio]
struct LoudnessBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}

  private let rate: Int64
  private let filter: UnsafeMutablePointer<vg_weighting>
  private let interpolation: UnsafeMutablePointer<vg_interpolation>
  private let weightings: UnsafeMutablePointer<vg_weighting_state>
  private let peaks: UnsafeMutablePointer<vg_true_peak_state>
  /// By channel: the sum of weighted squares since the last step.
  private let energies: UnsafeMutablePointer<Double>
  private let tap: SampleTapWriter

  init(channels: Int, rate: Int, tap: SampleTapWriter) {
    let channels = max(1, channels)
    self.rate = Int64(rate)
    self.tap = tap
    filter = .allocate(capacity: 1)
    filter.initialize(to: Self.makeFilter(rate: rate))
    interpolation = .allocate(capacity: 1)
    interpolation.initialize(to: Self.makeInterpolation())
    weightings = .allocate(capacity: channels)
    weightings.initialize(repeating: vg_weighting_state(), count: channels)
    peaks = .allocate(capacity: channels)
    peaks.initialize(repeating: vg_true_peak_state(), count: channels)
    energies = .allocate(capacity: channels)
    energies.initialize(repeating: 0, count: channels)
  }

  deinit {
    filter.deallocate()
    interpolation.deallocate()
    weightings.deallocate()
    peaks.deallocate()
    energies.deallocate()
  }

  private static func makeFilter(rate: Int) -> vg_weighting {
    let weighting = KWeighting(rate: Double(rate))
    var filter = vg_weighting()
    withUnsafeMutableBytes(of: &filter.shelf) {
      $0.copyBytes(from: weighting.shelf.withUnsafeBytes(Array.init))
    }
    withUnsafeMutableBytes(of: &filter.high) {
      $0.copyBytes(from: weighting.highPass.withUnsafeBytes(Array.init))
    }
    return filter
  }

  private static func makeInterpolation() -> vg_interpolation {
    var filter = vg_interpolation()
    let taps = Array(PeakInterpolation.taps.joined())
    withUnsafeMutableBytes(of: &filter.tap) { $0.copyBytes(from: taps.withUnsafeBytes(Array.init)) }
    return filter
  }

  /// The number of steps of 10 ms that have ended before a sample of the timeline; step n begins at ⌈n × rate ÷ 100⌉.
  @inline(__always) @_noLocks
  static func steps(before sample: Int64, rate: Int64) -> Int64 { sample &* 100 / rate }

  /// The first sample of a step.
  @inline(__always) @_noLocks
  static func begin(of step: Int64, rate: Int64) -> Int64 { (step &* rate &+ 99) / 100 }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let channels = io.pointee.inputCount
    var channel: UInt32 = 0
    while channel < channels {
      vg_true_peak(
        peaks + Int(channel), interpolation, cycle.input(io, channel), UInt32(truncatingIfNeeded: cycle.count)
      )
      channel &+= 1
    }
    var done = 0
    while done < cycle.count {
      let sample = cycle.sample &+ Int64(done)
      let step = Self.steps(before: sample, rate: rate)
      let end = Self.begin(of: step &+ 1, rate: rate)
      let length = min(cycle.count &- done, Int(end &- sample))
      channel = 0
      while channel < channels {
        vg_weigh(
          weightings + Int(channel), filter, cycle.input(io, channel) + done,
          UInt32(truncatingIfNeeded: length),
          energies + Int(channel))
        channel &+= 1
      }
      done &+= length
      if sample &+ Int64(length) == end {
        endStep(step, samples: end &- Self.begin(of: step, rate: rate), channels: Int(channels), cycle)
      }
    }
  }

  /// Passes the mean squares of a step of 10 ms to the frame thread, and begins the next step.
  @inline(__always) @_noLocks
  private mutating func endStep(_ step: Int64, samples: Int64, channels: Int, _ cycle: Cycle) {
    let hasRoom = tap.begin(at: step, 1)
    var channel = 0
    while channel < channels {
      var mean = Float(energies[channel] / Double(samples))
      if hasRoom { tap.write(channel: channel, &mean, count: 1) }
      energies[channel] = 0
      channel &+= 1
    }
    if hasRoom { tap.commit(1) } else { cycle.counters.pointee.missedSamples.add(UInt64(samples)) }
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var channel = 0
    while channel < Int(io.pointee.inputCount) {
      let value = Int(io.pointee.firstValue) &+ channel
      frame.pointee.sums[value] = 0
      frame.pointee.peaks[value] = peaks[channel].top
      peaks[channel].top = 0
      channel &+= 1
    }
  }

  static var processing: vg_process { { runBlock(LoudnessBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(LoudnessBlock.self, $0, $1) } }
}
