import Glibc
import Metering
import Testing

/// The 1/3-octave filters, compared with the mask of IEC 61260-1:2014, class 1.
@Suite struct ThirdOctavesTests {
  /// The frequency ratio of an octave, G of the standard.
  private static let octaveRatio = pow(10, 0.3)

  /// The breakpoint of a 1/3-octave filter for the octave filter's breakpoint G^`exponent`, as a ratio to the mid-band
  /// frequency.
  private func breakpoint(_ exponent: Double) -> Double {
    1 + (pow(Self.octaveRatio, 1 / 6.0) - 1) / (pow(Self.octaveRatio, 0.5) - 1)
      * (pow(Self.octaveRatio, exponent) - 1)
  }

  /// The least and the most attenuation of class 1, in dB, at a ratio of a frequency to the middle; between the break
  /// points straight lines over the logarithm of the frequency.
  private func limits(_ ratio: Double) -> (least: Double, most: Double) {
    let ratio = ratio < 1 ? 1 / ratio : ratio
    let inner: [(Double, Double)] = [
      (0, 0.4), (1 / 8.0, 0.5), (1 / 4.0, 0.7), (3 / 8.0, 1.4), (1 / 2.0, 5.3),
    ]
    let outer: [(Double, Double)] = [(1 / 2.0, 1.2), (1, 16.6), (2, 40.5), (3, 60), (4, 70)]
    func between(_ rows: [(Double, Double)]) -> Double? {
      for (a, b) in zip(rows, rows.dropFirst()) where ratio <= breakpoint(b.0) {
        let part = log(ratio / breakpoint(a.0)) / log(breakpoint(b.0) / breakpoint(a.0))
        return a.1 + (b.1 - a.1) * part
      }
      return nil
    }
    if ratio <= breakpoint(0.5) { return (-0.4, between(inner) ?? 5.3) }
    return (between(outer) ?? 70, .infinity)
  }

  @Test(arguments: [(44_100.0, 30), (48_000, 31), (96_000, 31)])
  func `the frequency response of each band stays within the mask of class 1`(rate: Double, bands: Int) throws
  {
    let filters = (0..<ThirdOctaves.count).map { ThirdOctaves.filter($0, rate: rate) }
    #expect(filters.compactMap { $0 }.count == bands)
    for (middle, filter) in zip(ThirdOctaves.middles, filters) {
      guard let filter else { continue }
      for step in -100...100 {
        let frequency = middle * pow(2, Double(step) / 25)
        guard frequency < 0.499 * rate else { continue }
        let gain = filter.reduce(1) {
          $0 * ThirdOctaves.response($1, at: 2 * .pi * frequency / rate)
        }
        let loss = -20 * log10(max(gain, 1e-30))
        let (least, most) = limits(frequency / middle)
        #expect(loss >= least && loss <= most, "\(middle) Hz at \(frequency) Hz: \(loss) dB")
      }
    }
  }

  @Test func `the mid-band frequencies are those of the standard`() {
    #expect(abs(ThirdOctaves.middles[17] - 1000) < 1e-9 && abs(ThirdOctaves.middles[0] - 19.9526) < 1e-3)
    #expect(ThirdOctaves.names.count == ThirdOctaves.count)
  }
}
