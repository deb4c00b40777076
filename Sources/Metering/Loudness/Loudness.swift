#if canImport(Glibc)
  import Glibc
#endif

/// Measures the loudness of a program by ITU-R BS.1770-5 and EBU R 128, from the mean squares of steps of 10 ms.
///
/// Momentary loudness is over 400 ms, short-term loudness over 3 s. Integrated loudness has both gates (−70 LUFS, −10
/// LU). The range is that of EBU Tech 3342 (gates −70 LUFS and −20 LU, 10th to 95th percentile). A value is nil before
/// its first full window, or if a gate passes nothing. Memory does not grow with the program. [frame]
public struct Loudness: Sendable {
  private var momentaryWindow = LoudnessWindow(steps: 40)
  private var shortTermWindow = LoudnessWindow(steps: 300)

  /// The loudness of the last 400 ms, in LUFS.
  public var momentary: Double? { momentaryWindow.level }
  /// The loudness of the last 3 s, in LUFS.
  public var shortTerm: Double? { shortTermWindow.level }
  /// The highest momentary loudness since the reset, in LUFS; a window ends every 10 ms.
  public var highestMomentary: Double? { momentaryWindow.highest }
  /// The highest short-term loudness since the reset, in LUFS; a window ends every 10 ms.
  public var highestShortTerm: Double? { shortTermWindow.highest }

  /// The integrated loudness since the reset, in LUFS; updated every 100 ms.
  public private(set) var integrated: Double?
  /// The loudness range since the reset, in LU; updated every 100 ms.
  public private(set) var range: Double?

  /// Starts without a measurement.
  public init() {}

  /// The loudness, in LUFS, of a mean square that is weighted and summed over the channels (BS.1770-5, equation 2). It
  /// is -160 for 1e-16 and less.
  public static func level(_ energy: Double) -> Double { energy > 1e-16 ? -0.691 + 10 * log10(energy) : -160 }

  /// Takes the mean square of the next 10 ms, weighted and summed over the channels. If `isProgram` is false, momentary
  /// and short-term loudness follow it, but the values since the reset stay.
  public mutating func take(_ energy: Double, isProgram: Bool = true) {
    // The gating blocks are 400 ms long and overlap by 75 %.
    if momentaryWindow.take(energy, isProgram: isProgram) {
      let blocks = momentaryWindow.histogram
      integrated = blocks.mean(from: 0).flatMap { blocks.mean(above: $0 * 0.1) }.map(Self.level)
    }
    if shortTermWindow.take(energy, isProgram: isProgram) {
      let windows = shortTermWindow.histogram
      range = windows.mean(from: 0).flatMap { windows.range(above: $0 * 0.01) }
    }
  }

  /// Begins a new program. Momentary and short-term loudness go on.
  public mutating func reset() {
    momentaryWindow.reset()
    shortTermWindow.reset()
    integrated = nil
    range = nil
  }
}

/// A sliding window over steps of 10 ms, and a histogram of its loudness since the reset. [frame]
private struct LoudnessWindow {
  /// The length of the window in steps of 10 ms.
  private let length: Int
  /// The weighted mean squares of the last `length` steps, as a ring.
  private var energies: [Double]
  /// The number of steps taken, and of those since the reset that belong to the program.
  private var steps = 0
  private var sinceReset = 0
  /// The loudness of the last window in LUFS; nil before the window is full.
  private(set) var level: Double?
  /// The highest loudness since the reset, in LUFS.
  private(set) var highest: Double?
  /// The loudness of every tenth full window since the reset.
  private(set) var histogram = EnergyHistogram()

  init(steps: Int) {
    length = steps
    energies = [Double](repeating: 0, count: steps)
  }

  /// Takes the next step. Returns whether the window that ends with it was added to the histogram.
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

  /// The mean of the window. It is summed anew each time, because a running sum would keep the rounding errors of loud
  /// passages.
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

/// A histogram of mean squares (energies) by loudness, from -70 to 40 LUFS, in bins of 0.02 LU. A bin keeps the sum of
/// its energies, so means are exact but for the bin in which a gate lies.
private struct EnergyHistogram {
  private static let step = 0.02
  private static let lowest = -70.0
  private static let size = 5500
  private var counts = [Int](repeating: 0, count: size)
  private var sums = [Double](repeating: 0, count: size)
  /// The highest bin with an energy; -1 if there is none.
  private var highest = -1

  mutating func add(_ energy: Double) {
    let level = Loudness.level(energy)
    guard level >= Self.lowest else { return }
    let place = min(Self.size - 1, Int((level - Self.lowest) / Self.step))
    counts[place] += 1
    sums[place] += energy
    highest = max(highest, place)
  }

  /// The first bin whose mean energy is not below `energy`.
  private func first(above energy: Double) -> Int {
    let place = (Loudness.level(energy) - Self.lowest) / Self.step
    guard place > 0 else { return 0 }
    let step = min(Self.size, Int(place))
    guard step <= highest, counts[step] > 0, sums[step] / Double(counts[step]) < energy else { return step }
    return step + 1
  }

  /// The mean of the energies from a bin on; nil if there are none.
  func mean(from first: Int) -> Double? {
    guard first <= highest else { return nil }
    var (count, sum) = (0, 0.0)
    for step in first...highest {
      count += counts[step]
      sum += sums[step]
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// The mean of the energies above a gate; nil if there are none.
  func mean(above energy: Double) -> Double? { mean(from: first(above: energy)) }

  /// The difference between the 10th and the 95th percentile of the energies above a gate, in LU; nil if there are
  /// none.
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

/// The two filters of K-weighting (BS.1770) for a sample rate: a high shelf for the effect of the head, and a
/// high-pass.
public struct KWeighting: Sendable {
  /// The coefficients b0, b1, b2, a1, a2 of the high shelf.
  public let shelf: [Double]
  /// The coefficients b0, b1, b2, a1, a2 of the high-pass.
  public let highPass: [Double]

  /// Makes the filters for a rate in Hz. At 48 kHz their responses are those of the standard's tables. They are the
  /// bilinear transform of the analog filters behind these tables, with the frequencies, quality factors and gain of
  /// libebur128.
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

/// The interpolation filter for true peaks: a sinc with a Hann window of 49 taps at four times the sample rate, the
/// least that BS.1770-5, annex 2, allows. Each of the three positions between two samples uses 12 taps.
public enum PeakInterpolation {
  /// The taps of each of the three positions between two samples; the first tap is for the newest sample.
  public static let taps: [[Float]] = (1...3).map { place in
    (0..<12).map { sample in
      let tap = 4 * sample + place
      let x = Double(tap - 24) / 4
      let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
      return Float(sinc * 0.5 * (1 - cos(2 * .pi * Double(tap) / 48)))
    }
  }
}
