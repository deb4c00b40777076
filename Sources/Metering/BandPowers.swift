/// The power in each of some bands of frequencies, by windows of one or two lengths. [one]
public final class BandPowers {
  /// The longest window, in samples: so many must be looked at.
  public let longest: Int
  /// The mean square in each band, after `look`.
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

  /// Adds the powers of the `longest` samples to `powers`; shorter windows stand in the middle of longer ones, so that
  /// all bands belong to the same moment.
  public func look(at samples: UnsafePointer<Float>) {
    for (spectrum, shares) in zip(spectra, shares) where !shares.isEmpty {
      spectrum.look(at: samples + (longest - spectrum.length) / 2)
      for share in shares { powers[share.band] += spectrum.sum(from: share.first, share.weights) }
    }
  }

  /// Begins a new sum.
  public func clear() { for band in powers.indices { powers[band] = 0 } }
}
