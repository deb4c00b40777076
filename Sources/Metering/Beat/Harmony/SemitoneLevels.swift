#if canImport(Glibc)
  import Glibc
#endif

/// The level of each semitone from about 200 Hz to 1950 Hz, and of each bin of the spectrum from 80 Hz up to there,
/// where a semitone is narrower: a coarse spectrum of the harmony. Windows of about 85 ms overlap by half. [one]
///
/// The signal is first decimated to about 6 kHz by averaging groups of samples, so that windows long enough to separate
/// these semitones cost little. Averaging attenuates what lies near multiples of 6 kHz by only about 20 dB, and it
/// aliases into the range. That is mostly hi-hats, which sound alike on all beats.
public final class SemitoneLevels {
  /// The hops from one spectrum to the next, the decimated samples of a hop, and the hops of a window.
  private static let (hopsPerSpectrum, samplesPerHop, hopsPerWindow) = (8, 32, 16)
  /// The middles of the bands, in Hz.
  private static let range = 80.0..<1950.0
  /// The levels of the last spectrum, from low to high: lg(1 + 400 · magnitude).
  public private(set) var levels: [Float]
  /// The seconds from the middle of a window to its end.
  public let lateness: Double
  private let hop: Int
  private let factor: Int
  private let spectrum: Spectrum
  private let decimated: UnsafeMutablePointer<Float>
  private var heard = 0
  private let bands: [(first: Int, weights: [Float])]

  /// Makes the bands for a sample rate in Hz and hops of `hop` samples, a power of two. [control]
  public init(rate: Double, hop: Int) {
    self.hop = hop
    factor = max(1, hop / Self.samplesPerHop)
    let length = hop / factor * Self.hopsPerWindow
    spectrum = Spectrum(length: length)
    lateness = Double(hop * Self.hopsPerWindow) / 2 / rate
    decimated = .allocate(capacity: length)
    decimated.initialize(repeating: 0, count: length)
    let width = rate / Double(factor) / Double(length)
    let semitone = exp2(1 / 12.0)
    var bands: [(Int, [Float])] = []
    var middle = Self.range.lowerBound
    while middle < min(Self.range.upperBound, 0.4 * rate / Double(factor)) {
      let bin = Int((middle / width).rounded())
      // Below, a semitone is narrower than a bin, and each bin has a band of its own.
      if middle * (semitone - 1) >= width {
        bands.append(
          Band(low: middle / semitone, middle: middle, high: middle * semitone, isTriangle: true)
            .weights(width: width, bins: length / 2 + 1))
      } else if bin > bands.last?.0 ?? 0 {
        bands.append((bin, [1]))
      }
      middle *= semitone
    }
    self.bands = bands
    levels = Array(repeating: 0, count: bands.count)
  }

  deinit { decimated.deallocate() }

  /// Takes the samples of a hop. Returns whether there are new levels.
  public func take(_ samples: UnsafePointer<Float>) -> Bool {
    let count = hop / factor
    let half = Self.hopsPerSpectrum * count
    let target = decimated + half + heard * count
    let (factor, share) = (factor, 1 / Float(factor))
    for place in 0..<count { target[place] = share * Self.sum(samples + place * factor, factor) }
    heard += 1
    guard heard == Self.hopsPerSpectrum else { return false }
    heard = 0
    spectrum.look(at: decimated)
    decimated.update(from: decimated + half, count: half)
    levels.withUnsafeMutableBufferPointer { levels in
      for (index, band) in bands.enumerated() {
        let power = Float(spectrum.sum(from: band.first, band.weights))
        levels[index] = log10(1 + 400 * power.squareRoot())
      }
    }
    return true
  }

  @inline(__always)
  private static func sum(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    var sums = SIMD4<Float>()
    var place = 0
    while place + 4 <= count {
      sums += UnsafeRawPointer(samples + place).loadUnaligned(as: SIMD4<Float>.self)
      place += 4
    }
    let two = sums.lowHalf + sums.highHalf
    var sum = two.x + two.y
    while place < count {
      sum += samples[place]
      place += 1
    }
    return sum
  }
}
