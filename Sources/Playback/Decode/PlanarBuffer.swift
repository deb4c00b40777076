/// Memory for a block of samples, channel by channel.
///
/// [one] Allocated once with silence, freed with the object.
final class PlanarBuffer {
  /// The room, channels × `count` samples.
  let samples: PlanarSamples
  /// Samples per channel.
  let count: Int
  /// The first sample of every channel, as C libraries want it.
  let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init(channels: Int, count: Int) {
    // A cache line more than asked, so that channels do not fall on the same lines of the cache.
    let stride = count + 16
    let base = UnsafeMutablePointer<Float>.allocate(capacity: channels * stride)
    base.initialize(repeating: 0, count: channels * stride)
    samples = PlanarSamples(base: base, stride: stride, channels: channels)
    self.count = count
    pointers = .allocate(capacity: channels)
    pointers.initialize(repeating: nil, count: channels)
  }

  /// Points `pointers` at a sample of each channel.
  func point(at offset: Int) {
    for channel in 0..<samples.channels {
      pointers[channel] = UnsafeMutableRawPointer(samples[channel] + offset)
    }
  }

  /// Copies samples of all channels to somewhere else.
  func copy(from offset: Int, count: Int, to destination: PlanarSamples) {
    for channel in 0..<samples.channels {
      destination[channel].update(from: samples[channel] + offset, count: count)
    }
  }

  deinit {
    samples.base.deallocate()
    pointers.deallocate()
  }
}
