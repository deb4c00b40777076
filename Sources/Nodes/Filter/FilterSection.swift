import CRealtime

#if canImport(Glibc)
  import Glibc
#endif

extension Filter {
  /// The coefficients for a rate in Hz, after Robert Bristow-Johnson's Audio EQ Cookbook; the band has 0 dB at its
  /// middle.
  static func section(_ settings: Settings, rate: Double) -> vg_section {
    let w = 2 * Double.pi * min(settings.frequency, 0.49 * rate) / rate
    let cosine = cos(w)
    let alpha = sin(w) / (2 * settings.q)
    let a0 = 1 + alpha
    let b: (Double, Double, Double)
    switch settings.pass {
    case .low: b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
    case .high: b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
    case .band: b = (alpha, 0, -alpha)
    }
    return vg_section(b0: b.0 / a0, b1: b.1 / a0, b2: b.2 / a0, a1: -2 * cosine / a0, a2: (1 - alpha) / a0)
  }
}
