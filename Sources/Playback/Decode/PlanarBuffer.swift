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

/// Room for samples, channel by channel: float32, full scale 1.0.
///
/// [one] A plain pointer struct; its maker keeps the memory alive.
public struct PlanarSamples {
  /// The first channel's first sample.
  public let base: UnsafeMutablePointer<Float>
  /// Floats from one channel's first sample to the next channel's.
  public let stride: Int
  /// Channels, at least 1.
  public let channels: Int

  /// Describes room that exists already.
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

  /// The first sample of a channel, counted from 0.
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> { base + channel * stride }

  /// The same room without its first samples.
  ///
  /// - Parameter count: samples per channel.
  public func dropFirst(_ count: Int) -> PlanarSamples {
    PlanarSamples(base: base + count, stride: stride, channels: channels)
  }
}

/// Takes interleaved samples apart into channels; what is not finite becomes 0.
///
/// [one]
/// - Parameters:
///   - source: `count` × channels floats, channel after channel of each sample; cleaned in place.
///   - count: samples per channel.
///   - destination: room for `count` samples of each channel.
/// - Returns: how many samples, in all channels, were not finite.
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

/// Takes interleaved samples of 16 bits apart into channels; 32,768 would be full scale.
///
/// [one]
/// - Parameters:
///   - source: `count` × channels samples, channel after channel of each.
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
  // Bits without the sign grow with the magnitude; infinity is 0x7f80_0000 and NaNs lie above it.
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
