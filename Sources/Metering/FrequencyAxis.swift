#if canImport(Glibc)
  import Glibc
#endif

/// Points on a logarithmic frequency axis, and the power of a spectrum at each. [one]
///
/// A point reads the loudest of the bins that are nearer to it than to its neighbors, so that no tone falls between two
/// points. If there is no such bin, its power is interpolated linearly between two bins.
public struct FrequencyAxis: Sendable {
  /// The bins that a point reads.
  private enum Place {
    /// The loudest of these bins.
    case loudest(ClosedRange<Int>)
    /// Between a bin and the next one, at this fraction of the way, 0…1.
    case between(Int, Float)
    /// None: the point is above half the sample rate.
    case nowhere
  }

  /// The frequencies of the points in Hz, ascending.
  public let frequencies: [Double]
  private let places: [Place]

  /// Makes `count` points from one frequency to another, in Hz, for spectra of `length` samples at a sample rate in Hz.
  public init(count: Int, from low: Double, to high: Double, length: Int, rate: Double) {
    let frequencies = Self.frequencies(count: count, from: low, to: high)
    let half = exp2(log2(high / low) / Double(max(1, count - 1)) / 2)
    let width = rate / Double(length)
    places = frequencies.map { frequency in
      guard frequency <= rate / 2 else { return .nowhere }
      let first = max(0, Int((frequency / half / width).rounded(.up)))
      let last = min(length / 2, Int((frequency * half / width).rounded(.up)) - 1)
      if first <= last { return .loudest(first...last) }
      let bin = min(length / 2 - 1, Int(frequency / width))
      return .between(bin, Float(frequency / width - Double(bin)))
    }
    self.frequencies = frequencies
  }

  /// The frequencies of `count` points in Hz, evenly spaced on a logarithmic axis.
  public static func frequencies(count: Int, from low: Double, to high: Double) -> [Double] {
    count < 2 ? [low] : FrequencyScale.log.edges(count - 1, from: low, to: high)
  }

  /// The power at the point with an index, in a spectrum with these powers.
  public func power(at point: Int, in bins: UnsafeMutableBufferPointer<Float>) -> Float {
    switch places[point] {
    case .loudest(let range):
      var loudest = bins[range.lowerBound]
      for bin in range where bins[bin] > loudest { loudest = bins[bin] }
      return loudest
    case .between(let bin, let part): return bins[bin] + (bins[bin + 1] - bins[bin]) * part
    case .nowhere: return 0
    }
  }
}
