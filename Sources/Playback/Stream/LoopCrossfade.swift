import Glibc

/// The crossfade from the end of a section that loops into its beginning, by a raised cosine. The tail, the samples
/// after the section's end, fades out while the beginning fades in. [one]
final class LoopCrossfade {
  /// Memory for the tail, of the length that `begin` has returned.
  var tail: PlanarSamples { buffer.samples }
  /// Samples of the crossfade that remain.
  private(set) var left = 0

  private let channels: Int
  private var buffer: PlanarBuffer
  private var count = 0

  init(channels: Int) {
    self.channels = channels
    buffer = PlanarBuffer(channels: channels, count: 1)
  }

  /// Begins a crossfade with a silent tail, which the caller fills in `tail`.
  ///
  /// - Parameters:
  ///   - count: wanted length in samples.
  ///   - most: largest length in samples.
  /// - Returns: the length in samples, at most 65,536.
  @discardableResult
  func begin(_ count: Int, most: Int) -> Int {
    self.count = max(0, min(count, most, 1 << 16))
    left = self.count
    if buffer.count < self.count { buffer = PlanarBuffer(channels: channels, count: self.count) }
    for channel in 0..<channels { buffer.samples[channel].update(repeating: 0, count: self.count) }
    return self.count
  }

  /// Crossfades from the tail into the next samples.
  func blend(_ samples: PlanarSamples, count given: Int) {
    guard left > 0, given > 0 else { return }
    let done = count - left
    for i in 0..<min(given, left) {
      let rise = Float(0.5 - 0.5 * cos(.pi * (Double(done + i) + 0.5) / Double(count)))
      for channel in 0..<channels {
        let old = buffer.samples[channel][done + i]
        samples[channel][i] = old + (samples[channel][i] - old) * rise
      }
    }
    left -= min(given, left)
  }
}
