import Glibc
import Metering
import TestSounds
import TestSupport
import Testing

/// The Fourier transform compared with its definition.
@Suite struct SpectrumPowersTests {
  /// The powers of samples by the sums of the definition (DFT).
  private func defined(_ samples: [Float]) -> [Double] {
    let count = samples.count
    let window = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)) }
    let energy = window.reduce(0) { $0 + $1 * $1 }
    return (0...count / 2).map { bin in
      var (real, imaginary) = (0.0, 0.0)
      for place in 0..<count {
        let turn = 2 * Double.pi * Double(bin * place % count) / Double(count)
        real += Double(samples[place]) * window[place] * cos(turn)
        imaginary += Double(samples[place]) * window[place] * sin(turn)
      }
      let twins = bin == 0 || bin == count / 2 ? 1.0 : 2.0
      return twins * (real * real + imaginary * imaginary) / (Double(count) * energy)
    }
  }

  @Test(arguments: [64, 128, 256, 512, 1024, 2048])
  func `the powers are those of the DFT's definition`(length: Int) {
    var dice = Dice(UInt64(length))
    let samples = [Float](count: length) { _ in Float.random(in: -1...1, using: &dice) }
    let spectrum = Spectrum(length: length)
    spectrum.look(at: samples)
    let expected = defined(samples)
    let most = expected.max() ?? 0
    for (bin, power) in expected.enumerated() {
      #expect(abs(Double(spectrum.powers[bin]) - power) < 1e-6 * most, "bin \(bin)")
    }
  }

  @Test func `samples that are infinite or not a number count as 0, and huge ones as 2²⁰`() {
    let spectrum = Spectrum(length: 64)
    var samples = [Float](repeating: 0.25, count: 64)
    for (place, odd) in [Float.nan, .infinity, -.infinity].enumerated() { samples[10 * place + 3] = odd }
    spectrum.look(at: samples)
    var expected = samples.map { $0.isFinite ? $0 : 0 }
    #expect(abs(Double(spectrum.powers[0]) / defined(expected)[0] - 1) < 1e-5)
    samples[40] = -3e38
    expected[40] = -1_048_576
    spectrum.look(at: samples)
    #expect(abs(Double(spectrum.powers[5]) / defined(expected)[5] - 1) < 1e-5)
  }

  @Test func `the weights of a sum begin at its first bin`() {
    let spectrum = Spectrum(length: 64)
    spectrum.look(at: (0..<64).map { Float($0 % 7) / 7 })
    let weights = (0..<21).map { Float($0) / 20 }
    var expected = 0.0
    for (place, weight) in weights.enumerated() { expected += Double(spectrum.powers[4 + place] * weight) }
    #expect(abs(spectrum.sum(from: 4, weights) - expected) <= 1e-15)
    #expect(spectrum.sum(from: 4, []) == 0)
  }
}
