/// Memory for a block of planar samples, channel after channel. [one]
///
/// Zeroed at allocation, freed with the object.
final class PlanarBuffer {
  /// The memory, channels × `count` samples.
  let samples: PlanarSamples
  /// Samples per channel.
  let count: Int
  /// Pointers to a sample of each channel, for C libraries; see `point(at:)`.
  let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init(channels: Int, count: Int) {
    // One cache line of padding, so that channels do not map to the same cache sets.
    let stride = count + 16
    let base = UnsafeMutablePointer<Float>.allocate(capacity: channels * stride)
    base.initialize(repeating: 0, count: channels * stride)
    samples = PlanarSamples(base: base, stride: stride, channels: channels)
    self.count = count
    pointers = .allocate(capacity: channels)
    pointers.initialize(repeating: nil, count: channels)
  }

  /// Sets `pointers` to a sample of each channel.
  func point(at offset: Int) {
    for channel in 0..<samples.channels {
      pointers[channel] = UnsafeMutableRawPointer(samples[channel] + offset)
    }
  }

  /// Copies samples of all channels.
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

/// A view of planar samples, channel after channel: float32, full scale 1.0. [one]
///
/// It does not own the memory, which must outlive it.
public struct PlanarSamples {
  /// The first channel's first sample.
  public let base: UnsafeMutablePointer<Float>
  /// Floats from the first sample of a channel to that of the next.
  public let stride: Int
  /// Number of channels, at least 1.
  public let channels: Int

  /// Makes a view of existing memory.
  ///
  /// - Parameters:
  ///   - base: the first channel's first sample.
  ///   - stride: floats from one channel to the next.
  ///   - channels: at least 1.
  public init(base: UnsafeMutablePointer<Float>, stride: Int, channels: Int) {
    self.base = base
    self.stride = stride
    self.channels = channels
  }

  /// The first sample of a channel, from 0.
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> { base + channel * stride }

  /// The view without the first samples of each channel.
  ///
  /// - Parameter count: samples per channel.
  public func dropFirst(_ count: Int) -> PlanarSamples {
    PlanarSamples(base: base + count, stride: stride, channels: channels)
  }
}

/// Deinterleaves samples; those that are not finite become 0. [one]
///
/// - Parameters:
///   - source: `count` × channels floats; samples that are not finite are set to 0 in it.
///   - count: samples per channel.
///   - destination: room for `count` samples of each channel.
/// - Returns: samples, over all channels, that were not finite.
func deinterleave(_ source: UnsafeMutablePointer<Float>, count: Int, into destination: PlanarSamples) -> Int {
  let channels = destination.channels
  let nonFinite = silenceNonFinite(source, count: count * channels)
  switch channels {
  case 1: destination.base.update(from: source, count: count)
  case 2:
    let left = destination[0]
    let right = destination[1]
    for index in 0..<count {
      left[index] = source[2 * index]
      right[index] = source[2 * index + 1]
    }
  default:
    for channel in 0..<channels {
      let samples = destination[channel]
      var from = source + channel
      for index in 0..<count {
        samples[index] = from.pointee
        from += channels
      }
    }
  }
  return nonFinite
}

/// Deinterleaves 16-bit samples and scales them by 2⁻¹⁵. [one]
///
/// - Parameters:
///   - source: `count` × channels samples.
///   - count: samples per channel.
///   - destination: room for `count` samples of each channel.
func deinterleave(_ source: UnsafePointer<Int16>, count: Int, into destination: PlanarSamples) {
  let channels = destination.channels
  switch channels {
  case 1:
    let samples = destination[0]
    for index in 0..<count { samples[index] = Float(source[index]) * 0x1p-15 }
  case 2:
    let left = destination[0]
    let right = destination[1]
    for index in 0..<count {
      left[index] = Float(source[2 &* index]) * 0x1p-15
      right[index] = Float(source[2 &* index &+ 1]) * 0x1p-15
    }
  default:
    for channel in 0..<channels {
      let samples = destination[channel]
      var from = source + channel
      for index in 0..<count {
        samples[index] = Float(from.pointee) * 0x1p-15
        from += channels
      }
    }
  }
}

/// Sets every NaN and infinity to 0 and counts them.
func silenceNonFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
  // As integers without the sign bit, magnitudes keep their order; infinity is 0x7f80_0000, NaNs are above it.
  let infinity: Int32 = 0x7f80_0000
  let largest = UnsafeRawPointer(samples).withMemoryRebound(to: Int32.self, capacity: count) { bits in
    var largest: Int32 = 0
    for index in 0..<count { largest = max(largest, bits[index] & 0x7fff_ffff) }
    return largest
  }
  if largest < infinity { return 0 }
  var nonFinite = 0
  for index in 0..<count where !samples[index].isFinite {
    samples[index] = 0
    nonFinite += 1
  }
  return nonFinite
}
