/// Measures the power in frequency bands, by windows of one or two lengths. [one]
///
/// All windows end with the frame, so a short window is centered on a later moment than a long one.
public final class BandPowers {
  /// The length of the longest window in samples. `measure` reads at least that many before the end of a frame.
  public let longest: Int
  /// The mean square in each band, as of the last `measure`.
  public private(set) var powers: [Double]
  private let spectra: [Spectrum]
  /// For each spectrum, the bands that it measures.
  private let shares: [[Share]]

  /// The weights by which a band adds the bins of a spectrum, from bin `first` on.
  private struct Share {
    let band: Int
    let first: Int
    let weights: [Float]
  }

  /// The length of windows.
  public enum Window: Sendable, Equatable {
    /// One length in seconds, rounded to a power of two of samples.
    case seconds(Double)
    /// 21 ms for bands that are at least four bins wide in such a window, 85 ms for narrower ones.
    case auto
  }

  /// Makes the spectra and weights for a sample rate in Hz. [control]
  public init(_ bands: [Band], window: Window, rate: Double) {
    func length(_ seconds: Double) -> Int { Spectrum.length(seconds: seconds, rate: rate) }
    let lengths: [Int] =
      switch window {
      case .seconds(let seconds): [length(seconds)]
      case .auto: [length(0.02133), length(0.0853)]
      }
    // The main lobe of a Hann window is four bins wide.
    let choice = bands.map { band in
      lengths.firstIndex { (band.high - band.low) * Double($0) >= 4 * rate } ?? lengths.count - 1
    }
    spectra = lengths.map(Spectrum.init)
    longest = lengths.max() ?? 64
    powers = Array(repeating: 0, count: bands.count)
    shares = zip(lengths.indices, spectra).map { index, spectrum in
      bands.indices.filter { choice[$0] == index }.map { band in
        let (first, weights) = bands[band].weights(
          width: rate / Double(spectrum.length), bins: spectrum.length / 2 + 1)
        return Share(band: band, first: first, weights: weights)
      }
    }
  }

  /// Measures a frame of `count` samples. A frame longer than half a window is measured by several windows, which
  /// overlap by half. `samples` returns `length` samples, which end `age` samples before the frame's end.
  public func measure(_ count: Int, _ samples: (_ length: Int, _ age: Int) -> UnsafePointer<Float>) {
    for band in powers.indices { powers[band] = 0 }
    for (spectrum, shares) in zip(spectra, shares) where !shares.isEmpty {
      let step = spectrum.length / 2
      let windows = max(1, (count + step - 1) / step)
      for window in 0..<windows {
        spectrum.look(at: samples(spectrum.length, window * step))
        for share in shares { powers[share.band] += spectrum.sum(from: share.first, share.weights) }
      }
      for share in shares { powers[share.band] /= Double(windows) }
    }
  }
}
