import Glibc
import Metering
import Testing

/// Conversions between decibels, amplitudes and powers.
@Suite struct DecibelsTests {
  @Test func `full scale is 0 and silence is the floor`() {
    #expect(Decibels.of(amplitude: 1) == 0)
    #expect(Decibels.of(power: 1) == 0)
    #expect([0, -20, -159, -160, -200].map { Decibels.factor(gain: $0) } == [1, 0.1, 1.1220185e-08, 0, 0])
    for silence in [0, -1, 1e-300, .nan, -.infinity] {
      #expect(Decibels.of(amplitude: silence) == -160)
      #expect(Decibels.of(power: silence) == -160)
    }
    #expect(Decibels.of(amplitude: 1e-8) == -160)
    #expect(Decibels.of(power: 1e-16) == -160)
  }

  @Test func `conversions are computed in double and rounded once`() {
    #expect(Decibels.of(amplitude: 0.5) == Float(20 * log10(0.5)))
    #expect(Decibels.of(power: 0.5) == Float(10 * log10(0.5)))
    #expect(Decibels.of(amplitude: 10) == 20)
    #expect(Decibels.of(power: 100) == 20)
  }

  @Test func `amplitudes and powers converted back and forth differ by less than 0.00001 dB`() {
    for level in stride(from: -159.0, through: 20, by: 0.37) {
      #expect(abs(Double(Decibels.of(amplitude: Decibels.amplitude(level))) - level) < 1e-5)
      #expect(abs(Double(Decibels.of(power: Decibels.power(level))) - level) < 1e-5)
    }
  }
}
