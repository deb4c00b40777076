import CRealtime

#if canImport(Glibc)
  import Glibc
#endif

extension Filter {
  /// What a filter is to become, for a rate in Hz: the responses of the bilinear transform, as in Robert Bristow-Johnson's
  /// Audio EQ Cookbook; the band has 0 dB at its middle.
  static func goal(_ settings: Settings, rate: Double) -> vg_filter_goal {
    let g = tan(Double.pi * min(settings.frequency, 0.49 * rate) / rate)
    let k = 1 / settings.q
    let parts =
      switch settings.pass {
      case .low: vg_filter_parts(input: 0, band: 0, low: 1)
      case .high: vg_filter_parts(input: 1, band: -1, low: -1)
      case .band: vg_filter_parts(input: 0, band: 1, low: 0)
      }
    return vg_filter_goal(g: g, corner: log2(g), k: k, damping: log2(k), parts: parts)
  }
}
