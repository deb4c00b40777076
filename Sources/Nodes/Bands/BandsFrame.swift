import Engine
import Metering
import Realtime
import System

#if canImport(Glibc)
  import Glibc
#endif

/// Converts powers to levels, with a reference for 0 dBFS and a slope over frequency. [frame]
struct BandScale {
  /// The factor on the mean square.
  private let factor: Double
  /// The gain of each band, in dB.
  private let slopes: [Double]

  init(_ settings: Bands.Settings) {
    factor = settings.reference == .sine ? 2 : 1
    slopes = settings.bands.map { settings.slope * log2($0.band.middle / 1000) }
  }

  /// The level of a band with the mean square `power`; the slope is not applied to silence.
  func level(_ power: Double, band: Int) -> Float {
    let level = Decibels.of(power: power * factor)
    return level > Decibels.floor ? max(Decibels.floor, level + Float(slopes[band])) : Decibels.floor
  }
}

/// Measures a window at the end of every frame, channel by channel. [frame]
final class BandsFrame: FrameNode {
  private let powers: BandPowers
  private let tap: SampleTap
  private let channels: Int
  private let scale: BandScale
  private let outputs: [Int]
  private let samples: UnsafeMutablePointer<Float>

  init(_ powers: BandPowers, tap: SampleTap, channels: Int, scale: BandScale, outputs: [Int]) {
    self.powers = powers
    self.tap = tap
    self.channels = channels
    self.scale = scale
    self.outputs = outputs
    samples = .allocate(capacity: powers.longest)
    samples.initialize(repeating: 0, count: powers.longest)
  }

  deinit { samples.deallocate() }

  func run(_ frame: Frame) {
    let bands = powers.powers.count
    // Without a callback the tap still has the last samples, which would be measured again and again.
    guard frame.stalledSeconds == 0 else {
      for output in outputs { frame.levels[output] = Decibels.floor }
      return
    }
    // Where the frame thread is late, at most the last 2 s are measured.
    let length = min(Int(frame.header.samples), 2 * frame.rate)
    for channel in 0..<channels {
      powers.measure(length) { count, age in
        let begin = frame.header.endSample - Int64(age) - Int64(count)
        tap.reader.read(channel: channel, at: begin, into: samples, count: count)
        return UnsafePointer(samples)
      }
      for band in 0..<bands {
        frame.levels[outputs[channel * bands + band]] = scale.level(powers.powers[band], band: band)
      }
    }
    tap.reader.release(before: frame.header.endSample - Int64(powers.longest))
  }
}

/// The smoothed mean squares of filtered bands; kept from plan to plan. [frame]
final class BandMeans {
  var means: [Double]

  init(count: Int) { means = Array(repeating: 0, count: count) }
}

/// Smooths the mean squares of filtered bands with a time constant. [frame]
final class BandFilterFrame: FrameNode {
  private let state: BandMeans
  /// The time constant, in seconds.
  private let window: Double
  private let scale: BandScale
  private let firstValue: Int
  private let outputs: [Int]

  init(_ state: BandMeans, window: Double, scale: BandScale, firstValue: Int, outputs: [Int]) {
    self.state = state
    self.window = window
    self.scale = scale
    self.firstValue = firstValue
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    let share = -expm1(-frame.seconds / window)
    let samples = Double(max(1, frame.header.samples))
    for channel in outputs.indices {
      let mean = frame.record.sums[firstValue + channel] / samples
      state.means[channel] += (mean - state.means[channel]) * share
      frame.levels[outputs[channel]] = scale.level(state.means[channel], band: channel % ThirdOctaves.count)
    }
  }
}

/// Reports the bands that do not fit below half the sample rate. [control]
final class DeadBands: NodeControl {
  private let message: Locked<String?>

  /// The names of the bands of a node, and the sample rate in Hz.
  init(_ names: [String], of id: String, rate: Int) {
    let (bands, read) = names.count == 1 ? ("the band", "reads") : ("the bands", "read")
    message = Locked(
      names.isEmpty
        ? nil
        : "\(id): \(bands) \(names.joined(separator: ", ")) \(read) -160: at \(rate) Hz there is nothing so high"
    )
  }

  func takeMessages() -> [String] {
    message.withLock { message in
      defer { message = nil }
      return message.map { [$0] } ?? []
    }
  }
}
