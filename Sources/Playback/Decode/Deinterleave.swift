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
