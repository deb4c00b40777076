#if canImport(Glibc)
  import Glibc
#endif

/// The loudness of a program by ITU-R BS.1770-5 and EBU R 128, from energies of 10 ms.
///
/// Momentary over 400 ms, short-term over 3 s, integrated by both gates (−70 LUFS, −10 LU), range by EBU Tech 3342
/// (−70 LUFS, −20 LU, 10th to 95th percentile). Values are those of whole windows alone; before there is one, and where a
/// gate lets nothing pass, they are nil. Its memory does not grow. [frame]
public struct Loudness: Sendable {
  private var momentaryWindow = LoudnessWindow(steps: 40)
  private var shortTermWindow = LoudnessWindow(steps: 300)

  /// The loudness of the last 400 ms, in LUFS.
  public var momentary: Double? { momentaryWindow.level }
  /// The loudness of the last 3 s, in LUFS.
  public var shortTerm: Double? { shortTermWindow.level }
  /// The highest momentary loudness since the reset, at every 10 ms, in LUFS.
  public var highestMomentary: Double? { momentaryWindow.highest }
  /// The highest short-term loudness since the reset, at every 10 ms, in LUFS.
  public var highestShortTerm: Double? { shortTermWindow.highest }

  /// The loudness of the whole program since the reset, in LUFS; renewed every 100 ms.
  public private(set) var integrated: Double?
  /// The loudness range since the reset, in LU; renewed every 100 ms.
  public private(set) var range: Double?

  /// Nothing heard yet.
  public init() {}

  /// The loudness of a mean square that is weighted and summed over the channels (BS.1770-5, equation 2); -160 at the
  /// floor.
  public static func level(_ energy: Double) -> Double { energy > 1e-16 ? -0.691 + 10 * log10(energy) : -160 }

  /// Takes the mean square of the next 10 ms, weighted and summed over the channels. Where it does not belong to the
  /// program the windows go on, and all that is of the program stays.
  public mutating func take(_ energy: Double, isProgram: Bool = true) {
    // Blocks of 400 ms that overlap by 75 %.
    if momentaryWindow.take(energy, isProgram: isProgram) {
      let blocks = momentaryWindow.histogram
      integrated = blocks.mean(from: 0).flatMap { blocks.mean(above: $0 * 0.1) }.map(Self.level)
    }
    if shortTermWindow.take(energy, isProgram: isProgram) {
      let windows = shortTermWindow.histogram
      range = windows.mean(from: 0).flatMap { windows.range(above: $0 * 0.01) }
    }
  }

  /// Begins a new program; windows go on.
  public mutating func reset() {
    momentaryWindow.reset()
    shortTermWindow.reset()
    integrated = nil
    range = nil
  }
}

/// The loudness of the last steps of 10 ms, at every step, and how often which has been since the reset. [frame]
private struct LoudnessWindow {
  /// How many steps of 10 ms it is long.
  private let length: Int
  /// Weighted mean squares of these steps, as a ring.
  private var energies: [Double]
  /// Steps taken, and how many of them since the last reset.
  private var steps = 0
  private var sinceReset = 0
  /// In LUFS; nil before the window is full.
  private(set) var level: Double?
  /// Since the reset, in LUFS.
  private(set) var highest: Double?
  /// Of every tenth whole window since the reset.
  private(set) var histogram = EnergyHistogram()

  init(steps: Int) {
    length = steps
    energies = [Double](repeating: 0, count: steps)
  }

  /// Takes the next 10 ms; says whether a window went into the histogram.
  mutating func take(_ energy: Double, isProgram: Bool) -> Bool {
    energies[steps % length] = energy
    steps += 1
    if isProgram { sinceReset += 1 }
    guard steps >= length else { return false }
    let mean = mean()
    let level = Loudness.level(mean)
    self.level = level
    guard isProgram, sinceReset >= length else { return false }
    highest = max(highest ?? level, level)
    guard (sinceReset - length) % 10 == 0 else { return false }
    histogram.add(mean)
    return true
  }

  /// Summed anew every time, in the order of time: a running sum would keep the roundings of loud moments for ever.
  private func mean() -> Double {
    var sum = 0.0
    for step in (steps - length)..<steps { sum += energies[step % length] }
    return sum / Double(length)
  }

  mutating func reset() {
    histogram = EnergyHistogram()
    sinceReset = 0
    highest = nil
  }
}

/// Energies above -70 LUFS, counted by their loudness in steps of 0.02 LU; each step keeps the sum of its own, so that
/// means are exact but for what lies in the step of a gate.
private struct EnergyHistogram {
  private static let step = 0.02
  private static let lowest = -70.0
  private static let size = 5500
  private var counts = [Int](repeating: 0, count: size)
  private var sums = [Double](repeating: 0, count: size)
  private var highest = -1

  mutating func add(_ energy: Double) {
    let level = Loudness.level(energy)
    guard level >= Self.lowest else { return }
    let place = min(Self.size - 1, Int((level - Self.lowest) / Self.step))
    counts[place] += 1
    sums[place] += energy
    highest = max(highest, place)
  }

  /// The first step whose own mean lies at or above an energy.
  private func first(above energy: Double) -> Int {
    let place = (Loudness.level(energy) - Self.lowest) / Self.step
    guard place > 0 else { return 0 }
    let step = min(Self.size, Int(place))
    guard step <= highest, counts[step] > 0, sums[step] / Double(counts[step]) < energy else { return step }
    return step + 1
  }

  func mean(from first: Int) -> Double? {
    guard first <= highest else { return nil }
    var (count, sum) = (0, 0.0)
    for step in first...highest {
      count += counts[step]
      sum += sums[step]
    }
    return count > 0 ? sum / Double(count) : nil
  }

  func mean(above energy: Double) -> Double? { mean(from: first(above: energy)) }

  /// From the 10th to the 95th percentile of what lies above an energy, in LU.
  func range(above energy: Double) -> Double? {
    let first = first(above: energy)
    guard first <= highest else { return nil }
    let count = counts[first...highest].reduce(0, +)
    guard count > 0 else { return nil }
    func level(_ part: Double) -> Double {
      var left = Int((Double(count - 1) * part).rounded())
      for step in first...highest {
        if left < counts[step] { return Loudness.level(sums[step] / Double(counts[step])) }
        left -= counts[step]
      }
      return Loudness.level(energy)
    }
    return level(0.95) - level(0.1)
  }
}

/// The two filters of BS.1770 for a sample rate: a shelf of the head, and a high-pass.
public struct KWeighting: Sendable {
  /// b0, b1, b2, a1, a2.
  public let shelf: [Double]
  /// b0, b1, b2, a1, a2.
  public let highPass: [Double]

  /// The filters whose responses at 48 kHz are those of the standard's tables: the analog filters behind these tables, by
  /// the frequencies, qualities and gain that libebur128 states, through the bilinear transform.
  public init(rate: Double) {
    func warped(_ frequency: Double) -> Double { tan(.pi * min(frequency, 0.49 * rate) / rate) }
    do {
      let (k, q) = (warped(1681.974450955533), 0.7071752369554196)
      let high = pow(10, 3.999843853973347 / 20)
      let band = pow(high, 0.4996667741545416)
      let a0 = 1 + k / q + k * k
      shelf = [
        (high + band * k / q + k * k) / a0, 2 * (k * k - high) / a0, (high - band * k / q + k * k) / a0,
        2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0,
      ]
    }
    let (k, q) = (warped(38.13547087602444), 0.5003270373238773)
    let a0 = 1 + k / q + k * k
    highPass = [1, -2, 1, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0]
  }
}

/// The filter between samples at four times the rate: a sinc under a Hann window, 49 taps, of which each of the three
/// places between two samples takes 12 (BS.1770-5 annex 2 asks for at least four times).
public enum PeakInterpolation {
  /// For each place, the newest sample first.
  public static let taps: [[Float]] = (1...3).map { place in
    (0..<12).map { sample in
      let tap = 4 * sample + place
      let x = Double(tap - 24) / 4
      let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
      return Float(sinc * 0.5 * (1 - cos(2 * .pi * Double(tap) / 48)))
    }
  }
}
