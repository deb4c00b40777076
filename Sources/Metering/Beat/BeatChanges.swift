#if canImport(Glibc)
  import Glibc
#endif

/// The changes of the last seconds, two hops each, leveled so that loud and soft music have the same ones. [one]
struct BeatChanges: Sendable {
  /// Seconds that are looked back over.
  private static let memory = 8.0

  /// Seconds from one change to the next.
  let step: Double
  /// How many are kept.
  let size: Int
  /// Changes taken.
  private(set) var count = 0
  private var leveled: [Float]
  /// The same changes less leveled, and where the middle counts most: of what is off the beat, much is soft, low or high.
  private var accented: [Float]
  private var pooled = SIMD3<Float>()
  private var isSecond = false
  private var peaks = SIMD3<Float>()

  /// Makes one for changes that come every `hop` seconds.
  init(hop: Double) {
    step = 2 * hop
    size = Int(Self.memory / step)
    leveled = Array(repeating: 0, count: size)
    accented = leveled
  }

  /// Seconds of what was taken.
  var now: Double { Double(count) * step }

  /// Takes the change of the next hop; every second time gives that of two, as shares of the highest of late.
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

  /// The last changes, at most `size`.
  func signal(_ length: Int) -> [Float] { ordered(leveled, length) }

  /// The last accents, at most `size`.
  func accents(_ length: Int) -> [Float] { ordered(accented, length) }

  /// The last ones, the oldest first, less what is there all the time, and a little blurred: players are not machines.
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
