#if canImport(Glibc)
  import Glibc
#endif

/// How a sound changes from hop to hop, for finding onsets and beats: spectral flux on a logarithmic axis, against the
/// loudest neighbor of before, so that vibrato counts little (Böck and Widmer, DAFx 2013: SuperFlux). [one]
public final class SpectralFlux {
  /// Samples from one value to the next.
  public let hop: Int
  /// Samples that a value looks at.
  public let length: Int
  /// The changes of the last hop, summed below 200 Hz, to 4 kHz, and above.
  public private(set) var parts = SIMD3<Float>()
  /// The mean square of the last hop's window.
  public private(set) var power: Float = 0
  private let spectrum: Spectrum
  private let bands: [(first: Int, weights: [Float], part: Int)]
  private var history: [[Float]]
  private var hops = 0
  /// How loud a bin must be to count: a magnitude of one over this is where the logarithm bends.
  private static let gain: Float = 400

  /// Makes one for a sample rate: windows of about 21 ms, hops of a quarter of them. [control]
  public init(rate: Double) {
    var length = 64
    while Double(length) * 1.5 < 0.02133 * rate && length < 16_384 { length *= 2 }
    spectrum = Spectrum(length: length)
    self.length = length
    hop = length / 4
    var bands: [(Int, [Float], Int)] = []
    let width = rate / Double(length)
    let top = min(17_000, 0.48 * rate)
    var seen: Set<Int> = []
    var low = 30.0
    // A quarter tone each; where these are narrower than a bin, each bin once.
    while low < top {
      let high = low * exp2(1 / 24.0)
      let middle = (low * high).squareRoot()
      let bin = Int((middle / width).rounded())
      if high - low < width {
        if bin > 0, seen.insert(bin).inserted { bands.append((bin, [1], Self.part(middle))) }
      } else {
        let (first, weights) = Band(low: low, middle: middle, high: high).weights(
          width: width, bins: length / 2 + 1)
        if !weights.isEmpty { bands.append((first, weights, Self.part(middle))) }
      }
      low = high
    }
    self.bands = bands
    history = Array(repeating: Array(repeating: 0, count: bands.count), count: 3)
  }

  private static func part(_ frequency: Double) -> Int { frequency < 200 ? 0 : frequency < 4000 ? 1 : 2 }

  /// Looks at the `length` samples that end with the next hop. The flux is against the window of two hops before, which
  /// has half of them in common.
  public func look(at samples: UnsafePointer<Float>) {
    spectrum.look(at: samples)
    let powers = spectrum.powers
    var total: Float = 0
    for power in powers { total += power }
    power = total
    let (now, before) = (hops % 3, (hops + 1) % 3)
    var sums = SIMD3<Float>()
    for (index, band) in bands.enumerated() {
      var sum: Float = 0
      for (place, weight) in band.weights.enumerated() { sum += weight * powers[band.first + place] }
      let level = log10(1 + Self.gain * sum.squareRoot())
      history[now][index] = level
      let last = history[before]
      let neighbors = max(last[max(0, index - 1)], last[index], last[min(bands.count - 1, index + 1)])
      if hops >= 2, level > neighbors { sums[band.part] += level - neighbors }
    }
    hops += 1
    parts = sums
  }
}
