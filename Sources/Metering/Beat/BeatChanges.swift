#if canImport(Glibc)
  import Glibc
#endif

/// The onset strengths of the last 8 s, one value per step of two hops, normalized so that loud and soft music have
/// similar values. Elsewhere in this folder an onset strength is called a change: the spectral flux
/// (`SpectralFlux.attacks`) of one step. Most changes have three bands: below 200 Hz, from 200 Hz to 4 kHz, and above.
/// [one]
struct BeatChanges: Sendable {
  /// The seconds that are kept.
  private static let memory = 8.0

  /// The seconds from one step to the next.
  let step: Double
  /// The number of steps that are kept.
  let size: Int
  /// The number of steps taken so far.
  private(set) var count = 0
  private var leveled: [Float]
  /// The same changes compressed less, and with the middle band weighted most: sounds off the beat are often soft, low
  /// or high.
  private var accented: [Float]
  private var pooled = SIMD3<Float>()
  private var isSecond = false
  private var peaks = SIMD3<Float>()

  /// Makes an empty buffer for flux values that arrive every `hop` seconds.
  init(hop: Double) {
    step = 2 * hop
    size = Int(Self.memory / step)
    leveled = Array(repeating: 0, count: size)
    accented = leveled
  }

  /// The time of the last step, in seconds since the first hop.
  var now: Double { Double(count) * step }

  /// Takes the flux of the next hop, for each band. Returns, after every second hop, the sum of two hops, for each band
  /// as a share of its recent peak, about 0…1, which decays by a factor e in 3 s; else nil.
  mutating func take(_ parts: SIMD3<Float>, hasSound: Bool) -> SIMD3<Float>? {
    pooled = isSecond ? pooled + parts : parts
    isSecond.toggle()
    guard !isSecond else { return nil }
    let fade = Float(exp(-step / 3))
    peaks = pointwiseMax(pooled, peaks * fade)
    let change = pooled / (pooled + 0.5 * peaks + 0.5)
    leveled[count % size] = hasSound ? change.x + change.y + 0.4 * change.z : 0
    let accent = (pooled / (peaks + 0.5)).squareRoot()
    accented[count % size] = hasSound ? 0.15 * accent.x + accent.y + 0.15 * accent.z : 0
    count += 1
    return pooled / (peaks + 0.5)
  }

  /// The last `length` compressed onset strengths, the oldest first, prepared for autocorrelation; `length` is at most
  /// `size`.
  func signal(_ length: Int) -> [Float] { ordered(leveled, length) }

  /// The last `length` accents, the oldest first, prepared likewise; `length` is at most `size`.
  func accents(_ length: Int) -> [Float] { ordered(accented, length) }

  /// Returns the last values, the oldest first. The mean over ±0.4 s is subtracted, negative values become 0, and a
  /// filter with the weights ¼, ½, ¼ blurs the result, because players are a few milliseconds early or late.
  private func ordered(_ changes: [Float], _ length: Int) -> [Float] {
    var signal = (0..<length).map { changes[(count - length + $0) % size] }
    let width = max(1, Int(0.4 / step))
    var sums = [Float](repeating: 0, count: length + 1)
    for i in 0..<length { sums[i + 1] = sums[i] + signal[i] }
    for i in 0..<length {
      let (low, high) = (max(0, i - width), min(length, i + width + 1))
      signal[i] = max(0, signal[i] - (sums[high] - sums[low]) / Float(high - low))
    }
    return (0..<length).map { i in
      0.5 * signal[i] + 0.25 * signal[max(0, i - 1)] + 0.25 * signal[min(length - 1, i + 1)]
    }
  }
}
