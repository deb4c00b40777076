import CRealtime
import Graphs

#if canImport(Glibc)
  import Glibc
#endif

/// The ballistics of a meter's average, with its unit.
enum MeterBallistics: String, FieldChoice {
  case peakRMS = "peak-rms"
  case ppmI = "ppm-i"
  case ppmIIa = "ppm-iia"
  case ppmIIb = "ppm-iib"
  case vu
  case k12 = "k-12"
  case k14 = "k-14"
  case k20 = "k-20"

  var help: String {
    switch self {
    case .peakRMS: "the mean square, with `window`, `attack`, `hold` and `release`"
    case .ppmI:
      "a peak program meter of type I (IEC 60268-10, Nordic scale: 0 dB at `alignment`), 20 dB back in 1.7 s"
    case .ppmIIa: "a peak program meter of type IIa (BBC, 1…7, 4 at `alignment`), 24 dB back in 2.8 s"
    case .ppmIIb:
      "a peak program meter of type IIb (EBU Tech 3205, 0 dB at `alignment`), 24 dB back in 2.8 s"
    case .vu: "a volume indicator (IEC 60268-17): 99 % of a step in 300 ms, 0 VU at `alignment`"
    case .k12: "the K-System: mean square, 99 % of a step in 600 ms, 0 dB at -12 dBFS"
    case .k14: "the same, 0 dB at -14 dBFS"
    case .k20: "the same, 0 dB at -20 dBFS"
    }
  }

  /// The unit of `reading`.
  var unit: LevelUnit {
    switch self {
    case .peakRMS: .decibelsFullScale
    case .ppmI, .ppmIIb, .k12, .k14, .k20: .decibels
    case .ppmIIa: .programMarks
    case .vu: .volumeUnits
    }
  }

  /// Whether the average is computed from the samples by a law of its own, rather than from their mean square.
  var isProgramMeter: Bool {
    switch self {
    case .ppmI, .ppmIIa, .ppmIIb, .vu: true
    case .peakRMS, .k12, .k14, .k20: false
    }
  }

  /// The time constant of the mean square for the K-System: 99 % of a step in amplitude, 98.01 % in power, after 0.6
  /// s.
  var window: MeterWindow? {
    switch self {
    case .k12, .k14, .k20: .seconds(-0.6 / log(1 - 0.99 * 0.99))
    default: nil
    }
  }

  /// A level in dBFS, converted to the unit of the meter.
  func reading(_ level: Double, alignment: Double) -> Double {
    switch self {
    case .peakRMS: level
    case .ppmI, .ppmIIb, .vu: level - alignment
    case .ppmIIa: 4 + (level - alignment) / 4
    case .k12: level + 12
    case .k14: level + 14
    case .k20: level + 20
    }
  }

  /// Attack rates per second, their weights, and the rate of the return. They are fitted to the tone bursts of IEC
  /// 60268-10. Type I reads bursts of 10, 5, 3 and 0.4 ms 0.89, 2.22, 3.8 and 14.9 dB below the steady tone. Type II
  /// reads bursts of 100, 10, 5, 1.5 and 0.5 ms 0.02, 1.92, 3.81, 9.25 and 16.5 dB below it. The returns are 20 dB in
  /// 1.7 s and 24 dB in 2.8 s.
  private var fit: (charge: [Double], weight: [Double], back: Double) {
    self == .ppmI
      ? ([518.3, 1597.3], [0.6964, 0.3036], log(10) / 1.7)
      : ([212.7, 858.2], [0.49, 0.51], 1.2 * log(10) / 2.8)
  }

  /// The law of a program meter at a sample rate in Hz. [control]
  func law(rate: Int) -> vg_program_meter_law {
    self == .vu ? Self.needleLaw(rate: Double(rate)) : peakLaw(rate: rate)
  }

  /// The law of a peak program meter.
  private func peakLaw(rate: Int) -> vg_program_meter_law {
    let fit = fit
    let second = Double(rate)
    var law = vg_program_meter_law()
    law.kind = VG_PEAK_PROGRAM_METER
    law.charge = (-expm1(-fit.charge[0] / second), -expm1(-fit.charge[1] / second))
    law.weight = (fit.weight[0], fit.weight[1])
    law.keep = exp(-fit.back / second)
    // Normalizes the weights: a steady sine of 1 kHz, or of an eighth of a low sample rate, reads its amplitude.
    // It settles within 0.5 s.
    let radiansPerSample = 2 * Double.pi * min(1000, second / 8) / second
    let sine = (0..<(rate / 2)).map { Float(sin(radiansPerSample * Double($0))) }
    var state = vg_program_meter_state()
    var peak: Float = 0
    vg_program_meter(&state, &law, sine, UInt32(sine.count), &peak)
    law.weight.0 /= state.top
    law.weight.1 /= state.top
    return law
  }

  /// The law of a volume indicator: a damped oscillator with a damping ratio of 0.81 and 13.5 rad/s. It reaches 99 %
  /// after 0.3 s and overshoots by 1.3 % (IEC 60268-17: 1 to 1.5 %).
  private static func needleLaw(rate: Double) -> vg_program_meter_law {
    let (damping, speed, step) = (0.81, 13.5, 1 / rate)
    var law = vg_program_meter_law()
    law.kind = VG_VOLUME_INDICATOR
    law.spring = speed * speed * step
    law.damping = 2 * damping * speed * step
    law.step = step
    law.scale = Double.pi / 2
    return law
  }
}
