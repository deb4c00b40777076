#if canImport(Glibc)
  import Glibc
#endif

/// Estimates the phase of the beat: accents are folded by the beat period into a histogram, which is averaged over
/// about 6 s. [one]
struct PhaseBelief: Sendable {
  /// The number of bins of the histogram, which spans one beat.
  private static let places = 64
  /// The greatest weight of the old histogram at an update. At two updates a second the time constant is about 6 s.
  private static let memory = 0.92
  /// The delay from an onset to the maximum of its change, in seconds.
  private static let latency = 0.012

  /// The seconds from one change to the next.
  private let step: Double
  /// The averaged histogram; bin 0 is at the beat of the grid. nil before the first update.
  private var average: [Double]?
  private var updates = 0.0

  init(step: Double) { self.step = step }

  /// Forgets the histogram.
  mutating func clear() { (average, updates) = (nil, 0) }

  /// Updates the histogram. Returns the phase of the beat at the end of `signal`, 0 ≤ phase < 1. `period` is the beat
  /// period in seconds, and `grid` the phase that the grid has there; nil without a grid.
  mutating func look(at signal: [Float], _ period: Double, grid: Double?) -> Double {
    var here = blurred(folded(signal, period))
    if let grid, let average {
      updates += 1
      let weight = min(Self.memory, updates / (updates + 1))
      let before = rotated(average, by: grid)
      for place in here.indices { here[place] = weight * before[place] + (1 - weight) * here[place] }
    }
    let phase = peak(of: here)
    average = rotated(here, by: -(grid ?? phase))
    return phase
  }

  /// Folds the signal by the period. Bin 0 is the end of the signal, and the age of a sample grows with its bin.
  private func folded(_ signal: [Float], _ period: Double) -> [Double] {
    let places = Self.places
    var folded = [Double](repeating: 0, count: places)
    for i in signal.indices {
      let age = Double(signal.count - i) * step + Self.latency - step / 2
      // The period is inexact, so the error of the phase grows with age: weights fall by a factor e in 8 s.
      let weight = exp(-age / 8)
      let place = (age / period).truncatingRemainder(dividingBy: 1) * Double(places)
      let low = Int(place)
      let part = place - Double(low)
      folded[low % places] += weight * Double(signal[i]) * (1 - part)
      folded[(low + 1) % places] += weight * Double(signal[i]) * part
    }
    return folded
  }

  /// Blurs a histogram with a triangle of ±5/64 of a beat, and scales its sum to 1.
  private func blurred(_ folded: [Double]) -> [Double] {
    let places = Self.places
    var sum = 0.0
    for value in folded { sum += value }
    let scale = sum > 0 ? 1 / (25 * sum) : 0
    return folded.indices.map { place in
      var value = 0.0
      for offset in -4...4 { value += folded[(place + offset + places) % places] * (5 - Double(abs(offset))) }
      return value * scale
    }
  }

  /// Rotates a histogram by a number of beats towards later bins, with linear interpolation.
  private func rotated(_ values: [Double], by beats: Double) -> [Double] {
    let places = Self.places
    let way = (beats - beats.rounded(.down)) * Double(places)
    let whole = Int(way)
    let part = way - Double(whole)
    return values.indices.map { place in
      let from = place - whole + 2 * places
      return values[from % places] * (1 - part) + values[(from - 1) % places] * part
    }
  }

  /// Returns the position of the maximum, 0 ≤ position < 1, refined by a parabola through the maximum and its
  /// neighbors.
  private func peak(of values: [Double]) -> Double {
    let places = Self.places
    var best = 0
    for place in values.indices where values[place] > values[best] { best = place }
    let (a, b, c) = (values[(best + places - 1) % places], values[best], values[(best + 1) % places])
    let bend = a - 2 * b + c
    let exact = Double(best) + (bend < 0 ? 0.5 * (a - c) / bend : 0)
    return (exact / Double(places) + 1).truncatingRemainder(dividingBy: 1)
  }
}
