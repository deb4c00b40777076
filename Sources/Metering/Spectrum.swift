import CKissfft

#if canImport(Glibc)
  import Glibc
#endif

/// The power of a piece of sound by frequency, under a Hann window. [one]
///
/// Bin k is `rate ÷ length` Hz wide and stands around k times that. The powers are those of a mean square: all of them
/// together are what the samples have on average, weighted by the window, so a full-scale sine has 0.5 in its bins
/// whatever the length.
public final class Spectrum {
  /// Samples that are looked at, a power of two.
  public let length: Int
  /// The powers of the last piece, from 0 Hz to half the rate: `length / 2 + 1`.
  public let powers: UnsafeMutableBufferPointer<Float>
  private let configuration: kiss_fftr_cfg
  private let window: UnsafeMutablePointer<Float>
  private let weighted: UnsafeMutablePointer<Float>
  private let bins: UnsafeMutablePointer<kiss_fft_cpx>
  private let scale: Float

  /// The power of two of samples that is nearest to so many seconds at a rate in Hz, 64 to 65,536.
  public static func length(seconds: Double, rate: Double) -> Int {
    var size = 64
    while Double(size) * 1.5 < seconds * rate && size < 65_536 { size *= 2 }
    return size
  }

  /// Makes one for pieces of 64 to 65,536 samples; the length is rounded down to a power of two. [control]
  public init(length: Int) {
    var size = 64
    while size * 2 <= min(length, 65_536) { size *= 2 }
    self.length = size
    // The library gives nil where there is no memory, which ends the process elsewhere as well.
    configuration = kiss_fftr_alloc(Int32(size), 0, nil, nil)!
    window = .allocate(capacity: size)
    weighted = .allocate(capacity: size)
    weighted.initialize(repeating: 0, count: size)
    bins = .allocate(capacity: size / 2 + 1)
    bins.initialize(repeating: kiss_fft_cpx(r: 0, i: 0), count: size / 2 + 1)
    powers = .allocate(capacity: size / 2 + 1)
    powers.initialize(repeating: 0)
    var energy = 0.0
    for i in 0..<size {
      let value = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(size))
      (window + i).initialize(to: Float(value))
      energy += value * value
    }
    scale = Float(1 / (Double(size) * energy))
  }

  deinit {
    vg_kissfft_free(configuration)
    window.deallocate()
    weighted.deallocate()
    bins.deallocate()
    powers.deallocate()
  }

  /// Looks at `length` samples; what is not finite counts as 0, and magnitudes are clamped at 2²⁰.
  public func look(at samples: UnsafePointer<Float>) {
    weigh(UnsafeRawPointer(samples))
    kiss_fftr(configuration, weighted, bins)
    measure()
  }

  /// The samples under the window, eight at a time: the compiler does not see by itself that none waits for another.
  private func weigh(_ samples: UnsafeRawPointer) {
    let most = SIMD8<Float>(repeating: 1_048_576)
    let window = UnsafeRawPointer(window)
    let weighted = UnsafeMutableRawPointer(weighted)
    for place in stride(from: 0, to: 4 * length, by: 32) {
      let x = samples.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
      let limited = x.replacing(with: most, where: x .> most).replacing(with: -most, where: x .< -most)
        .replacing(with: 0, where: (x - x) .!= 0)
      let weight = window.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
      weighted.storeBytes(of: limited * weight, toByteOffset: place, as: SIMD8<Float>.self)
    }
  }

  /// The powers of the bins, eight at a time. The bins at both ends have no twin at a negative frequency.
  private func measure() {
    let bins = UnsafeRawPointer(bins)
    let powers = UnsafeMutableRawPointer(powers.baseAddress!)
    let last = length / 2
    func power(_ bin: kiss_fft_cpx) -> Float { (bin.r * bin.r + bin.i * bin.i) * scale }
    for place in stride(from: 0, to: 4 * last, by: 32) {
      let pairs = bins.loadUnaligned(fromByteOffset: 2 * place, as: SIMD16<Float>.self)
      let (real, imaginary) = (pairs.evenHalf, pairs.oddHalf)
      powers.storeBytes(
        of: 2 * ((real * real + imaginary * imaginary) * scale), toByteOffset: place, as: SIMD8<Float>.self)
    }
    for bin in [0, last] { self.powers[bin] = power(self.bins[bin]) }
  }
}

/// How a scale of frequencies runs.
public enum FrequencyScale: Sendable {
  /// Octaves are equal.
  case log
  /// Mel: 2595 lg(1 + f/700) (O'Shaughnessy 1987).
  case mel
  /// Bark: 6 arsinh(f/600) (Wang, Sekey and Gersho 1992).
  case bark
  /// Hertz are equal.
  case linear

  /// The place of a frequency in Hz.
  public func place(_ frequency: Double) -> Double {
    switch self {
    case .log: log2(frequency)
    case .mel: 2595 * log10(1 + frequency / 700)
    case .bark: 6 * asinh(frequency / 600)
    case .linear: frequency
    }
  }

  /// The frequency at a place, in Hz.
  public func frequency(_ place: Double) -> Double {
    switch self {
    case .log: exp2(place)
    case .mel: 700 * (pow(10, place / 2595) - 1)
    case .bark: 600 * sinh(place / 6)
    case .linear: place
    }
  }

  /// `count` + 1 edges from one frequency to another, evenly on the scale.
  public func edges(_ count: Int, from low: Double, to high: Double) -> [Double] {
    let (first, last) = (place(low), place(high))
    return (0...count).map { edge in
      edge == 0
        ? low : edge == count ? high : frequency(first + (last - first) * Double(edge) / Double(count))
    }
  }
}

/// A band of frequencies: all of what lies between two edges, or the more the nearer to its middle.
public struct Band: Sendable {
  /// In Hz.
  public var low: Double
  /// Where it is highest, in Hz; for a rectangle what it is called by.
  public var middle: Double
  /// In Hz.
  public var high: Double
  /// Whether it falls to both sides in a straight line.
  public var isTriangle: Bool

  /// Makes a band.
  public init(low: Double, middle: Double, high: Double, isTriangle: Bool = false) {
    (self.low, self.middle, self.high, self.isTriangle) = (low, middle, high, isTriangle)
  }

  /// The area of the band below a frequency.
  private func area(below frequency: Double) -> Double {
    let x = max(low, min(high, frequency))
    guard isTriangle else { return x - low }
    if x <= middle { return middle > low ? (x - low) * (x - low) / (2 * (middle - low)) : 0 }
    let rising = (middle - low) / 2
    let left = high - x
    return rising + (high - middle) / 2 - (high > middle ? left * left / (2 * (high - middle)) : 0)
  }

  /// How much of each bin of `width` Hz counts: the first bin and the weights from there on. Bins are taken in parts, so
  /// that bands side by side leave nothing out.
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
