import Glibc

extension [Float] {
  /// `count` samples, each a function of its index. Much faster than `map` of a range in tests, which are not
  /// optimized; this module is, because it makes minutes of sound.
  public init(count: Int, _ sample: (Int) -> Float) {
    self.init(unsafeUninitializedCapacity: count) { samples, made in
      for place in 0..<count { samples[place] = sample(place) }
      made = count
    }
  }

  /// The same sound, repeated.
  public func repeated(_ times: Int) -> [Float] {
    var all: [Float] = []
    all.reserveCapacity(count * times)
    for _ in 0..<times { all += self }
    return all
  }

  /// The magnitude of the second difference at each sample, 0 for the first two.
  public var bends: [Float] {
    [Float](count: count) { place in
      guard place > 1 else { return 0 }
      let before: Float = self[place - 1] - self[place - 2]
      let after: Float = self[place] - self[place - 1]
      return abs(after - before)
    }
  }
}

/// Sounds that are the same in every run.
public enum Sounds {
  /// A sine with a step in radians a sample.
  public static func sine(_ step: Double, level: Float, count: Int) -> [Float] {
    [Float](count: count) { level * Float(sin(Double($0) * step)) }
  }

  /// A varying sound: bursts of a tone on the left, noise that rises and falls on the right.
  public static func lively(seconds: Double, rate: Int = 48_000) -> [[Float]] {
    let count = Int(seconds * Double(rate))
    var state: UInt32 = 1
    let left = [Float](count: count) { place in
      let isOn = place / (rate / 5) % 2 == 0
      return isOn ? Float(sin(Double(place) * 2 * .pi * 440 / Double(rate))) * 0.8 : 0
    }
    let right = [Float](count: count) { place in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / 8_388_608 - 1) * Float(place % rate) / Float(rate)
    }
    return [left, right]
  }
}

/// Noise quantized to 16 bits, so that every sample format keeps it exactly.
public func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var state = seed
  return [Float](count: count) { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int16(truncatingIfNeeded: Int(state >> 40))) / 32768
  }
}
