/// The power in each of some bands of frequencies, by windows of one or two lengths that end with a frame. [one]
///
/// Each length is looked at by itself: a short window need not wait until a long one has the same moment in its middle.
public final class BandPowers {
  /// The longest window, in samples: so many before the end of a frame are looked at, and more where it is longer.
  public let longest: Int
  /// The mean square in each band, after `measure`.
  public private(set) var powers: [Double]
  private let spectra: [Spectrum]
  /// For each spectrum the bands it is for.
  private let shares: [[Share]]

  private struct Share {
    let band: Int
    let first: Int
    let weights: [Float]
  }

  /// How long windows are.
  public enum Window: Sendable, Equatable {
    /// All of so many seconds, rounded to a power of two of samples.
    case seconds(Double)
    /// 85 ms for bands that need it to be told apart, 21 ms for the others.
    case auto
  }

  /// Makes one for a sample rate. [control]
  public init(_ bands: [Band], window: Window, rate: Double) {
    func length(_ seconds: Double) -> Int { Spectrum.length(seconds: seconds, rate: rate) }
    let lengths: [Int] =
      switch window {
      case .seconds(let seconds): [length(seconds)]
      case .auto: [length(0.02133), length(0.0853)]
      }
    // A Hann window is four bins wide.
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

  /// Measures a frame of so many samples. One that is longer than half a window is looked at all along, by windows that
  /// overlap by half. `samples` gives `length` samples, of which the last one comes `age` samples before the frame's end.
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
