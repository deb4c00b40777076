import CRealtime

#if canImport(Glibc)
  import Glibc
#endif

/// The power spectrum of a window of samples, with a Hann window. [one]
///
/// Bin k is rate / length Hz wide and centered on k × rate / length. The powers add up to the mean square of the signal
/// as the window weights it: those of a full-scale sine add up to 0.5, whatever the length.
public final class Spectrum {
  /// The length of the window in samples, a power of two.
  public let length: Int
  /// The `length / 2 + 1` powers of the last window, from 0 Hz to half the sample rate.
  public let powers: UnsafeMutableBufferPointer<Float>
  private let window: UnsafeMutablePointer<Float>
  private let twiddles: UnsafeMutablePointer<Float>
  private let work: UnsafeMutablePointer<Float>
  private let fourier: vg_fourier

  /// The number of samples, a power of two in 64…65,536, that is nearest to a time in seconds at a rate in Hz.
  public static func length(seconds: Double, rate: Double) -> Int {
    var size = 64
    while Double(size) * 1.5 < seconds * rate && size < 65_536 { size *= 2 }
    return size
  }

  /// Makes the tables for a window of 64…65,536 samples; the length is rounded down to a power of two. [control]
  public init(length: Int) {
    var size = 64
    while size * 2 <= min(length, 65_536) { size *= 2 }
    self.length = size
    window = .allocate(capacity: size)
    var energy = 0.0
    for i in 0..<size {
      let value = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(size))
      (window + i).initialize(to: Float(value))
      energy += value * value
    }
    twiddles = Self.twiddles(length: size)
    work = .allocate(capacity: 2 * size)
    work.initialize(repeating: 0, count: 2 * size)
    powers = .allocate(capacity: size / 2 + 1)
    powers.initialize(repeating: 0)
    fourier = vg_fourier(
      length: Int64(size), window: window, twiddles: twiddles, work: work,
      scale: Float(1 / (Double(size) * energy))
    )
  }

  deinit {
    window.deallocate()
    twiddles.deallocate()
    work.deallocate()
    powers.deallocate()
  }

  /// The twiddle factors of the transform, in the order that `vg_fourier` states.
  private static func twiddles(length: Int) -> UnsafeMutablePointer<Float> {
    let twiddles = UnsafeMutablePointer<Float>.allocate(capacity: 2 * length)
    twiddles.initialize(repeating: 0, count: 2 * length)
    var next = twiddles
    func append(_ count: Int, _ value: (Int) -> Double) {
      for place in 0..<count { next[place] = Float(value(place)) }
      next += count
    }
    var points = length / 2
    while points >= 4 {
      for power in 1...3 {
        let turn = -2 * Double.pi * Double(power) / Double(points)
        append(points / 4) { cos(turn * Double($0)) }
        append(points / 4) { sin(turn * Double($0)) }
      }
      points /= 4
    }
    append(length / 2) { cos(2 * .pi * Double($0) / Double(length)) }
    append(length / 2) { sin(2 * .pi * Double($0) / Double(length)) }
    return twiddles
  }

  /// Analyzes `length` samples. A sample that is not finite counts as 0; magnitudes are clamped to 2²⁰.
  public func look(at samples: UnsafePointer<Float>) {
    withUnsafePointer(to: fourier) { vg_power_spectrum($0, samples, powers.baseAddress!) }
  }

  /// The weighted sum of the powers from bin `first` on.
  public func sum(from first: Int, _ weights: [Float]) -> Double {
    weights.withUnsafeBufferPointer { weights in
      guard let start = weights.baseAddress else { return 0 }
      return vg_weighted_sum(powers.baseAddress! + first, start, Int64(weights.count))
    }
  }
}

/// The scale of a frequency axis.
public enum FrequencyScale: Sendable {
  /// Logarithmic: octaves have equal length.
  case log
  /// Mel: 2595 lg(1 + f/700) (O'Shaughnessy 1987).
  case mel
  /// Bark: 6 arsinh(f/600) (Wang, Sekey and Gersho 1992).
  case bark
  /// Linear: equal numbers of hertz have equal length.
  case linear

  /// The position of a frequency in Hz on the scale.
  public func place(_ frequency: Double) -> Double {
    switch self {
    case .log: log2(frequency)
    case .mel: 2595 * log10(1 + frequency / 700)
    case .bark: 6 * asinh(frequency / 600)
    case .linear: frequency
    }
  }

  /// The frequency in Hz at a position on the scale.
  public func frequency(_ place: Double) -> Double {
    switch self {
    case .log: exp2(place)
    case .mel: 700 * (pow(10, place / 2595) - 1)
    case .bark: 600 * sinh(place / 6)
    case .linear: place
    }
  }

  /// The `count` + 1 edges of bands between two frequencies in Hz, evenly spaced on the scale.
  public func edges(_ count: Int, from low: Double, to high: Double) -> [Double] {
    let (first, last) = (place(low), place(high))
    return (0...count).map { edge in
      edge == 0
        ? low : edge == count ? high : frequency(first + (last - first) * Double(edge) / Double(count))
    }
  }
}

/// A frequency band, whose weight over frequency is a rectangle or a triangle.
public struct Band: Sendable {
  /// The lower edge in Hz.
  public var low: Double
  /// The peak of a triangle in Hz; for a rectangle, a nominal frequency without effect.
  public var middle: Double
  /// The upper edge in Hz.
  public var high: Double
  /// Whether it is a triangle: the weight falls linearly from 1 at `middle` to 0 at both edges.
  public var isTriangle: Bool

  /// Makes a band.
  public init(low: Double, middle: Double, high: Double, isTriangle: Bool = false) {
    (self.low, self.middle, self.high, self.isTriangle) = (low, middle, high, isTriangle)
  }

  /// The integral of the weight up to a frequency, in Hz.
  private func area(below frequency: Double) -> Double {
    let x = max(low, min(high, frequency))
    guard isTriangle else { return x - low }
    if x <= middle { return middle > low ? (x - low) * (x - low) / (2 * (middle - low)) : 0 }
    let rising = (middle - low) / 2
    let left = high - x
    return rising + (high - middle) / 2 - (high > middle ? left * left / (2 * (high - middle)) : 0)
  }

  /// The first bin of the band, and the weights of the bins from there on. `width`: of a bin in Hz; `bins`: their
  /// number. The weight of a bin is the mean over its width, so a bin at an edge belongs to both bands in part.
  public func weights(width: Double, bins: Int) -> (first: Int, weights: [Float]) {
    let first = max(0, Int((low / width + 0.5).rounded(.down)))
    let last = min(bins - 1, Int((high / width + 0.5).rounded(.down)))
    guard first <= last else { return (0, []) }
    return (
      first,
      (first...last).map { bin in
        let begin = (Double(bin) - 0.5) * width
        return Float((area(below: begin + width) - area(below: begin)) / width)
      }
    )
  }
}
