#if canImport(Glibc)
  import Glibc
#endif

/// Spectral flux on a logarithmic frequency axis: the growth of a sound's spectrum from hop to hop, for finding onsets
/// and beats. The level of a band is compared with the highest earlier level of the band and its neighbors, so that
/// vibrato counts little (SuperFlux: Böck and Widmer, DAFx 2013). [one]
///
/// Partials in one band beat against each other: the band swings, that is, it rises and falls about ten times a second
/// although the sound is steady. A rise of a swinging band counts as an attack only if it is far larger than the swing.
public final class SpectralFlux {
  /// The samples from one value to the next.
  public let hop: Int
  /// The length of the window in samples.
  public let length: Int
  /// The flux of the last hop in three ranges: below 200 Hz, from 200 Hz to 4 kHz, and above.
  public private(set) var parts = SIMD3<Float>()
  /// The same, but without rises that are no larger than the recent swing of their band.
  public private(set) var attacks = SIMD3<Float>()
  /// The mean square of the last window.
  public private(set) var power: Float = 0
  private let spectrum: Spectrum
  /// For each band its first bin and the number of its bins, the index `from` of its first weight, and the index of the
  /// range in `parts`.
  private let bands: UnsafeMutableBufferPointer<(first: Int, count: Int, from: Int, part: Int)>
  /// The weights of the bins of all bands.
  private let weights: UnsafeMutablePointer<Float>
  /// The levels of all bands in the last `lag + 1` hops, as a ring.
  private let history: UnsafeMutablePointer<Float>
  private let swings: UnsafeMutablePointer<Swing>
  /// The number of hops analyzed.
  private var hops = 0
  /// The gain in a band's level, lg(1 + gain × magnitude), which is nearly linear in magnitudes below 1 / gain.
  public var gain = SpectralFlux.gain {
    // Levels of another gain cannot be compared.
    didSet { if gain != oldValue { hops = 0 } }
  }
  /// The default gain, for sounds down to about -55 dBFS.
  public static let gain: Float = 400
  /// The default range of frequencies, in Hz.
  public static let range = 30.0...17_000.0
  /// The factor on a swing's peaks per hop, and the weight of a new value in its mean.
  private let peakDecay, share: Float
  /// The hops between two windows that are compared; they share half of their samples.
  private let lag: Int
  /// Whether neighbors are compared: a quarter tone at the top of the range is at least one bin wide.
  private let comparesNeighbors: Bool

  /// Makes the bands for a sample rate in Hz, with hops of about 5.3 ms and windows of four hops. If `range` is
  /// narrower than four bins, the width of a Hann window's main lobe, windows are up to four times as long. [control]
  public init(rate: Double, range: ClosedRange<Double> = SpectralFlux.range) {
    var length = 64
    while Double(length) * 1.5 < 0.02133 * rate && length < 16_384 { length *= 2 }
    hop = length / 4
    for _ in 0..<2 where (range.upperBound - range.lowerBound) * Double(length) < 4 * rate { length *= 2 }
    spectrum = Spectrum(length: length)
    self.length = length
    lag = length / 2 / hop
    var bands: [(Int, [Float], Int)] = []
    let width = rate / Double(length)
    let top = min(range.upperBound, 0.48 * rate)
    let quarterTone = exp2(1 / 24.0)
    comparesNeighbors = top * (quarterTone - 1) >= width
    var seen: Set<Int> = []
    var low = 30.0
    // A band is a quarter tone wide, but at least one bin.
    while low < top {
      let high = low * quarterTone
      let middle = (low * high).squareRoot()
      let bin = Int((middle / width).rounded())
      if high - low < width {
        if bin > 0, range ~= Double(bin) * width, seen.insert(bin).inserted {
          bands.append((bin, [1], Self.part(middle)))
        }
      } else if middle >= range.lowerBound {
        let (first, weights) = Band(low: low, middle: middle, high: high).weights(
          width: width, bins: length / 2 + 1)
        if !weights.isEmpty { bands.append((first, weights, Self.part(middle))) }
      }
      low = high
    }
    if bands.isEmpty, range.lowerBound < top {
      let middle = (range.lowerBound + top) / 2
      bands = [(max(1, Int((middle / width).rounded())), [1], Self.part(middle))]
    }
    self.bands = .allocate(capacity: bands.count)
    let all = bands.flatMap(\.1)
    weights = .allocate(capacity: all.count)
    for (place, weight) in all.enumerated() { (weights + place).initialize(to: weight) }
    var from = 0
    for (index, band) in bands.enumerated() {
      self.bands.initializeElement(at: index, to: (band.0, band.1.count, from, band.2))
      from += band.1.count
    }
    history = .allocate(capacity: (lag + 1) * bands.count)
    history.initialize(repeating: 0, count: (lag + 1) * bands.count)
    swings = .allocate(capacity: bands.count)
    swings.initialize(repeating: Swing(), count: bands.count)
    let seconds = Double(hop) / rate
    peakDecay = Float(exp(-seconds / Swing.peakTime))
    share = Float(1 - exp(-seconds / Swing.meanTime))
  }

  deinit {
    bands.deallocate()
    weights.deallocate()
    history.deallocate()
    swings.deallocate()
  }

  /// The index of the range of a frequency in `parts`.
  private static func part(_ frequency: Double) -> Int { frequency < 200 ? 0 : frequency < 4000 ? 1 : 2 }

  /// Analyzes the `length` samples that end with the next hop.
  public func look(at samples: UnsafePointer<Float>) {
    spectrum.look(at: samples)
    let powers = UnsafePointer(spectrum.powers.baseAddress!)
    var total: Float = 0
    for bin in 0...length / 2 { total += powers[bin] }
    power = total
    // Copies to constants, because each access to a property of a class is checked for exclusivity.
    let (bands, weights, swings, gain, count) = (bands, weights, swings, gain, bands.count)
    let (peakDecay, share, isOld) = (peakDecay, share, hops >= lag)
    let now = history + hops % (lag + 1) * count, last = history + (hops + 1) % (lag + 1) * count
    let reach = comparesNeighbors ? 1 : 0
    var (sums, attacks) = (SIMD3<Float>(), SIMD3<Float>())
    for index in 0..<count {
      let band = bands[index]
      var sum: Float = 0
      for place in 0..<band.count { sum += weights[band.from + place] * powers[band.first + place] }
      let level = log10(1 + gain * sum.squareRoot())
      now[index] = level
      guard isOld else { continue }
      let neighbors = max(last[max(0, index - reach)], last[index], last[min(count - 1, index + reach)])
      let rise = max(0, level - neighbors)
      sums[band.part] += rise
      if rise > Swing.most * swings[index].mean { attacks[band.part] += rise }
      swings[index].take(rise: rise, fall: max(0, last[index] - level), peakDecay, share)
    }
    hops += 1
    parts = sums
    self.attacks = attacks
  }

  /// The recent rises and falls of a band. The constants were found by trial: with them, drums, soft notes with vibrato
  /// and loops of music have attacks; steady saw and square waves from E1 to E3, hum and noise have none.
  private struct Swing {
    /// The time constants of the peaks and of the mean, in seconds. The first covers a period of 40 Hz, the second
    /// several notes.
    static let (peakTime, meanTime) = (0.024, 0.16)
    /// A rise above this multiple of the mean is an attack.
    static let most: Float = 2.8
    /// The mean of the smaller of the two peaks: the size of the swing.
    var mean: Float = 0
    /// The decaying peaks of rises and of falls.
    private var (rise, fall): (Float, Float) = (0, 0)

    mutating func take(rise newRise: Float, fall newFall: Float, _ peakDecay: Float, _ share: Float) {
      rise = max(newRise, rise * peakDecay)
      fall = max(newFall, fall * peakDecay)
      mean += share * (min(rise, fall) - mean)
    }
  }
}
