#if canImport(Glibc)
  import Glibc
#endif

/// The 31 third-octave bands from 20 Hz to 20 kHz (IEC 61260-1:2014, base ten) as filters: Butterworth band-passes of
/// eighth order by the bilinear transform, as four second-order sections each.
public enum ThirdOctaves {
  /// A second-order section: b = gain × (1, 0, −1), a = (1, a1, a2).
  public struct Section: Sendable {
    /// The factor on b.
    public var gain: Double
    /// The feedback coefficient of the last output sample.
    public var a1: Double
    /// The feedback coefficient of the output sample before that.
    public var a2: Double
  }

  /// The number of bands.
  public static var count: Int { @inlinable @inline(__always) @_noLocks get { 31 } }
  /// The exact center frequencies in Hz: 1000 × 10^(n/10), n = −17…13.
  public static let middles: [Double] = (-17...13).map { 1000 * pow(10, Double($0) / 10) }
  /// The nominal center frequencies in Hz.
  public static let names = [
    "20", "25", "31.5", "40", "50", "63", "80", "100", "125", "160", "200", "250", "315", "400", "500", "630",
    "800",
    "1k", "1.25k", "1.6k", "2k", "2.5k", "3.15k", "4k", "5k", "6.3k", "8k", "10k", "12.5k", "16k", "20k",
  ]

  /// Designs the filter of a band for a sample rate in Hz. Nil if the band's upper edge is above 0.49 × rate. At 44.1
  /// kHz the upper skirts of the last bands are steeper than at higher rates, but within class 1: a test sweeps all
  /// bands.
  public static func filter(_ band: Int, rate: Double) -> [Section]? {
    let middle = middles[band]
    let half = pow(10, 0.05)
    guard middle * half < 0.49 * rate else { return nil }
    func warped(_ frequency: Double) -> Double { tan(.pi * frequency / rate) }
    let (low, high) = (warped(middle / half), warped(middle * half))
    let (width, square) = (high - low, high * low)
    // The analog low-pass has its poles at e^(iπ(5 + 2k)/8). Each becomes two by p → (s² + ω²)/(s·B).
    var sections: [Section] = []
    for pole in 0..<2 {
      let angle = Double.pi * Double(5 + 2 * pole) / 8
      let p = Complex(cos(angle) * width / 2, sin(angle) * width / 2)
      let root = (p * p - Complex(square, 0)).squareRoot
      for s in [p + root, p - root] {
        // Bilinear transform: z = (1 + s)/(1 − s). The conjugate pole belongs to the same section.
        let z = (Complex(1, 0) + s) / (Complex(1, 0) - s)
        sections.append(Section(gain: 1, a1: -2 * z.real, a2: z.real * z.real + z.imaginary * z.imaginary))
      }
    }
    // The gain is 0 dB at the geometric mean of the warped edges, where the band is flattest.
    let center = 2 * atan(square.squareRoot())
    for index in sections.indices {
      sections[index].gain = 1 / response(sections[index], at: center)
    }
    return sections
  }

  /// The magnitude response of a section at an angular frequency, 0…π radians per sample.
  public static func response(_ section: Section, at angle: Double) -> Double {
    let turn = Complex(cos(angle), -sin(angle))
    let square = turn * turn
    let above = Complex(section.gain, 0) * (Complex(1, 0) - square)
    let below = Complex(1, 0) + Complex(section.a1, 0) * turn + Complex(section.a2, 0) * square
    return (above / below).magnitude
  }
}

/// A complex number, for the filter design.
private struct Complex {
  var real: Double
  var imaginary: Double
  init(_ real: Double, _ imaginary: Double) { (self.real, self.imaginary) = (real, imaginary) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
  static func / (a: Complex, b: Complex) -> Complex {
    let square = b.real * b.real + b.imaginary * b.imaginary
    return Complex(
      (a.real * b.real + a.imaginary * b.imaginary) / square,
      (a.imaginary * b.real - a.real * b.imaginary) / square)
  }
  var magnitude: Double { hypot(real, imaginary) }
  var squareRoot: Complex {
    let size = magnitude
    let part = ((size + real.magnitude) / 2).squareRoot()
    guard part > 0 else { return Complex(0, 0) }
    let other = imaginary / (2 * part)
    return real >= 0 ? Complex(part, other) : Complex(other.magnitude, imaginary < 0 ? -part : part)
  }
}
